/** Of a line, a link and a cell: as blocks and inlines, short ones cost more than their characters do. */
const CHARACTERS_EACH = 10;
const COUNTED = ['\n', '[', '|'];

declare const isSize: unique symbol;

/** The measure of work that decides where it runs. A type of its own, because the length of a text is not its size. */
export type Size = number & { readonly [isSize]: true };

export const sizeOfText = (...texts: string[]): Size =>
  sizeOfCharacters(texts.reduce((size, text) => size + sizeOf(text), 0));

/** Of input whose characters alone cost, such as JSON. */
export const sizeOfCharacters = (count: number): Size => count as Size;

export const totalOf = (sizes: readonly Size[]): Size =>
  sizeOfCharacters(sizes.reduce<number>((sum, size) => sum + size, 0));

const sizeOf = (text: string): number =>
  COUNTED.reduce((size, sign) => size + countOf(text, sign) * CHARACTERS_EACH, text.length);

function countOf(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count += 1;
  return count;
}
