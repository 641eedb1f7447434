import type { ComparisonBudget } from '../../diff/index.ts';
import { mapVersions, type Versions } from '../versions.ts';
import { alignSides, type SideAlignment, type SideAlignments } from './align-sides.ts';
import { isList } from './merged-block.ts';
import type { Unit } from './source-block.ts';

type Units = readonly Unit[];

interface Aligned {
  readonly units: Versions<Units>;
  readonly sides: SideAlignments;
}

/**
 * Aligns both sides with the ancestor. Where a side regrouped list items, lists are split into their items first: two
 * lists become one when the block between them is deleted, and the items of the second list would otherwise count as
 * deleted and inserted. Neighbouring items are read as one list again.
 */
export function alignListItems(units: Versions<Units>, budget: ComparisonBudget): Aligned {
  const sides = alignSides(units, budget);
  const { ancestor, primary, proposed } = units;
  if (!isRegrouped(ancestor, primary, sides.primary) && !isRegrouped(ancestor, proposed, sides.proposed))
    return { units, sides };
  const items = mapVersions(units, splitIntoItems);
  return { units: items, sides: alignSides(items, budget) };
}

/** Whether an item is now in another list than the one its list is paired with. */
function isRegrouped(before: Units, after: Units, { pairs, moved }: SideAlignment): boolean {
  const owners = new Map<string, Unit[]>();
  for (const list of after.filter(({ kind }) => isList(kind))) {
    for (const { matchKey } of list.units) {
      const lists = owners.get(matchKey);
      if (lists === undefined) owners.set(matchKey, [list]);
      else if (lists.at(-1) !== list) lists.push(list);
    }
  }
  return before
    .filter(({ kind }) => isList(kind))
    .some((list) => {
      const partner = pairs.get(list) ?? moved.get(list);
      return list.units.some(({ matchKey }) => owners.get(matchKey)?.some((owner) => owner !== partner));
    });
}

function splitIntoItems(units: Units): Units {
  return units
    .flatMap((unit) => {
      if (!isList(unit.kind)) return [unit];
      return unit.units.map((item) => (item === unit.units.at(-1) ? { ...item, trail: unit.trail } : item));
    })
    .map((unit, index) => ({ ...unit, index }));
}
