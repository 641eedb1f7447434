/** The beginning of a text that is repeated elsewhere on the page. Never cut inside a character. */
export const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;
