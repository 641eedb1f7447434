import type { ComparisonBudget } from '../../diff/index.ts';
import type { Three } from '../versions.ts';
import { align, findAlike, isVersion, type Alignment } from './align.ts';
import type { Side } from './piece.ts';
import type { Unit } from './unit.ts';

export interface Moves extends Alignment {
  /** Where each unit that moved stood in the ancestor. */
  readonly origins: ReadonlyMap<Unit, Unit>;
}

export type Both = Readonly<Record<Side, Moves>>;

type Units = readonly Unit[];

/**
 * Both sides beside the ancestor. A unit that changed on its way moved too, so that it stands once whatever the other side
 * did to it. But where the other side deleted it, it is one that went and one that came: both sides want it gone.
 */
export function alignBoth({ ancestor, primary, proposed }: Three<Units>, budget: ComparisonBudget): Both {
  const sides = {
    primary: withChanged(ancestor, primary, budget),
    proposed: withChanged(ancestor, proposed, budget),
  };
  const movesOf = (side: Side, other: Side): Moves => {
    const { pairs, moved } = sides[side];
    const isLeft = (unit: Unit) => sides[other].pairs.has(unit) || sides[other].moved.has(unit);
    const kept = new Map([...moved].filter(([unit, { name }]) => unit.name === name || isLeft(unit)));
    return { pairs, moved: kept, origins: new Map(Array.from(kept, ([before, after]) => [after, before])) };
  };
  return { primary: movesOf('primary', 'proposed'), proposed: movesOf('proposed', 'primary') };
}

/** Units that are paired only because they stand in one place are not, if one of them stands elsewhere, changed. */
function withChanged(ancestor: Units, side: Units, budget: ComparisonBudget): Alignment {
  const { pairs, moved } = align(ancestor, side, budget);
  const firm = new Map([...pairs].filter(([unit, partner]) => isVersion(unit, partner)));
  const found = new Set([...firm.values(), ...moved.values()]);
  const changed = findAlike(
    ancestor.filter((unit) => !firm.has(unit) && !moved.has(unit)),
    side.filter((unit) => !found.has(unit)),
    budget,
  );
  if (changed.size === 0) return { pairs, moved };
  const come = new Set(changed.values());
  return {
    pairs: new Map([...pairs].filter(([unit, partner]) => !changed.has(unit) && !come.has(partner))),
    moved: new Map([...moved, ...changed]),
  };
}
