import { Failure } from './expression.ts';

export type Token =
  | { readonly type: 'number'; readonly value: number; readonly at: number }
  | { readonly type: 'string'; readonly value: string; readonly at: number }
  | { readonly type: 'name' | 'punctuator'; readonly value: string; readonly at: number }
  /** A template literal: `texts` has one element more than `values`. */
  | {
      readonly type: 'template';
      readonly texts: readonly string[];
      readonly values: readonly (readonly Token[])[];
      readonly at: number;
    };

/** Sticky patterns: each is matched at one offset. Longer alternatives come first. */
const SPACE = /[\s\ufeff]+/uy;
const NUMBER = /(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_$.])/uy;
const NAME = /[\p{L}_$][\p{L}\p{N}\p{M}_$]*/uy;
const PUNCTUATOR = /===|!==|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|[<>!?:+\-*/%()[\].,}]/uy;

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
};
const ESCAPE =
  /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|0(?!\d)|([^ux0-9\r\n\u2028\u2029]))/uy;

interface Read<T> {
  readonly value: T;
  readonly end: number;
}

export function tokenize(text: string): readonly Token[] {
  const { value, end } = readTokens(text, 0, false);
  if (end < text.length) throw new Failure('Unexpected }', end);
  return value;
}

/** Up to the end of the text, or to the closing brace of a template value. */
function readTokens(text: string, from: number, isInside: boolean): Read<Token[]> {
  const tokens: Token[] = [];
  let at = from;
  for (;;) {
    at += match(SPACE, text, at).length;
    if (at >= text.length) {
      if (isInside) throw new Failure('A } is missing', at);
      return { value: tokens, end: at };
    }
    if (text[at] === '}') return { value: tokens, end: at };
    const { value, end } = readToken(text, at, tokens.at(-1));
    tokens.push(value);
    at = end;
  }
}

function readToken(text: string, at: number, before: Token | undefined): Read<Token> {
  const first = text[at] ?? '';
  if (first === '"' || first === "'") {
    const { value, end } = readText(text, at + 1, first);
    return { value: { type: 'string', value, at }, end: end + 1 };
  }
  if (first === '`') return readTemplate(text, at);
  const number = match(NUMBER, text, at);
  if (number !== '') return { value: { type: 'number', value: Number(number), at }, end: at + number.length };
  const name = match(NAME, text, at);
  if (name !== '') return { value: { type: 'name', value: name, at }, end: at + name.length };
  const punctuator = match(PUNCTUATOR, text, at);
  // `++` and `--` are assignments in JavaScript, and must not be read as two signs.
  const isStep =
    (punctuator === '+' || punctuator === '-') && before?.at === at - 1 && isPunctuator(before, punctuator);
  if (punctuator === '' || isStep) throw new Failure(`Unexpected ${JSON.stringify(first)}`, at);
  return { value: { type: 'punctuator', value: punctuator, at }, end: at + punctuator.length };
}

export const isPunctuator = (token: Token | undefined, punctuator: string): boolean =>
  token?.type === 'punctuator' && token.value === punctuator;

/** Text up to one of the terminators; `end` is the offset of the terminator. */
function readText(text: string, from: number, ...ends: readonly string[]): Read<string> {
  let value = '';
  let at = from;
  while (at < text.length) {
    if (ends.some((end) => text.startsWith(end, at))) return { value, end: at };
    const char = text[at] ?? '';
    if (char === '\\') {
      const { value: escaped, end } = readEscape(text, at);
      value += escaped;
      at = end;
      continue;
    }
    if (char === '\n' && ends[0] !== '`') break;
    value += char;
    at++;
  }
  throw new Failure(`A ${ends[0]} is missing`, from - 1);
}

function readEscape(text: string, at: number): Read<string> {
  ESCAPE.lastIndex = at;
  const [whole, point, four, two, letter] = ESCAPE.exec(text) ?? [];
  const code = point ?? four ?? two;
  const number = code === undefined ? undefined : Number.parseInt(code, 16);
  if (whole === undefined || (number ?? 0) > 0x10ffff) throw new Failure('Unknown escape', at);
  const end = at + whole.length;
  if (number !== undefined) return { value: String.fromCodePoint(number), end };
  return { value: letter === undefined ? '\0' : (ESCAPES[letter] ?? letter), end };
}

function readTemplate(text: string, at: number): Read<Token> {
  const texts: string[] = [];
  const values: Token[][] = [];
  let from = at + 1;
  for (;;) {
    const { value, end } = readText(text, from, '`', '${');
    texts.push(value);
    if (text[end] === '`') return { value: { type: 'template', texts, values, at }, end: end + 1 };
    const inside = readTokens(text, end + 2, true);
    values.push(inside.value);
    from = inside.end + 1;
  }
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
