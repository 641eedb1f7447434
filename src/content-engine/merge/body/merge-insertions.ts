import { presentVersions } from '../versions.ts';
import type { MergedBlock, Side, TextConflict } from './merged-block.ts';
import type { SourceBlock } from './source-block.ts';

type Blocks = readonly SourceBlock[];

/** The result for an insertion that was moved or has a match. Undefined: it is new, and on one side only. */
export type ResolveInsertion = (block: SourceBlock, side: Side) => readonly MergedBlock[] | undefined;

/**
 * Merges the insertions of both sides into one slot. A match is written once, and separates the insertions before it
 * from those after it.
 */
export function mergeInsertions(
  primary: Blocks,
  proposed: Blocks,
  matches: ReadonlyMap<SourceBlock, SourceBlock>,
  resolve: ResolveInsertion,
): MergedBlock[] {
  const indexes = new Map(proposed.map((block, index) => [block, index]));
  const mergedBlocks: (readonly MergedBlock[])[] = [];
  let [p, q] = [0, 0];
  for (const [index, block] of primary.entries()) {
    const match = matches.get(block);
    const matchIndex = match && indexes.get(match);
    if (matchIndex === undefined) continue;
    mergedBlocks.push(mergeUnmatched(primary.slice(p, index), proposed.slice(q, matchIndex), resolve));
    mergedBlocks.push(resolve(block, 'primary') ?? []);
    [p, q] = [index + 1, matchIndex + 1];
  }
  mergedBlocks.push(mergeUnmatched(primary.slice(p), proposed.slice(q), resolve));
  return mergedBlocks.flat();
}

/** Only new blocks conflict: a moved block would be lost with the version that is not chosen. */
function mergeUnmatched(
  primary: Blocks,
  proposed: Blocks,
  resolve: ResolveInsertion,
): readonly MergedBlock[] {
  const read = (blocks: Blocks, side: Side) =>
    blocks.map((block) => {
      const mergedBlocks = resolve(block, side);
      return { mergedBlocks: mergedBlocks ?? [mergedFrom(block, side)], isNew: mergedBlocks === undefined };
    });
  const [ofPrimary, ofProposed] = [read(primary, 'primary'), read(proposed, 'proposed')];
  const newIn = (list: typeof ofPrimary) =>
    list.flatMap(({ mergedBlocks, isNew }) => (isNew ? mergedBlocks : []));
  const [newPrimary, newProposed] = [newIn(ofPrimary), newIn(ofProposed)];
  const all = (list: typeof ofPrimary) => list.flatMap(({ mergedBlocks }) => mergedBlocks);
  if (newPrimary.length === 0 || newProposed.length === 0) {
    // A fixed order makes the result the same, whichever side is the primary one.
    const isFirst =
      newPrimary.length === newProposed.length
        ? isBefore(all(ofPrimary), all(ofProposed))
        : newPrimary.length === 0;
    return isFirst ? [...all(ofPrimary), ...all(ofProposed)] : [...all(ofProposed), ...all(ofPrimary)];
  }
  const conflict = presentVersions({
    ancestor: undefined,
    primary: textOf(newPrimary),
    proposed: textOf(newProposed),
  });
  const versionOf = (list: typeof ofPrimary, side: Side) =>
    list.flatMap(({ mergedBlocks, isNew }) =>
      isNew ? mergedBlocks.map((mergedBlock) => ({ ...mergedBlock, conflict, side })) : mergedBlocks,
    );
  return [...versionOf(ofPrimary, 'primary'), ...versionOf(ofProposed, 'proposed')];
}

const isBefore = (one: readonly MergedBlock[], other: readonly MergedBlock[]): boolean =>
  (textOf(one) ?? '') < (textOf(other) ?? '');

/** The longer text; of two equally long ones the greater. Symmetric. */
export const longer = (a: string, b: string): string => {
  if (a.length !== b.length) return a.length > b.length ? a : b;
  return a > b ? a : b;
};

export const mergedFrom = (block: SourceBlock, side: Side): MergedBlock => ({
  text: block.text,
  trail: block.trail,
  block,
  [side]: block,
});

/** An insertion that both sides have. */
export function mergedFromBoth(primary: SourceBlock, proposed: SourceBlock): MergedBlock {
  const text = longer(primary.text, proposed.text);
  const block = primary.text === text ? primary : proposed;
  return { text, block, trail: longer(primary.trail, proposed.trail), primary, proposed };
}

/** A conflict: both versions, the primary's first. */
export function conflictBlocks(
  ancestor: string | undefined,
  primary: readonly MergedBlock[],
  proposed: readonly MergedBlock[],
  isMoved = false,
): MergedBlock[] {
  const texts = presentVersions({ ancestor, primary: textOf(primary), proposed: textOf(proposed) });
  const conflict: TextConflict = isMoved ? { ...texts, moved: true } : texts;
  return [
    ...primary.map((mergedBlock) => ({ ...mergedBlock, conflict, side: 'primary' as const })),
    ...proposed.map((mergedBlock) => ({ ...mergedBlock, conflict, side: 'proposed' as const })),
  ];
}

/** Without the blank lines after the last block. */
const textOf = (mergedBlocks: readonly MergedBlock[]): string | undefined =>
  mergedBlocks.length === 0
    ? undefined
    : mergedBlocks
        .map(({ text, trail }, index) => (index < mergedBlocks.length - 1 ? text + trail : text))
        .join('');
