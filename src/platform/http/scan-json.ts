import { badRequest, tooLarge } from '../api/errors.ts';
import type { JsonLimits } from '../api/operation.ts';

/** A large value in the bytes of a JSON text, from `start` to before `end`. */
export interface LargeValue {
  readonly start: number;
  readonly end: number;
  /** Where a string can be divided: neither inside an escape nor inside a character. Undefined: an object to leave unparsed. */
  readonly cuts?: readonly number[];
}

const MAX_DEPTH = 100;
const LARGE = 16 * 1024;
/** Takes a few milliseconds to parse, whatever it contains. */
export const PIECE = 1024 * 1024;
/** JSON.parse takes up to 150 ms for this, if it is names and escapes of characters beyond Latin-1. */
const MAX_REST_MB = 8;
const MAX_REST = MAX_REST_MB * 1024 * 1024;
/** Strings of this length are large where the body is: many pages of a few kilobytes are no short values. */
const LARGE_OF_MANY = 2 * 1024;

/**
 * Finds the large values, and limits depth and number of the others. They are counted on the bytes: a parsed value costs
 * thirty times as much memory and could not be walked safely. Yields after each piece. Does not validate.
 */
export function* scanJson(bytes: Buffer, limits: JsonLimits): Generator<void, readonly LargeValue[], void> {
  const { path = [], values: maxUnparsed = 0 } = limits.unparsed ?? {};
  const large: LargeValue[] = [];
  const largeString = bytes.length > MAX_REST ? LARGE_OF_MANY : LARGE;
  /** By depth: members of the object; whether the current value is on the path to an unparsed one. */
  const members = new Uint32Array(MAX_DEPTH + 1);
  const isOnPath = new Uint8Array(MAX_DEPTH + 1).fill(path.length > 0 ? 1 : 0, 0, 1);
  let unparsed: { readonly start: number; readonly values: number; readonly large: number } | undefined;
  let depth = 0;
  let values = 0;
  /** Where the last string starts and ends. */
  let name = 0;
  let nameEnd = 0;
  let pause = PIECE;
  for (let i = 0; i < bytes.length; i++) {
    if (i >= pause) {
      yield;
      pause = i + PIECE;
    }
    switch (bytes[i]) {
      case QUOTE: {
        let end = endOfPiece(bytes, i + 1);
        const cuts: number[] = [];
        while (end < bytes.length && bytes[end] !== QUOTE) {
          cuts.push(end);
          yield;
          end = endOfPiece(bytes, end);
        }
        if (end >= bytes.length) throw badRequest('The body is not valid JSON: a string has no end.');
        if (end - i > largeString) large.push({ start: i, end: end + 1, cuts });
        name = i;
        nameEnd = i = end;
        break;
      }
      case OPEN_BRACE:
      case OPEN_BRACKET: {
        const isArray = bytes[i] === OPEN_BRACKET;
        if (!isArray && !unparsed && depth === path.length && isOnPath[depth] === 1)
          unparsed = { start: i, values, large: large.length };
        if (++depth > MAX_DEPTH) throw badRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`);
        members[depth] = 0;
        isOnPath[depth] = isArray && isOnPath[depth - 1] === 1 && path[depth - 1] === '*' ? 1 : 0;
        values++;
        break;
      }
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        if (unparsed && depth === path.length) {
          if (i - unparsed.start > LARGE) {
            large.splice(unparsed.large, Infinity, { start: unparsed.start, end: i + 1 });
            values = unparsed.values;
            // It cannot be a name, either.
            name = unparsed.start;
            nameEnd = i;
          }
          unparsed = undefined;
        }
        break;
      case COLON:
        if (nameEnd - name > largeString)
          throw tooLarge(`A name in the body is longer than ${largeString} bytes.`);
        if (!unparsed && isOnPath[depth - 1] === 1)
          isOnPath[depth] = isName(bytes, name, nameEnd, path[depth - 1]) ? 1 : 0;
        members[depth] = (members[depth] ?? 0) + 1;
        if ((members[depth] ?? 0) > limits.members) {
          throw tooLarge(`An object in the body has more than ${limits.members} members. ${limits.advice}`);
        }
        values++;
        break;
      case COMMA:
        values++;
        break;
    }
    if (unparsed) {
      if (values - unparsed.values > maxUnparsed)
        throw tooLarge(`${path.at(-1)} has more than ${maxUnparsed} values. ${limits.advice}`);
    } else if (values > limits.values) {
      throw tooLarge(`The body has more than ${limits.values} values. ${limits.advice}`);
    }
  }
  // Only a value that ends can be set apart: the rest would be parsed with all its values.
  if (unparsed) throw badRequest('The body is not valid JSON: a bracket is not closed.');
  const rest = large.reduce((left, { start, end }) => left - (end - start), bytes.length);
  if (rest > MAX_REST)
    throw tooLarge(`The body has more than ${MAX_REST_MB} MB of short values. ${limits.advice}`);
  return large;
}

/** The index of the closing quote, or of the first place after a piece where the string can be divided. */
function endOfPiece(bytes: Buffer, start: number): number {
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === QUOTE || (i - start >= PIECE && !isContinuation(byte))) return i;
    if (byte === BACKSLASH) i += bytes[i + 1] === LETTER_U ? 5 : 1;
  }
  return bytes.length;
}

/** A byte of a UTF-8 character other than its first one. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Long strings are not compared: an escape has six bytes for a character. */
function isName(bytes: Buffer, start: number, end: number, wanted = ''): boolean {
  if (end - start > 6 * wanted.length + 1) return false;
  try {
    return JSON.parse(bytes.toString('utf8', start, end + 1)) === wanted;
  } catch {
    return false;
  }
}

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
