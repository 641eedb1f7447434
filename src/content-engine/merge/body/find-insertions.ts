import { pairUp, type ComparisonBudget } from '../../diff/index.ts';
import type { Versions } from '../versions.ts';
import { findMoved } from './align.ts';
import type { SideAlignments } from './align-sides.ts';
import type { Side } from './merged-block.ts';
import type { SourceBlock } from './source-block.ts';

type Blocks = readonly SourceBlock[];

/** Blocks of both sides that are not in a place of the ancestor: new ones and moved ones. */
export interface Insertions {
  /** Insertions by slot: before the first block of the ancestor, then after each block of the ancestor. */
  readonly slots: Readonly<Record<Side, readonly Blocks[]>>;
  /**
   * Insertions of one side → the same insertion of the other, in both directions. Only one of the two is in `slots`.
   */
  readonly matches: ReadonlyMap<SourceBlock, SourceBlock>;
  /** Blocks of both sides that both sides moved, but to different places. Both places are in `slots`. */
  readonly contested: ReadonlySet<SourceBlock>;
}

/** An insertion that can match an insertion of the other side: one with the same key. */
interface Candidate {
  readonly block: SourceBlock;
  readonly slot: number;
  /** The number of blocks before it that both sides left in place. */
  readonly section: number;
  readonly matchKey: string;
  readonly isMoved: boolean;
}

/**
 * Finds the insertions of both sides and matches them: blocks that both sides moved, and identical insertions that lie
 * between the same unchanged blocks. Further apart, an insertion below one heading would be lost to an equal one below
 * another heading.
 */
export function findInsertions(
  { ancestor, primary, proposed }: Versions<Blocks>,
  sides: SideAlignments,
  budget: ComparisonBudget,
): Insertions {
  const slots = {
    primary: slotsOf(ancestor, primary, sides.primary.pairs),
    proposed: slotsOf(ancestor, proposed, sides.proposed.pairs),
  };
  let unmoved = 0;
  const sections = [0, ...ancestor.map((block) => (unmoved += isOnBoth(block, sides) ? 1 : 0))];
  const candidatesOn = (side: Side): Candidate[] =>
    slots[side].flatMap((blocks, slot) =>
      blocks.flatMap((block): Candidate[] => {
        const origin = sides[side].origins.get(block);
        const section = sections[slot] ?? 0;
        const at = { block, slot, section };
        if (origin === undefined)
          return [{ ...at, matchKey: `new ${section} ${block.matchKey}`, isMoved: false }];
        return isMovedByBoth(origin, sides)
          ? [{ ...at, matchKey: `moved ${origin.index}`, isMoved: true }]
          : [];
      }),
    );
  const [ofPrimary, ofProposed] = [candidatesOn('primary'), candidatesOn('proposed')];
  // A fixed order makes the result the same, whichever side is the primary one.
  const isPrimaryFirst = ofPrimary.map(slotKey).join('\n') < ofProposed.map(slotKey).join('\n');
  return isPrimaryFirst
    ? matchCandidates(slots, ofPrimary, ofProposed, budget)
    : matchCandidates(slots, ofProposed, ofPrimary, budget);
}

const isOnBoth = (block: SourceBlock, { primary, proposed }: SideAlignments): boolean =>
  primary.pairs.has(block) && proposed.pairs.has(block);

const isMovedByBoth = (block: SourceBlock, { primary, proposed }: SideAlignments): boolean =>
  primary.moved.has(block) && proposed.moved.has(block);

function slotsOf(ancestor: Blocks, side: Blocks, pairs: ReadonlyMap<SourceBlock, SourceBlock>): Blocks[] {
  const slots: SourceBlock[][] = Array.from({ length: ancestor.length + 1 }, () => []);
  const owners = new Map(ancestor.map((block, index) => [pairs.get(block), index]));
  let slot = 0;
  for (const block of side) {
    const owner = owners.get(block);
    if (owner === undefined) slots[slot]?.push(block);
    else slot = owner + 1;
  }
  return slots;
}

const slotKey = ({ slot, matchKey }: Candidate): string => `${slot} ${matchKey}`;

/**
 * Matches first the candidates of one slot in the same order, then the others. Of a match in two slots, the lower one
 * is retained. A block that both sides moved is contested if a reader sees a difference: beyond a block that both sides
 * left in place, or in another order.
 */
function matchCandidates(
  slots: Insertions['slots'],
  left: readonly Candidate[],
  right: readonly Candidate[],
  budget: ComparisonBudget,
): Insertions {
  const inOneSlot = pairUp(left.map(slotKey), right.map(slotKey), budget);
  const matchedLeft = new Set(inOneSlot.map(([index]) => index));
  const matchedRight = new Set(inOneSlot.map(([, index]) => index));
  const inTwoSlots = findMoved(
    left.filter((_, index) => !matchedLeft.has(index)),
    right.filter((_, index) => !matchedRight.has(index)),
  );
  const movedAlike = findMovedAlike(left, right, budget);
  const contested = new Set<SourceBlock>();
  const matches = new Map<SourceBlock, SourceBlock>();
  const match = (one: Candidate | undefined, other: Candidate | undefined) => {
    if (one !== undefined && other !== undefined)
      matches.set(one.block, other.block).set(other.block, one.block);
  };
  for (const [one, other] of inOneSlot) match(left[one], right[other]);
  const dropped = new Set<SourceBlock>();
  for (const [one, other] of inTwoSlots) {
    if (one.isMoved && !movedAlike.has(one)) {
      contested.add(one.block).add(other.block);
      continue;
    }
    match(one, other);
    const isLower = one.slot === other.slot ? one.block.index > other.block.index : one.slot > other.slot;
    dropped.add((isLower ? other : one).block);
  }
  const withoutDropped = (lists: readonly Blocks[]) =>
    dropped.size === 0 ? lists : lists.map((blocks) => blocks.filter((block) => !dropped.has(block)));
  return {
    slots: { primary: withoutDropped(slots.primary), proposed: withoutDropped(slots.proposed) },
    matches,
    contested,
  };
}

/** Blocks that both sides moved between the same unmoved blocks, in the same order. */
function findMovedAlike(
  left: readonly Candidate[],
  right: readonly Candidate[],
  budget: ComparisonBudget,
): Set<Candidate> {
  const movedLeft = left.filter(({ isMoved }) => isMoved);
  const movedRight = right.filter(({ isMoved }) => isMoved);
  const sectionKey = ({ section, matchKey }: Candidate) => `${section} ${matchKey}`;
  const pairs = pairUp(movedLeft.map(sectionKey), movedRight.map(sectionKey), budget);
  return new Set(pairs.flatMap(([index]) => movedLeft[index] ?? []));
}
