import { normalize } from '../../content-engine/normalize.ts';

const MAX_LENGTH = 100;
/** A telephone or customer number. */
const MAX_DIGITS = 6;

/**
 * A search as it is counted: equal searches in one form. Empty for a text that may be about a person (an address, a
 * number) or is no query: it is counted, and its text is not stored.
 */
export function normaliseQuery(query: string): string {
  const text = normalize(query)
    .toLowerCase()
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  const digits = text.replaceAll(/\D/g, '').length;
  if (text.includes('@') || digits > MAX_DIGITS) return '';
  return [...text].slice(0, MAX_LENGTH).join('').trim();
}
