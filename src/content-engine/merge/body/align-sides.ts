import type { ComparisonBudget } from '../../diff/index.ts';
import type { Versions } from '../versions.ts';
import { align, findSimilar, isSimilar, type Alignment } from './align.ts';
import type { Side } from './merged-block.ts';
import type { SourceBlock } from './source-block.ts';

export interface SideAlignment extends Alignment {
  /** Moved block → the block of the ancestor. */
  readonly origins: ReadonlyMap<SourceBlock, SourceBlock>;
}

export type SideAlignments = Readonly<Record<Side, SideAlignment>>;

type Blocks = readonly SourceBlock[];

/**
 * Aligns both sides with the ancestor. A block that was moved and edited counts as moved, so that the result has it
 * once, whatever the other side did to it. Where the other side deleted it, it counts as a deletion and an insertion:
 * both sides removed the original.
 */
export function alignSides(
  { ancestor, primary, proposed }: Versions<Blocks>,
  budget: ComparisonBudget,
): SideAlignments {
  const sides = {
    primary: alignSide(ancestor, primary, budget),
    proposed: alignSide(ancestor, proposed, budget),
  };
  const movesOf = (side: Side, other: Side): SideAlignment => {
    const { pairs, moved } = sides[side];
    const isOnOther = (block: SourceBlock) => sides[other].pairs.has(block) || sides[other].moved.has(block);
    const moves = new Map(
      [...moved].filter(([block, { matchKey }]) => block.matchKey === matchKey || isOnOther(block)),
    );
    return { pairs, moved: moves, origins: new Map(Array.from(moves, ([before, after]) => [after, before])) };
  };
  return { primary: movesOf('primary', 'proposed'), proposed: movesOf('proposed', 'primary') };
}

/** A pair of dissimilar blocks in the same place gives way to a similar block in another place. */
function alignSide(ancestor: Blocks, side: Blocks, budget: ComparisonBudget): Alignment {
  const { pairs, moved } = align(ancestor, side, budget);
  const similar = new Map([...pairs].filter(([block, partner]) => isSimilar(block, partner)));
  const paired = new Set([...similar.values(), ...moved.values()]);
  const edited = findSimilar(
    ancestor.filter((block) => !similar.has(block) && !moved.has(block)),
    side.filter((block) => !paired.has(block)),
    budget,
  );
  if (edited.size === 0) return { pairs, moved };
  const editedTo = new Set(edited.values());
  return {
    pairs: new Map([...pairs].filter(([block, partner]) => !edited.has(block) && !editedTo.has(partner))),
    moved: new Map([...moved, ...edited]),
  };
}
