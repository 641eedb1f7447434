import { parseDocument, type Document } from 'yaml';

/** A fault, phrased as a part of a sentence, and its place if known. */
interface YamlFault {
  readonly fault: string;
  readonly offset?: number;
}

/** Parses YAML of so many lines and marks into JSON values. Never throws. */
export function readYaml(text: string, maxMarks: number): { readonly value: unknown } | YamlFault {
  const read = readYamlDocument(text, maxMarks);
  if ('fault' in read) return read;
  try {
    return { value: plain(read.document.toJS({ maxAliasCount: 50 })) };
  } catch (error) {
    return { fault: invalid(String(error)) };
  }
}

/** Parses YAML into the nodes of the library, which have the places of values in the text. Never throws. */
export function readYamlDocument(
  text: string,
  maxMarks: number,
): { readonly document: Document } | YamlFault {
  if (text.length > MAX_LENGTH) return { fault: 'too long to be read' };
  if (!QUOTED.test(text)) {
    if (marksIn(text) > maxMarks) return { fault: 'too long to be read' };
    if (isDeep(text)) return { fault: 'nested too deep to be read' };
  }
  try {
    const options = { strict: false, logLevel: 'silent', uniqueKeys: false, prettyErrors: false } as const;
    const document = parseDocument(text, options);
    const [error] = document.errors;
    return error ? { fault: invalid(error.message), offset: error.pos[0] } : { document };
  } catch (error) {
    return { fault: invalid(String(error)) };
  }
}

const MAX_LENGTH = 262_144;

/** The parser needs some 10 µs for each. */
const MARK = /[\r\n,:?!&*"'[\]{}%#]|-(?=\s)/g;

/** How many line ends, and marks that may begin or end a value, a text has. */
export function marksIn(text: string): number {
  let count = 0;
  MARK.lastIndex = 0;
  while (MARK.test(text)) count++;
  return count;
}

const invalid = (message: string): string =>
  `not valid YAML (${(message.split('\n')[0] ?? '').replace(/:$/, '').slice(0, 120)})`;

/** Throws for cyclic values. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

/** One field with a quoted value, which cannot be nested. */
const QUOTED = /^[^:\r\n]+:[ \t]+(?:"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\r\n]|'')*')[ \t]*(?:\r\n?|\n)?$/;

const MAX_NESTING = 32;

/** `- - - a`, all on one line. */
const ENTRIES_IN_ENTRIES = /(?:[-?:][ \t]+){8}/;

/** The YAML library is recursive: deep nesting would overflow the stack, and can end the process. */
function isDeep(text: string): boolean {
  let flow = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    flow = Math.max(0, flow + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (flow > MAX_NESTING) return true;
  }
  return isIndentedDeeper(text, MAX_NESTING);
}

/** Whether more than `most` blocks are nested, or eight on one line. */
export function isIndentedDeeper(text: string, most: number): boolean {
  const indents: number[] = [];
  for (const [, indent = ''] of text.matchAll(/^([ \t]*)\S/gm)) {
    while ((indents.at(-1) ?? -1) >= indent.length) indents.pop();
    indents.push(indent.length);
    if (indents.length > most) return true;
  }
  return ENTRIES_IN_ENTRIES.test(text);
}
