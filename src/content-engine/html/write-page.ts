import { documentOfBlocks, plainText, type BlockNode, type HrefOf } from '../document/index.ts';
import { toMarkdown, updateFrontmatter, updateTitle } from '../markdown/index.ts';

/** The file of a page, and its body, which is the end of the file. */
export function writePage(
  title: string,
  description: string | undefined,
  blocks: BlockNode[],
  hrefOf: HrefOf,
): { readonly markdown: string; readonly body: string } {
  const body = toMarkdown(documentOfBlocks(blocks), { hrefOf });
  const titled = updateTitle('', title) + (body === '' ? '' : `\n${body}`);
  return { markdown: description === undefined ? titled : updateFrontmatter(titled, { description }), body };
}

const MAX_DESCRIPTION = 1000;

/** The description of a page, unless it only repeats the beginning of the text. */
export function usefulDescription(
  description: string | undefined,
  title: string,
  blocks: BlockNode[],
): string | undefined {
  if (description === undefined || description.length > MAX_DESCRIPTION) return undefined;
  const words = (text: string): string =>
    text
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .toLowerCase();
  const start = words(description).slice(0, 80);
  const text = words(plainText(documentOfBlocks(blocks)).slice(0, 4 * MAX_DESCRIPTION));
  return start === '' || start === words(title) || text.includes(start) ? undefined : description;
}
