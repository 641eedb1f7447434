import type { BlockNode, BlockType } from '../../document/index.ts';
import type { TokenKind } from '../scan/token.ts';
import { readCallout, readQuoteOrCallout } from './callouts.ts';
import { code, readCode } from './code.ts';
import { containers } from './containers.ts';
import { expandable, readExpandable } from './expandable.ts';
import { images, readHtml } from './html.ts';
import type { BlockWriter, MarkdownBlock, MarkdownBlocks, ReadBlock, Tag } from './kind.ts';
import { lists, readList } from './lists.ts';
import { references } from './references.ts';
import { readPipeTable, tables } from './table.ts';
import { readDivider, readHeading, readMath, text } from './text.ts';

/** All blocks by their type. */
const BLOCKS: MarkdownBlocks = {
  ...text,
  ...lists,
  ...code,
  ...containers,
  expandable,
  ...images,
  ...references,
  ...tables,
};

/** One block as Markdown. */
export function writeBlock(writer: BlockWriter, block: BlockNode): string {
  // TypeScript does not relate the writer to the type of its block.
  const { write } = BLOCKS[block.type] as MarkdownBlock<BlockType>;
  return write(writer, block);
}

/** All tags by their name. */
export const TAGS: ReadonlyMap<string, Tag> = new Map(
  Object.values(BLOCKS).flatMap((block) => Object.entries(block.tags ?? {})),
);

/** Readers of plain Markdown, by the kind of their token. */
export const READERS = {
  heading: readHeading,
  list: readList,
  quote: readQuoteOrCallout,
  directive: readCallout,
  admonition: readCallout,
  divider: readDivider,
  fence: readCode,
  indented: readCode,
  math: readMath,
  pipe: readPipeTable,
  html: readHtml,
  details: readExpandable,
} as const satisfies Partial<Record<TokenKind, ReadBlock>>;
