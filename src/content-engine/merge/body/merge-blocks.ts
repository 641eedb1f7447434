import type { ComparisonBudget } from '../../diff/index.ts';
import { mapVersions, trivialMerge, type Versions } from '../versions.ts';
import { alignListItems } from './align-list-items.ts';
import { findInsertions } from './find-insertions.ts';
import {
  conflictBlocks,
  longer,
  mergeInsertions,
  mergedFrom,
  mergedFromBoth,
  type ResolveInsertion,
} from './merge-insertions.ts';
import type { MergedBlock, Side } from './merged-block.ts';
import type { SourceBlock } from './source-block.ts';

type Blocks = readonly SourceBlock[];

export type MergedContent = Pick<MergedBlock, 'text' | 'shape' | 'marks'>;

/** Merges a block that both sides edited. Undefined: a conflict. */
export type MergeEdits = (versions: Versions<SourceBlock>) => MergedContent | undefined;

/** Merges the blocks of one container or body: their places, and the blocks that both sides edited. */
export function mergeBlocks(
  all: Versions<Blocks>,
  mergeEdits: MergeEdits,
  budget: ComparisonBudget,
): MergedBlock[] {
  const { blocks, sides } = alignListItems(all, budget);
  const { slots, matches, contested } = findInsertions(blocks, sides, budget);
  const find = (ancestor: SourceBlock): BlockVersions => ({
    ancestor,
    primary: sides.primary.pairs.get(ancestor) ?? sides.primary.moved.get(ancestor),
    proposed: sides.proposed.pairs.get(ancestor) ?? sides.proposed.moved.get(ancestor),
  });
  const contestedBlocks = new Map<SourceBlock, MergedBySide>();
  const resolve: ResolveInsertion = (block, side) => {
    const origin = sides[side].origins.get(block);
    if (origin !== undefined && contested.has(block)) {
      const both = contestedBlocks.get(origin) ?? mergeContested(find(origin), mergeEdits);
      contestedBlocks.set(origin, both);
      return both[side];
    }
    if (origin !== undefined) return mergeMoved(find(origin), mergeEdits);
    const match = matches.get(block);
    return match && [side === 'primary' ? mergedFromBoth(block, match) : mergedFromBoth(match, block)];
  };
  const inserted = (slot: number) =>
    mergeInsertions(slots.primary[slot] ?? [], slots.proposed[slot] ?? [], matches, resolve);
  const mergedBlocks = [inserted(0)];
  for (const [index, block] of blocks.ancestor.entries()) {
    const isMoved = sides.primary.moved.has(block) || sides.proposed.moved.has(block);
    if (!isMoved) mergedBlocks.push(mergeBlock(find(block), mergeEdits));
    mergedBlocks.push(inserted(index + 1));
  }
  return mergedBlocks.flat();
}

interface BlockVersions {
  readonly ancestor: SourceBlock;
  readonly primary: SourceBlock | undefined;
  readonly proposed: SourceBlock | undefined;
}

/** A moved block takes the edits of the other side with it. If the other side deleted it, it is a conflict. */
const mergeMoved = (versions: BlockVersions, mergeEdits: MergeEdits): MergedBlock[] =>
  versions.primary && versions.proposed ? mergeBlock(versions, mergeEdits) : editOrDelete(versions);

type MergedBySide = Readonly<Record<Side, readonly MergedBlock[]>>;

/**
 * A block that each side moved to another place: a conflict whose versions are in these places. The edits of both sides
 * are merged into both versions, so that choosing a place loses no words. If the edits conflict too, one choice
 * resolves place and text.
 */
function mergeContested(versions: BlockVersions, mergeEdits: MergeEdits): MergedBySide {
  const [merged, ...more] = mergeBlock(versions, mergeEdits);
  const isMerged = more.length === 0 && merged?.conflict === undefined && merged?.marks === undefined;
  const versionOf = (side: Side): MergedBlock[] => {
    const block = versions[side];
    if (isMerged && merged !== undefined) return [merged];
    return block === undefined ? [] : [mergedFrom(block, side)];
  };
  const mergedBlocks = conflictBlocks(
    versions.ancestor.text,
    versionOf('primary'),
    versionOf('proposed'),
    true,
  );
  const blocksOf = (own: Side) => mergedBlocks.filter(({ side }) => side === own);
  return { primary: blocksOf('primary'), proposed: blocksOf('proposed') };
}

/** A conflict between an edit and a deletion. */
function editOrDelete({ ancestor, primary, proposed }: BlockVersions): MergedBlock[] {
  const blocksOf = (block: SourceBlock | undefined, side: Side) => (block ? [mergedFrom(block, side)] : []);
  return conflictBlocks(ancestor.text, blocksOf(primary, 'primary'), blocksOf(proposed, 'proposed'));
}

function mergeBlock({ ancestor, primary, proposed }: BlockVersions, mergeEdits: MergeEdits): MergedBlock[] {
  if (primary === undefined || proposed === undefined) {
    const remaining = primary ?? proposed;
    const isUnedited = remaining === undefined || remaining.matchKey === ancestor.matchKey;
    return isUnedited ? [] : editOrDelete({ ancestor, primary, proposed });
  }
  const versions = { ancestor, primary, proposed };
  const trails = mapVersions(versions, ({ trail }) => trail);
  const trail = trivialMerge(trails)?.value ?? longer(trails.primary, trails.proposed);
  const same = trivialMerge(versions, (a, b) => a.matchKey === b.matchKey);
  if (same !== undefined) {
    const block = primary.matchKey === proposed.matchKey ? mergeNumber(versions) : same.value;
    return [{ text: block.text, trail, block, primary, proposed }];
  }
  const merged = mergeEdits(versions);
  if (merged !== undefined) return [{ ...merged, trail, primary, proposed }];
  return conflictBlocks(ancestor.text, [mergedFrom(primary, 'primary')], [mergedFrom(proposed, 'proposed')]);
}

/** Merges blocks that differ in their list number at most. */
function mergeNumber({ ancestor, primary, proposed }: Versions<SourceBlock>): SourceBlock {
  const text = trivialMerge({
    ancestor: ancestor.text,
    primary: primary.text,
    proposed: proposed.text,
  })?.value;
  return (text ?? longer(primary.text, proposed.text)) === primary.text ? primary : proposed;
}
