/** A part of an identifier: where it begins in the identifier, and how many of the smallest parts come before it. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly place: number;
}

/** An identifier with more parts is a hash or an encoded value, and its parts are no words. */
const MAX_PARTS = 12;

/**
 * The parts of an identifier in the spelling of its author: by case (`Http2Server`: http2, server), then at digits
 * (http, 2). In the order of their places, a part before those that it contains. Empty for a plain word.
 */
export function partsOf(token: string): Part[] {
  const all: Span = { start: 0, end: token.length };
  const smallest = pieces(token, all, isPartStart);
  if (smallest.length === 1 || smallest.length > MAX_PARTS) return [];
  const byCase = pieces(token, all, isCaseStart);
  const atDigits = byCase.flatMap((part) => pieces(token, part, isAfterDigits));
  const places = new Map(smallest.map(({ start }, place) => [start, place]));
  const seen = new Set([`${all.start} ${all.end}`]);
  return [...joinedLetter(byCase), ...byCase, ...atDigits, ...smallest]
    .filter(({ start, end }) => !seen.has(`${start} ${end}`) && seen.add(`${start} ${end}`))
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .map(({ start, end }) => ({ start, end, place: places.get(start) ?? 0 }));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

type IsStart = (token: string, at: number) => boolean;

function pieces(token: string, { start, end }: Span, isStart: IsStart): Span[] {
  const found: Span[] = [];
  let from = start;
  for (let at = start + 1; at <= end; at++) {
    if (at < end && !isStart(token, at)) continue;
    found.push({ start: from, end: at });
    from = at;
  }
  return found;
}

/** `OAuth` and `iPhone` are read as one word too, where a single letter comes first. */
function joinedLetter([first, second]: readonly Span[]): Span[] {
  return first && second && first.end - first.start === 1 ? [{ start: first.start, end: second.end }] : [];
}

/** Whether a part of an identifier begins here, behind its first character. */
export const isPartStart: IsStart = (token, at) =>
  isCaseStart(token, at) || isDigit(token, at - 1) !== isDigit(token, at);

const isAfterDigits: IsStart = (token, at) => isDigit(token, at - 1) && !isDigit(token, at);

/** `aB`, `1B`, and the last capital of `HTTPServer`; not the plural of `APIs`. */
function isCaseStart(token: string, at: number): boolean {
  if (!isUpper(token, at)) return false;
  if (!isUpper(token, at - 1)) return true;
  return isLower(token, at + 1) && !(token[at + 1] === 's' && !isLower(token, at + 2));
}

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
