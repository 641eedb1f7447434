import { BODY_BUDGET, ComparisonBudget } from '../diff/index.ts';
import { align } from './body/align.ts';
import { containerShape, holdsBlocks, join, shapeOf, shapeOfMerged } from './body/merged-block.ts';
import type { MergedBlock } from './body/merged-block.ts';
import { readBody, type SourceBlock } from './body/source-block.ts';
import { isEqual } from './versions.ts';

type Blocks = readonly SourceBlock[];

/** The keys that are in neither body. */
export function unknownBlocks(before: string, after: string, keys: readonly string[]): string[] {
  const known = new Set([before, after].flatMap((body) => keysIn(readBody(body).blocks)));
  return keys.filter((key) => !known.has(key));
}

/**
 * Reverts the blocks with these keys to the body `before`: edits are undone, insertions removed, and deletions
 * restored beside their neighbours. Other blocks are unchanged. A key may be of either body; equal blocks of both can
 * share a key.
 */
export function revertBlocks(before: string, after: string, keys: ReadonlySet<string>): string {
  const [old, now] = [readBody(before), readBody(after)];
  const isReverted = (block: SourceBlock) => keys.has(block.key);
  const budget = new ComparisonBudget(BODY_BUDGET);
  const lineEnd = after.includes('\r\n') ? '\r\n' : '\n';
  const reverted = (revertsNested: boolean) => {
    const mergedBlocks = revertSiblings(old.blocks, now.blocks, {
      isReverted,
      revertsNested,
      lineEnd,
      budget,
    });
    if (mergedBlocks.length === 0) return { text: '', isParsedAsIntended: true };
    const end = (now.blocks.at(-1) ?? old.blocks.at(-1))?.trail ?? '';
    const text = now.lead + join(mergedBlocks, { lineEnd, end }).text;
    return {
      text,
      isParsedAsIntended: isEqual(shapeOf(readBody(text).blocks), mergedBlocks.flatMap(shapeOfMerged)),
    };
  };
  const inside = reverted(true);
  // A nested block that does not fit into its container is reverted with the whole container.
  return inside.isParsedAsIntended ? inside.text : reverted(false).text;
}

interface RevertContext {
  readonly isReverted: (block: SourceBlock) => boolean;
  /** Whether nested blocks are reverted one by one. */
  readonly revertsNested: boolean;
  readonly lineEnd: string;
  readonly budget: ComparisonBudget;
}

function revertSiblings(old: Blocks, now: Blocks, context: RevertContext): MergedBlock[] {
  const { pairs, moved } = align(old, now, context.budget);
  const origins = new Map(Array.from(moved, ([before, after]) => [after, before]));
  const isEither = (block: SourceBlock, partner: SourceBlock | undefined) =>
    isAffected(block, context) || (partner !== undefined && isAffected(partner, context));
  const mergedBlocks: MergedBlock[] = [];
  let [fromOld, fromNow] = [0, 0];
  const places = [...pairs].map(([before, after]) => [before, after, before.index, after.index] as const);
  for (const [before, after, o, n] of [...places, [undefined, undefined, old.length, now.length] as const]) {
    // Between two paired blocks, deletions and insertions alternate.
    const [deleted, inserted] = [old.slice(fromOld, o), now.slice(fromNow, n)];
    for (let index = 0; index < Math.max(deleted.length, inserted.length); index++) {
      const [deletion, insertion] = [deleted[index], inserted[index]];
      if (deletion !== undefined && isEither(deletion, moved.get(deletion)))
        mergedBlocks.push({ ...deletion, block: deletion, proposed: deletion });
      if (insertion !== undefined) {
        const mustRevert = isEither(insertion, origins.get(insertion));
        mergedBlocks.push(...(mustRevert ? revertInsertion(insertion, context) : [unchanged(insertion)]));
      }
    }
    if (before !== undefined && after !== undefined) mergedBlocks.push(revertPair(before, after, context));
    [fromOld, fromNow] = [o + 1, n + 1];
  }
  return mergedBlocks;
}

const unchanged = (block: SourceBlock, proposed?: SourceBlock): MergedBlock => ({
  text: block.text,
  trail: block.trail,
  block,
  primary: block,
  ...(proposed && { proposed }),
});

/** Whether the block or one of its descendants is to be reverted. */
const isAffected = (block: SourceBlock, context: RevertContext): boolean =>
  context.isReverted(block) || block.blocks.some((inner) => isAffected(inner, context));

function revertPair(before: SourceBlock, after: SourceBlock, context: RevertContext): MergedBlock {
  if (!isAffected(before, context) && !isAffected(after, context)) return unchanged(after, before);
  const isWhole = context.isReverted(before) || context.isReverted(after);
  const inside = isWhole ? undefined : revertInside(before, after, before.blocks, context);
  return inside ?? { text: before.text, trail: after.trail, block: before, primary: after, proposed: before };
}

/** An inserted block without its descendants that are reverted. Empty: the block itself is reverted. */
function revertInsertion(block: SourceBlock, context: RevertContext): MergedBlock[] {
  const inside = context.isReverted(block) ? undefined : revertInside(block, block, [], context);
  return inside === undefined ? [] : [inside];
}

/** Undefined: the block can be reverted only as a whole. */
function revertInside(
  before: SourceBlock,
  after: SourceBlock,
  old: Blocks,
  context: RevertContext,
): MergedBlock | undefined {
  const { kind } = after;
  if (!context.revertsNested || !holdsBlocks(before) || !holdsBlocks(after) || before.kind !== kind) return;
  // The marker of an item decides the indentation of its lines: lines of another item do not fit.
  if (kind === 'list-item' && before.head !== after.head) return;
  const mergedBlocks = revertSiblings(old, after.blocks, context);
  if (mergedBlocks.length === 0) return;
  const end = after.blocks.at(-1)?.trail ?? '';
  const { text } = join(mergedBlocks, { lineEnd: context.lineEnd, end });
  return {
    text: after.head + text + after.tail,
    trail: after.trail,
    primary: after,
    ...(before === after ? {} : { proposed: before }),
    shape: containerShape(kind, mergedBlocks.flatMap(shapeOfMerged)),
  };
}

const keysIn = (blocks: Blocks): string[] => blocks.flatMap(({ key, blocks }) => [key, ...keysIn(blocks)]);
