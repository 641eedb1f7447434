import { isMap, isScalar, parse, parseDocument, type Scalar } from 'yaml';
import { decode, movedHrefs } from '../links/index.ts';
import { FOLDER_ID, type ConfigurationText } from '../tree/index.ts';
import { loaded, type Writing } from './export-context.ts';
import { readFile } from './yaml-file.ts';

/** Where a redirect of the configuration leads: a path from the root of the pages, and where its text is. */
interface Redirect {
  readonly href: string;
  readonly start: number;
  readonly end: number;
  readonly quote: Scalar['type'];
}

/** The redirects that lead to a file by its path. Other addresses are among them, and mean nothing here. */
export function redirectsIn(text: string): Redirect[] {
  // What it refuses must not reach the parser.
  if (readFile(text).problem !== undefined) return [];
  const redirects = parseDocument(text, { strict: false, logLevel: 'silent', uniqueKeys: false }).get(
    'redirects',
    true,
  );
  if (!isMap(redirects)) return [];
  return redirects.items.flatMap(({ value }) => {
    if (!isScalar(value) || typeof value.value !== 'string' || !value.range) return [];
    const [start, end] = value.range;
    return value.type?.startsWith('BLOCK') ? [] : [{ href: value.value, start, end, quote: value.type }];
  });
}

/** The configuration as it was, with other targets for redirects to pages that are other files now. */
export function writeConfiguration(writing: Writing, { text: given, links }: ConfigurationText): string {
  const text = loaded(writing, given);
  if (links === undefined) return text;
  const moved = movedHrefs(writing.tree, FOLDER_ID, loaded(writing, links), writing);
  let written = text;
  for (const { href, start, end, quote } of redirectsIn(text).toReversed()) {
    const spelled = moved.get(href);
    if (spelled === undefined) continue;
    // Paths are usually not percent-encoded here.
    const target = href.includes('%') ? spelled : decode(spelled);
    written = written.slice(0, start) + scalarOf(target, quote) + written.slice(end);
  }
  return written;
}

function scalarOf(value: string, quote: Scalar['type']): string {
  if (quote === 'QUOTE_SINGLE') return `'${value.replaceAll("'", "''")}'`;
  const isPlain = quote === 'PLAIN' && !/[,[\]{}]|: | #/.test(value) && parse(value) === value;
  return isPlain ? value : JSON.stringify(value);
}
