import { pairUp, type ComparisonBudget, type Pairs } from '../../diff/index.ts';
import type { Unit } from './unit.ts';

export interface Alignment {
  /** The unit that stands where each unit of `before` stood: the same, or it changed. In order on both sides. */
  readonly pairs: ReadonlyMap<Unit, Unit>;
  /** The same unit at another place. */
  readonly moved: ReadonlyMap<Unit, Unit>;
}

type Units = readonly Unit[];

/** Above this many comparisons units are paired by their kinds alone. */
const MAX_COMPARISONS = 2500;
/** How much of their words two units must share to be one that changed, whatever stands around them. */
const ALIKE = 0.5;

export function align(before: Units, after: Units, budget: ComparisonBudget): Alignment {
  const same = pairUp(names(before), names(after), budget);
  const moved = findMoved(
    without(before, new Set(same.map(([index]) => before[index]))),
    without(after, new Set(same.map(([, index]) => after[index]))),
  );
  const [gone, come] = [new Set<Unit | undefined>(moved.keys()), new Set<Unit | undefined>(moved.values())];
  const pairs = new Map<Unit, Unit>();
  between(before, after, same, pairs, (old, now) => {
    const [left, right] = [without(old, gone), without(now, come)];
    between(left, right, alike(left, right, budget), pairs, (old, now) => {
      if (old.length === now.length) old.forEach((unit, index) => set(pairs, unit, now[index]));
    });
  });
  return { pairs, moved };
}

const without = (units: Units, some: ReadonlySet<Unit | undefined>): Units =>
  some.size === 0 ? units : units.filter((unit) => !some.has(unit));

/** What went in one place and came in another as it was. */
export function findMoved<T extends { readonly name: string }>(
  gone: readonly T[],
  come: readonly T[],
): Map<T, T> {
  const free = new Map<string, T[]>();
  for (const unit of come.toReversed()) {
    const same = free.get(unit.name);
    if (same === undefined) free.set(unit.name, [unit]);
    else same.push(unit);
  }
  const moved = new Map<T, T>();
  for (const unit of gone) set(moved, unit, free.get(unit.name)?.pop());
  return moved;
}

/** What went in one place and came in another, and changed on the way: each the one that is most like it. */
export function findAlike(gone: Units, come: Units, budget: ComparisonBudget): Map<Unit, Unit> {
  const found = new Map<Unit, Unit>();
  const compared = bagsOf(gone, come, budget);
  if (compared === undefined) return found;
  const bags = new Map(come.map((unit, index) => [unit, compared.after[index]]));
  const likely = gone.flatMap((unit, index) => {
    const bag = compared.before[index];
    return come
      .filter(({ kind }) => kind === unit.kind)
      .map((other) => ({ unit, other, likeness: likenessOf(bag, bags.get(other)) }));
  });
  const taken = new Set<Unit>();
  for (const { unit, other, likeness } of likely.toSorted((a, b) => b.likeness - a.likeness)) {
    if (likeness < ALIKE || found.has(unit) || taken.has(other)) continue;
    found.set(unit, other);
    taken.add(other);
  }
  return found;
}

const names = (units: Units): string[] => units.map(({ name }) => name);

/** Notes the pairs, and hands on what stands between them. */
function between(
  before: Units,
  after: Units,
  found: readonly (readonly [number, number])[],
  pairs: Map<Unit, Unit>,
  gap: (before: Units, after: Units) => void,
): void {
  let [b, a] = [0, 0];
  for (const [nextB, nextA] of [...found, [before.length, after.length] as const]) {
    if (nextB > b && nextA > a) gap(before.slice(b, nextB), after.slice(a, nextA));
    set(pairs, before[nextB], after[nextA]);
    [b, a] = [nextB + 1, nextA + 1];
  }
}

function set<T>(pairs: Map<T, T>, before: T | undefined, after: T | undefined): void {
  if (before !== undefined && after !== undefined) pairs.set(before, after);
}

/** The pairs, in order on both sides, that are most alike in sum. */
function alike(before: Units, after: Units, budget: ComparisonBudget): Pairs {
  const bags = bagsOf(before, after, budget);
  if (bags === undefined) {
    return pairUp(
      before.map(({ kind }) => kind),
      after.map(({ kind }) => kind),
      budget,
    );
  }
  const { before: old, after: now } = bags;
  const width = now.length + 1;
  const best = new Float64Array((old.length + 1) * width);
  const likeness = new Float64Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      const at = row * width + column;
      const same = likenessOf(old[row], now[column]);
      likeness[at] = same >= ALIKE ? same : 0;
      best[at] = Math.max(
        valueAt(best, at + width),
        valueAt(best, at + 1),
        same >= ALIKE ? same + valueAt(best, at + width + 1) : 0,
      );
    }
  }
  const pairs: Pairs = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < now.length) {
    const at = row * width + column;
    const same = valueAt(likeness, at);
    if (same > 0 && valueAt(best, at) === same + valueAt(best, at + width + 1)) pairs.push([row++, column++]);
    else if (valueAt(best, at) === valueAt(best, at + width)) row++;
    else column++;
  }
  return pairs;
}

/** Whether one could be what the other became. */
export const isAlike = (one: Unit, other: Unit): boolean => one.kind === other.kind || isVersion(one, other);

/** Whether one is what the other became, by what they say. */
export const isVersion = (one: Unit, other: Unit): boolean =>
  one.name === other.name || likenessOf(bagOf(one), bagOf(other)) >= ALIKE;

const valueAt = (numbers: Float64Array, index: number): number => numbers[index] ?? 0;

type Bag = ReadonlyMap<string, number>;

/** The words of all units, if each of the one side may be compared with each of the other. */
function bagsOf(
  before: Units,
  after: Units,
  budget: ComparisonBudget,
): { readonly before: readonly Bag[]; readonly after: readonly Bag[] } | undefined {
  if (before.length * after.length > MAX_COMPARISONS) return undefined;
  const bags = { before: before.map(bagOf), after: after.map(bagOf) };
  const words = bags.before.reduce((sum, { size }) => sum + size + 1, 0);
  return budget.take(words * after.length) ? bags : undefined;
}

/** The words of a unit and how often each occurs; of a long one its first. */
function bagOf({ kind, name }: Unit): Bag {
  const bag = new Map<string, number>();
  const start = name.slice(0, 4000);
  // Pipes are in all rows.
  const words = kind === 'table-row' ? start.replaceAll('|', ' ').trim() : start;
  for (const word of words.split(/\s+/)) bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
}

/** From 0, nothing in common, to 1. */
function likenessOf(a: Bag | undefined, b: Bag | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let common = 0;
  for (const [word, count] of a) common += Math.min(count, b.get(word) ?? 0);
  return (2 * common) / (sumOf(a) + sumOf(b));
}

function sumOf(bag: Bag): number {
  let sum = 0;
  for (const count of bag.values()) sum += count;
  return sum;
}
