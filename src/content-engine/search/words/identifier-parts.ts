/** A part of an identifier: its range, and the number of smallest parts before it. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly place: number;
}

/** An identifier with more parts is a hash or an encoded value, whose parts are no words. */
const MAX_PARTS = 12;

/**
 * Splits an identifier by case (`Http2Server`: http2, server), then at digits (http, 2). In order of their places,
 * with a part before the parts that it contains. Empty for a plain word.
 */
export function partsOf(token: string): Part[] {
  const starts = [0];
  for (let at = 1; at < token.length; at++) {
    if (isPartStart(token, at) && starts.push(at) > MAX_PARTS) return [];
  }
  if (starts.length === 1) return [];
  const endOf = (place: number, isStart: IsStart): number =>
    starts.find((at, other) => other > place && isStart(token, at)) ?? token.length;
  const parts: Part[] = [];
  starts.forEach((start, place) => {
    // The whole identifier is not a part.
    let last = start === 0 ? token.length : Infinity;
    const add = (end: number) => {
      if (end < last) parts.push({ start, end, place });
      last = Math.min(last, end);
    };
    // `OAuth` and `iPhone` are also one word: they begin with a single letter.
    if (start === 0 && endOf(0, isCaseStart) === 1) add(endOf(1, isCaseStart));
    for (const isStart of LEVELS) if (start === 0 || isStart(token, start)) add(endOf(place, isStart));
  });
  return parts;
}

type IsStart = (token: string, at: number) => boolean;

/** Whether a part begins here, after the first character. */
export const isPartStart: IsStart = (token, at) =>
  isCaseStart(token, at) || isDigit(token, at - 1) !== isDigit(token, at);

/** `aB`, `1B`, and the last capital of `HTTPServer`; not the plural of `APIs`. */
function isCaseStart(token: string, at: number): boolean {
  if (!isUpper(token, at)) return false;
  if (!isUpper(token, at - 1)) return true;
  return isLower(token, at + 1) && !(token[at + 1] === 's' && !isLower(token, at + 2));
}

/** Whether a part begins here, from the coarsest splitting to the finest. */
const LEVELS: readonly IsStart[] = [
  isCaseStart,
  (token, at) => isCaseStart(token, at) || (isDigit(token, at - 1) && !isDigit(token, at)),
  isPartStart,
];

function isUpper(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 0x80 ? code >= 65 && code <= 90 : UPPER.test(text.charAt(at));
}

function isLower(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 0x80 ? code >= 97 && code <= 122 : LOWER.test(text.charAt(at));
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 0x80 ? code >= 48 && code <= 57 : DIGIT.test(text.charAt(at));
}

const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
const DIGIT = /\p{N}/u;
