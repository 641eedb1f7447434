import type { BlockRange } from '../../markdown/index.ts';
import { mergedFrom } from './merge-insertions.ts';
import { join, type MergedBlock } from './merged-block.ts';
import { readBody, trimBlank, type SourceBlock } from './source-block.ts';

/**
 * A body without the blocks with these keys, at any level. The body and every remaining block keep their trailing
 * blank lines: the blank line after a list does not belong to its last item.
 */
export function withoutBlocks(body: string, keys: ReadonlySet<string>): string {
  const { lead, blocks } = readBody(body);
  const lineEnd = body.includes('\r\n') ? '\r\n' : '\n';
  const joined = (blocks: readonly SourceBlock[], mergedBlocks: readonly MergedBlock[]): string =>
    join(mergedBlocks, { lineEnd, end: blocks.at(-1)?.trail ?? '' }).text;
  const remainingIn = (blocks: readonly SourceBlock[]): MergedBlock[] =>
    blocks
      .filter(({ key }) => !keys.has(key))
      .flatMap((block) => {
        const mergedBlock = mergedFrom(block, 'primary');
        const inner = remainingIn(block.blocks);
        if (
          inner.length === block.blocks.length &&
          inner.every(({ text }, at) => text === block.blocks[at]?.text)
        )
          return [mergedBlock];
        if (inner.length === 0 && block.kind.startsWith('list-')) return [];
        // A table without rows ends with its head.
        return [{ ...mergedBlock, text: trimBlank(block.head + joined(block.blocks, inner) + block.tail) }];
      });
  const mergedBlocks = remainingIn(blocks);
  return mergedBlocks.length === 0 ? '' : lead + joined(blocks, mergedBlocks);
}

/** All blocks by key, nested ones included. */
export function blocksByKey(
  ranges: readonly BlockRange[],
  index = new Map<string, BlockRange>(),
): Map<string, BlockRange> {
  for (const range of ranges) {
    index.set(range.key, range);
    blocksByKey(range.children, index);
  }
  return index;
}

/** The text of the blocks with these keys, in document order. A block inside another of them is not repeated. */
export function textOfBlocks(
  body: string,
  blocks: ReadonlyMap<string, BlockRange>,
  keys: Iterable<string>,
): string {
  const ranges = Array.from(keys, (key) => blocks.get(key)).filter((range) => range !== undefined);
  const texts: string[] = [];
  let textEnd = -1;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < textEnd) continue;
    texts.push(trimBlank(body.slice(start, end)));
    textEnd = end;
  }
  return texts.join('\n\n');
}
