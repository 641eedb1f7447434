/**
 * A run of combining marks that no language has: Unicode's stream-safe format allows 30. The half-width voicing marks are
 * letters that decompose to marks.
 */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{31}/u;

/**
 * `text.normalize(form)`. A text with a long run of marks stays as it is: putting 40,000 marks in order takes 10 s, and the
 * time grows with the square of their number.
 */
export const normalize = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string =>
  text.length > 30 && LONG_RUN.test(text) ? text : text.normalize(form);
