import { mapThree, type Three } from '../three.ts';
import { isList } from './piece.ts';
import type { Unit } from './unit.ts';

type Units = readonly Unit[];

/**
 * Lists whose items stand in other lists on a side are taken apart: two lists become one when what stood between them
 * goes, and the items of the second would have gone and come again. The items come together to lists when they are read.
 */
export function withSplitLists(units: Three<Units>): Three<Units> {
  const isSplit = isRegrouped(units.ancestor, units.primary) || isRegrouped(units.ancestor, units.proposed);
  return isSplit ? mapThree(units, takenApart) : units;
}

/** Whether items of one list stand in several, or those of several in one. */
function isRegrouped(before: Units, after: Units): boolean {
  const [old, now] = [before.filter(({ kind }) => isList(kind)), after.filter(({ kind }) => isList(kind))];
  return isSpread(old, now) || isSpread(now, old);
}

function isSpread(lists: Units, others: Units): boolean {
  const owners = new Map<string, Unit[]>();
  for (const list of others) {
    for (const name of new Set(list.units.map(({ name }) => name))) {
      const known = owners.get(name);
      if (known === undefined) owners.set(name, [list]);
      else known.push(list);
    }
  }
  return lists.some(({ units }) => {
    const [first, ...more] = new Set(units.flatMap(({ name }) => owners.get(name)?.slice(0, 2) ?? []));
    return first !== undefined && more.length > 0;
  });
}

function takenApart(units: Units): Units {
  return units
    .flatMap((unit) => {
      if (!isList(unit.kind) || unit.units.length === 0) return [unit];
      return unit.units.with(-1, { ...(unit.units.at(-1) as Unit), trail: unit.trail });
    })
    .map((unit, index) => ({ ...unit, index }));
}
