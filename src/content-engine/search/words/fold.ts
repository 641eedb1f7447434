import { normalize } from '../../normalize.ts';

/**
 * Removes differences of case, accents and width. Every code unit becomes exactly one code unit, so that offsets in
 * the folded text are valid in the original. Expects a text from `composed`.
 */
export const fold = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.replaceAll(FOLDABLE, foldUnit);

/** Normalises to NFC, and replaces what the database cannot store: NUL and lone surrogates. */
export const composed = (text: string): string =>
  isAscii(text) ? text.replaceAll('\u0000', ' ') : normalize(text.replaceAll(NOT_STORABLE, '\ufffd'));

export const isAscii = (text: string): boolean => ASCII.test(text);

// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;
// oxlint-disable-next-line no-control-regex -- NUL is meant
const NOT_STORABLE = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Latin, Greek, Cyrillic and Armenian, and full-width or half-width forms. In other scripts, marks are significant.
 */
const FOLDABLE = /[A-Z\u00a0-\u058f\u1e00-\u1fff\u2c60-\u2c7f\ua720-\ua7ff\uff00-\uffef]/g;

/** Letters without a Unicode decomposition that people type as these. */
const TYPED_AS: Readonly<Record<string, string>> = { ø: 'o', đ: 'd', ł: 'l', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ' };

const foldCache = new Map<string, string>();

function foldUnit(unit: string): string {
  let result = foldCache.get(unit);
  if (result === undefined) {
    const letter = unit.normalize('NFKD').charAt(0).toLowerCase();
    const isLetter = /^[\p{L}\p{N}]$/u.test(letter);
    result = isLetter ? (TYPED_AS[letter] ?? letter) : unit;
    foldCache.set(unit, result);
  }
  return result;
}
