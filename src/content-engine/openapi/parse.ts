import { Lexer, LineCounter, parseDocument } from 'yaml';
import { isIndentedDeeper } from '../yaml.ts';
import { SpecificationError } from './specification-error.ts';

export type JsonObject = { [key: string]: unknown };

/** Nested schemas of real specifications have some 60 levels; deeper ones would overflow the stacks of those who read them. */
const MAX_DEPTH = 200;
const MAX_ALIASES = 1_000;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON or YAML into an object. `name`: of the file, for messages. */
export function parseFile(text: string, name: string): JsonObject {
  const source = text.replace(/^\uFEFF/, '');
  const value = /^\s*[{[]/.test(source) ? parseJson(source, name) : parseYaml(source, name);
  if (!isObject(value))
    throw new SpecificationError('PARSE_ERROR', `${name} is not an object in JSON or YAML${hint(source)}.`);
  requireShallow(value, name);
  return value;
}

const hint = (source: string): string =>
  /^\s*<(!doctype|html|\?xml)/i.test(source)
    ? ', but a page in HTML or XML: give the URL of the file itself'
    : '';

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Flow collections of YAML begin like JSON.
    const read = tryYaml(text);
    if (read && 'value' in read) return read.value;
    throw new SpecificationError(
      'PARSE_ERROR',
      `${name} is not valid JSON: ${placed(String((error as Error).message), text)}.`,
    );
  }
}

/** The message of JSON.parse has a position; people look for lines. */
function placed(message: string, text: string): string {
  const at = /position (\d+)/.exec(message)?.[1];
  const what = message.replace(/ in JSON at position.*$/, '').replace(/, "[\s\S]*$/, '');
  return at === undefined ? what : `line ${text.slice(0, Number(at)).split('\n').length}: ${what}`;
}

function parseYaml(text: string, name: string): unknown {
  const read = tryYaml(text);
  if (read && 'value' in read) return read.value;
  throw new SpecificationError(
    'PARSE_ERROR',
    `${name} is not valid YAML: ${read?.fault ?? 'nested too deep'}.`,
  );
}

function tryYaml(text: string): { readonly value: unknown } | { readonly fault: string } | undefined {
  if (isIndentedDeeper(text, MAX_DEPTH) || hasDeepFlow(text)) return undefined;
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      logLevel: 'silent',
      prettyErrors: false,
      uniqueKeys: false,
    });
    const [error] = document.errors;
    if (error) return { fault: `line ${lines.linePos(error.pos[0]).line}: ${firstLine(error.message)}` };
    // Through JSON: dates, binary data and cycles by aliases have no place in a specification.
    return { value: JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES }) ?? null)) };
  } catch (error) {
    return { fault: firstLine(String((error as Error).message)) };
  }
}

/** Brackets in brackets, by the lexer, which is not recursive as the parser is. Brackets in texts are not tokens. */
function hasDeepFlow(text: string): boolean {
  let depth = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

const firstLine = (message: string): string =>
  (message.split('\n')[0] ?? '').replace(/[.:]$/, '').slice(0, 200);

function requireShallow(root: JsonObject, name: string): void {
  let level: object[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw new SpecificationError('PARSE_ERROR', `${name} is nested more than ${MAX_DEPTH} levels deep.`);
    level = level.flatMap((value) =>
      Object.values(value).filter((child) => typeof child === 'object' && child !== null),
    );
  }
}
