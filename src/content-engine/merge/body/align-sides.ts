import type { ComparisonBudget } from '../../diff/index.ts';
import type { Versions } from '../versions.ts';
import { align, findSimilar, isSimilar, type Alignment } from './align.ts';
import type { Side } from './merged-block.ts';
import type { Unit } from './source-block.ts';

export interface SideAlignment extends Alignment {
  /** Moved unit → the unit of the ancestor. */
  readonly origins: ReadonlyMap<Unit, Unit>;
}

export type SideAlignments = Readonly<Record<Side, SideAlignment>>;

type Units = readonly Unit[];

/**
 * Aligns both sides with the ancestor. A unit that was moved and edited counts as moved, so that the result has it
 * once, whatever the other side did to it. Where the other side deleted it, it counts as a deletion and an insertion:
 * both sides removed the original.
 */
export function alignSides(
  { ancestor, primary, proposed }: Versions<Units>,
  budget: ComparisonBudget,
): SideAlignments {
  const sides = {
    primary: alignSide(ancestor, primary, budget),
    proposed: alignSide(ancestor, proposed, budget),
  };
  const movesOf = (side: Side, other: Side): SideAlignment => {
    const { pairs, moved } = sides[side];
    const isOnOther = (unit: Unit) => sides[other].pairs.has(unit) || sides[other].moved.has(unit);
    const moves = new Map(
      [...moved].filter(([unit, { matchKey }]) => unit.matchKey === matchKey || isOnOther(unit)),
    );
    return { pairs, moved: moves, origins: new Map(Array.from(moves, ([before, after]) => [after, before])) };
  };
  return { primary: movesOf('primary', 'proposed'), proposed: movesOf('proposed', 'primary') };
}

/** A pair of dissimilar units in the same place gives way to a similar unit in another place. */
function alignSide(ancestor: Units, side: Units, budget: ComparisonBudget): Alignment {
  const { pairs, moved } = align(ancestor, side, budget);
  const similar = new Map([...pairs].filter(([unit, partner]) => isSimilar(unit, partner)));
  const paired = new Set([...similar.values(), ...moved.values()]);
  const edited = findSimilar(
    ancestor.filter((unit) => !similar.has(unit) && !moved.has(unit)),
    side.filter((unit) => !paired.has(unit)),
    budget,
  );
  if (edited.size === 0) return { pairs, moved };
  const editedTo = new Set(edited.values());
  return {
    pairs: new Map([...pairs].filter(([unit, partner]) => !edited.has(unit) && !editedTo.has(partner))),
    moved: new Map([...moved, ...edited]),
  };
}
