import { isMap, isScalar, parse, type Scalar } from 'yaml';
import { decode, movedHrefs, resolveHref } from '../links/index.ts';
import {
  FOLDER_ID,
  type ConfigurationText,
  type ContentRef,
  type LinkTable,
  type Tree,
} from '../tree/index.ts';
import { loadInline, type ExportContext } from './write/export-context.ts';
import { asMap, asText, parseYamlFile, parseYamlNodes } from './yaml-file.ts';

/** The target of a redirect in the configuration: a path from the root of the pages, and the range of its text. */
interface Redirect {
  readonly href: string;
  readonly start: number;
  readonly end: number;
  readonly quote: Scalar['type'];
}

/** The redirects of the configuration. Targets that are no files are included, and have no effect. */
export function redirectsIn(text: string): Redirect[] {
  const redirects = parseYamlNodes(text)?.get('redirects', true);
  if (!isMap(redirects)) return [];
  return redirects.items.flatMap(({ value }) => {
    if (!isScalar(value) || typeof value.value !== 'string' || !value.range) return [];
    const [start, end] = value.range;
    return value.type?.startsWith('BLOCK') ? [] : [{ href: value.value, start, end, quote: value.type }];
  });
}

/** The imported configuration, with new targets for redirects to pages whose file changed. */
export function writeConfiguration(
  context: ExportContext,
  { text: source, links }: ConfigurationText,
): string {
  const text = loadInline(context, source);
  if (links === undefined) return text;
  const moved = movedHrefs(context.tree, FOLDER_ID, loadInline(context, links), context);
  const written: string[] = [];
  let at = 0;
  for (const { href, start, end, quote } of redirectsIn(text)) {
    const spelled = moved.get(href);
    if (spelled === undefined) continue;
    // Paths are usually not percent-encoded here.
    const target = href.includes('%') ? spelled : decode(spelled);
    written.push(text.slice(at, start), scalarOf(target, quote));
    at = end;
  }
  return written.join('') + text.slice(at);
}

function scalarOf(value: string, quote: Scalar['type']): string {
  if (quote === 'QUOTE_SINGLE') return `'${value.replaceAll("'", "''")}'`;
  const isPlain = quote === 'PLAIN' && !/[,[\]{}]|: | #/.test(value) && parse(value) === value;
  return isPlain ? value : JSON.stringify(value);
}

/** The targets of the redirects by their former path, without slashes around it. Targets follow pages that moved. */
export function readRedirects(tree: Tree, text: string, links: LinkTable): ReadonlyMap<string, ContentRef> {
  const targets = new Map<string, ContentRef>();
  for (const [source, value] of Object.entries(asMap(asMap(parseYamlFile(text).value)['redirects']))) {
    const href = asText(value) ?? '';
    const target = Object.hasOwn(links, href) ? links[href] : resolveHref(tree, FOLDER_ID, href);
    if (target) targets.set(source.replaceAll(/^\/+|(?<!\/)\/+$/g, ''), target);
  }
  return targets;
}
