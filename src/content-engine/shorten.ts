/** The beginning of a text where it is only named. Never cut inside a character. */
export const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;
