import type { ComparisonBudget } from '../../diff/index.ts';
import { mapThree, type Three } from '../versions.ts';
import { alignBoth, type Both, type Moves } from './align-sides.ts';
import { isList } from './piece.ts';
import type { Unit } from './unit.ts';

type Units = readonly Unit[];

interface Aligned {
  readonly units: Three<Units>;
  readonly sides: Both;
}

/**
 * Both sides beside the ancestor. Lists whose items stand in other lists on a side are taken apart: two lists become one
 * when what stood between them goes, and the items of the second would have gone and come again. The items come together
 * to lists when they are read.
 */
export function alignItems(units: Three<Units>, budget: ComparisonBudget): Aligned {
  const sides = alignBoth(units, budget);
  const { ancestor, primary, proposed } = units;
  if (!isRegrouped(ancestor, primary, sides.primary) && !isRegrouped(ancestor, proposed, sides.proposed))
    return { units, sides };
  const items = mapThree(units, takenApart);
  return { units: items, sides: alignBoth(items, budget) };
}

/** Whether an item of a list stands in another one than what became of its list. */
function isRegrouped(before: Units, after: Units, { pairs, moved }: Moves): boolean {
  const owners = new Map<string, Unit[]>();
  for (const list of after.filter(({ kind }) => isList(kind))) {
    for (const { name } of list.units) {
      const known = owners.get(name);
      if (known === undefined) owners.set(name, [list]);
      else if (known.at(-1) !== list) known.push(list);
    }
  }
  return before
    .filter(({ kind }) => isList(kind))
    .some((list) => {
      const partner = pairs.get(list) ?? moved.get(list);
      return list.units.some(({ name }) => owners.get(name)?.some((owner) => owner !== partner));
    });
}

function takenApart(units: Units): Units {
  return units
    .flatMap((unit) => {
      if (!isList(unit.kind)) return [unit];
      return unit.units.map((item) => (item === unit.units.at(-1) ? { ...item, trail: unit.trail } : item));
    })
    .map((unit, index) => ({ ...unit, index }));
}
