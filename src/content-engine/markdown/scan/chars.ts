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

/** Character classes of the flanking rules: 0 other, 1 whitespace or edge, 2 punctuation. */
export function flankClass(text: string, at: number): 0 | 1 | 2 {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code) || isBlankChar(code)) return 1;
  if (code < 128) return isPunctuation(code) ? 2 : 0;
  const char = text.slice(at, at + 2);
  if (UNICODE_SPACE.test(char)) return 1;
  return UNICODE_PUNCTUATION.test(char) ? 2 : 0;
}

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
 * `indexOf` that remembers its last answer for each word, so that many searches that start before it cost one. A search
 * that fails once costs nothing from then on.
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
