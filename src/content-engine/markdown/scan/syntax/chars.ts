export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;

export const isSpace = (code: number): boolean => code === SPACE || code === TAB;
export const isBlankChar = (code: number): boolean =>
  code === SPACE || code === TAB || code === LF || code === CR;
export const isLineEnd = (code: number): boolean => code === LF || code === CR;
export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** ASCII punctuation, which a backslash may escape. */
export const isPunctuation = (code: number): boolean =>
  (code >= 33 && code <= 47) ||
  (code >= 58 && code <= 64) ||
  (code >= 91 && code <= 96) ||
  (code >= 123 && code <= 126);

const UNICODE_SPACE = /^\s/u;
const UNICODE_PUNCTUATION = /^[\p{P}\p{S}]/u;

/** Full-width and ideographic punctuation: `、。「」（）：！` */
const CJK_PUNCTUATION = /^[\u3001-\u303f\u30fb\ufe10-\ufe1f\ufe30-\ufe4f\uff01-\uff65\uffe0-\uffee]/;

/** Letters of scripts that are written without spaces beside emphasis, or whose exports have none. */
const UNSPACED_LETTER =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Arabic}]/u;

/**
 * Character classes of the flanking rules: 0 other, 1 whitespace or edge, 2 punctuation, 3 CJK punctuation, 4 CJK and
 * Arabic letters.
 */
export type FlankClass = 0 | 1 | 2 | 3 | 4;

function flankClass(text: string, at: number): FlankClass {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code) || isBlankChar(code)) return 1;
  if (code < 128) return isPunctuation(code) ? 2 : 0;
  const char = text.slice(at, at + 2);
  if (UNICODE_SPACE.test(char)) return 1;
  if (!UNICODE_PUNCTUATION.test(char)) return UNSPACED_LETTER.test(char) ? 4 : 0;
  return CJK_PUNCTUATION.test(char) ? 3 : 2;
}

/** Delimiters that may be between a delimiter run and the text: `**_~~`. */
const MAX_NESTED = 6;
const isDelimiter = (code: number): boolean => code === 42 || code === 95 || code === 126;

/** The class of the character at `at`. CJK punctuation after the delimiters of nested emphasis counts as adjacent. */
export function flankAfter(text: string, at: number, to: number): FlankClass {
  if (at >= to) return 1;
  const own = flankClass(text, at);
  if (own !== 2) return own;
  let inner = at;
  while (inner < to && inner - at < MAX_NESTED && isDelimiter(text.charCodeAt(inner))) inner++;
  return inner > at && inner < to && flankClass(text, inner) === 3 ? 3 : 2;
}

/** The class of the character before `at`. */
export function flankBefore(text: string, at: number, from: number): FlankClass {
  if (at <= from) return 1;
  const own = flankClass(text, startOfChar(text, at, from));
  if (own !== 2) return own;
  let inner = at;
  while (inner > from && at - inner < MAX_NESTED && isDelimiter(text.charCodeAt(inner - 1))) inner--;
  return inner < at && inner > from && flankClass(text, inner - 1) === 3 ? 3 : 2;
}

/** The start of the code point that ends at `at`. */
function startOfChar(text: string, at: number, from: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && at - 2 >= from ? at - 2 : at - 1;
}

/**
 * Whether emphasis may begin (or end) between a character outside and one inside it. CJK text has no spaces around
 * words, so CJK punctuation inside, and any punctuation beside CJK or Arabic letters outside, needs none, unlike in
 * CommonMark: `**練習：**試試看`, `**練習:**試試看`.
 */
export const mayFlank = (outside: FlankClass, inside: FlankClass): boolean =>
  inside !== 1 && (inside !== 2 || outside !== 0);

/** Whether an underscore between the two is not inside a word. */
export const endsWord = (outside: FlankClass, inside: FlankClass): boolean =>
  (outside !== 0 && outside !== 4) || inside === 3;

/** The text with line feeds as its only line ends. */
export const withLineFeeds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;

/** The end of [from, to) without trailing blanks. */
export function trimEnd(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isBlankChar(text.charCodeAt(end - 1))) end--;
  return end;
}

export function trimStart(text: string, from: number, to: number): number {
  let start = from;
  while (start < to && isBlankChar(text.charCodeAt(start))) start++;
  return start;
}

/**
 * `indexOf` that caches its last result per word: searches that start before it are free, and so are all searches after
 * one that failed.
 */
export class Finder {
  readonly #text: string;
  readonly #lower: boolean;
  readonly #found = new Map<string, { from: number; at: number }>();

  constructor(text: string, lower = false) {
    this.#text = text;
    this.#lower = lower;
  }

  get ignoresCase(): boolean {
    return this.#lower;
  }

  next(word: string, from: number): number {
    const known = this.#found.get(word);
    if (known && known.from <= from && (known.at >= from || known.at < 0)) return known.at;
    const at = this.#text.indexOf(word, from);
    this.#found.set(word, { from, at });
    return at;
  }
}
