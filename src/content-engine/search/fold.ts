/**
 * Case, accents and width do not matter to who searches. Every code unit becomes exactly one code unit, so that a place
 * found in the folded text is the same place in the text itself. Expects what `composed` answers.
 */
export const fold = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.replaceAll(FOLDABLE, foldUnit);

/** Accented letters as one character each, and only what a database can hold: no NUL, no half characters. */
export const composed = (text: string): string =>
  isAscii(text) ? text.replaceAll('\u0000', ' ') : text.replaceAll(NO_CHARACTER, '\ufffd').normalize('NFC');

export const isAscii = (text: string): boolean => ASCII.test(text);

// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;
// oxlint-disable-next-line no-control-regex -- the one that is meant
const NO_CHARACTER = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Latin, Greek, Cyrillic and Armenian, and wide or narrow forms. In other scripts a mark makes another letter. */
const FOLDABLE = /[A-Z\u00a0-\u058f\u1e00-\u1fff\u2c60-\u2c7f\ua720-\ua7ff\uff00-\uffef]/g;

/** Letters that Unicode does not take apart, but that people type as these. */
const TYPED_AS: Readonly<Record<string, string>> = { ø: 'o', đ: 'd', ł: 'l', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ' };

const known = new Map<string, string>();

function foldUnit(unit: string): string {
  let result = known.get(unit);
  if (result === undefined) {
    const letter = unit.normalize('NFKD').charAt(0).toLowerCase();
    const isLetter = /^[\p{L}\p{N}]$/u.test(letter);
    result = isLetter ? (TYPED_AS[letter] ?? letter) : unit;
    known.set(unit, result);
  }
  return result;
}
