/** Of a line: short lines are blocks, which cost more than their characters do. */
const CHARACTERS_PER_LINE = 10;

/** The measure of a text that decides where it is processed. */
export function sizeOfText(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.length + lines * CHARACTERS_PER_LINE;
}
