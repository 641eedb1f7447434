/** Of a line, a link and a cell: as blocks and inlines, short ones cost more than their characters do. */
const CHARACTERS_EACH = 10;
const COUNTED = ['\n', '[', '|'];

/** The measure of a text that decides where it is processed. */
export const sizeOfText = (text: string): number =>
  COUNTED.reduce((size, sign) => size + countOf(text, sign) * CHARACTERS_EACH, text.length);

function countOf(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count += 1;
  return count;
}
