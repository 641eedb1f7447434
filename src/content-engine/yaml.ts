import { parseDocument, type Document } from 'yaml';

/** As a part of a sentence, and where it is if known. */
interface YamlFault {
  readonly fault: string;
  readonly offset?: number;
}

/** Parses YAML into JSON values. Never throws. */
export function readYaml(text: string, maxLength: number): { readonly value: unknown } | YamlFault {
  const read = readYamlDocument(text, maxLength);
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
  maxLength: number,
): { readonly document: Document } | YamlFault {
  if (text.length > maxLength || hasManyMarks(text)) return { fault: 'too long to be read' };
  if (!QUOTED.test(text) && isDeep(text)) return { fault: 'nested too deep to be read' };
  try {
    const options = { strict: false, logLevel: 'silent', uniqueKeys: false, prettyErrors: false } as const;
    const document = parseDocument(text, options);
    const [error] = document.errors;
    return error ? { fault: invalid(error.message), offset: error.pos[0] } : { document };
  } catch (error) {
    return { fault: invalid(String(error)) };
  }
}

/** Enough for 5,000 redirects. The parser needs some 10 µs for each, and does not pause. */
const MAX_MARKS = 10_000;
const MARK = /[\r\n,:?!&*"'[\]{}%#]|-(?=\s)/g;

function hasManyMarks(text: string): boolean {
  if (text.length <= MAX_MARKS) return false;
  const marks = text.matchAll(MARK);
  for (let count = 0; count <= MAX_MARKS; count++) if (marks.next().done) return false;
  return true;
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
  const indents: number[] = [];
  for (const [, indent = ''] of text.matchAll(/^([ \t]*)\S/gm)) {
    while ((indents.at(-1) ?? -1) >= indent.length) indents.pop();
    indents.push(indent.length);
    if (indents.length > MAX_NESTING) return true;
  }
  return ENTRIES_IN_ENTRIES.test(text);
}
