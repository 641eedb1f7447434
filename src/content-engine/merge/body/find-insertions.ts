import { pairUp, type ComparisonBudget } from '../../diff/index.ts';
import type { Three } from '../versions.ts';
import { findMoved } from './align.ts';
import type { Both } from './align-sides.ts';
import type { Side } from './piece.ts';
import type { Unit } from './unit.ts';

type Units = readonly Unit[];

/** What stands on a side where nothing of the ancestor does. */
export interface Came {
  /** What came to stand before the first unit of the ancestor, then what came behind each of them. */
  readonly places: Readonly<Record<Side, readonly Units[]>>;
  /** What is one on both sides, either way. It stands in one place: the other of two is left out there. */
  readonly twins: ReadonlyMap<Unit, Unit>;
  /** Units of both sides that both moved, each to another place. They stand in both places. */
  readonly contested: ReadonlySet<Unit>;
}

/** A unit that could be one with another on the other side: if that has the same name. */
interface Comer {
  readonly unit: Unit;
  readonly place: number;
  /** The number of units before it that neither side moved or deleted. */
  readonly section: number;
  readonly name: string;
  readonly isMoved: boolean;
}

/**
 * Of two that came, what is one: what both sides moved; and what both sides wrote, while nothing that stands on both
 * sides is between. Else the one below one heading would be lost for an equal one below another.
 */
export function whatCame(
  { ancestor, primary, proposed }: Three<Units>,
  sides: Both,
  budget: ComparisonBudget,
): Came {
  const places = {
    primary: placesOf(ancestor, primary, sides.primary.pairs),
    proposed: placesOf(ancestor, proposed, sides.proposed.pairs),
  };
  let standing = 0;
  const sections = [0, ...ancestor.map((unit) => (standing += isOnBoth(unit, sides) ? 1 : 0))];
  const comersOn = (side: Side): Comer[] =>
    places[side].flatMap((units, place) =>
      units.flatMap((unit): Comer[] => {
        const origin = sides[side].origins.get(unit);
        const section = sections[place] ?? 0;
        const at = { unit, place, section };
        if (origin === undefined) return [{ ...at, name: `new ${section} ${unit.name}`, isMoved: false }];
        return isMovedByBoth(origin, sides) ? [{ ...at, name: `moved ${origin.index}`, isMoved: true }] : [];
      }),
    );
  const [ofP, ofQ] = [comersOn('primary'), comersOn('proposed')];
  // What comes out is the same, whichever side is the primary one.
  const isFirst = ofP.map(here).join('\n') < ofQ.map(here).join('\n');
  return isFirst ? joined(places, ofP, ofQ, budget) : joined(places, ofQ, ofP, budget);
}

const isOnBoth = (unit: Unit, { primary, proposed }: Both): boolean =>
  primary.pairs.has(unit) && proposed.pairs.has(unit);

const isMovedByBoth = (unit: Unit, { primary, proposed }: Both): boolean =>
  primary.moved.has(unit) && proposed.moved.has(unit);

function placesOf(ancestor: Units, side: Units, pairs: ReadonlyMap<Unit, Unit>): Units[] {
  const lists: Unit[][] = Array.from({ length: ancestor.length + 1 }, () => []);
  const owners = new Map(ancestor.map((unit, index) => [pairs.get(unit), index]));
  let at = 0;
  for (const unit of side) {
    const owner = owners.get(unit);
    if (owner === undefined) lists[at]?.push(unit);
    else at = owner + 1;
  }
  return lists;
}

const here = ({ place, name }: Comer): string => `${place} ${name}`;

/**
 * First those that came to one place in one order. Of the others, the one that is farther down stands, unless both sides
 * moved it and it is another place for a reader: beyond a unit that both sides have, or in another order.
 */
function joined(
  places: Came['places'],
  some: readonly Comer[],
  others: readonly Comer[],
  budget: ComparisonBudget,
): Came {
  const near = pairUp(some.map(here), others.map(here), budget);
  const [ofSome, ofOthers] = [new Set(near.map(([one]) => one)), new Set(near.map(([, other]) => other))];
  const far = findMoved(
    some.filter((_, index) => !ofSome.has(index)),
    others.filter((_, index) => !ofOthers.has(index)),
  );
  const agreed = movedAlike(some, others, budget);
  const contested = new Set<Unit>();
  const twins = new Map<Unit, Unit>();
  const pair = (one: Comer | undefined, other: Comer | undefined) => {
    if (one !== undefined && other !== undefined) twins.set(one.unit, other.unit).set(other.unit, one.unit);
  };
  for (const [one, other] of near) pair(some[one], others[other]);
  const left = new Set<Unit>();
  for (const [one, other] of far) {
    if (one.isMoved && !agreed.has(one)) {
      contested.add(one.unit).add(other.unit);
      continue;
    }
    pair(one, other);
    const isLower = one.place === other.place ? one.unit.index > other.unit.index : one.place > other.place;
    left.add((isLower ? other : one).unit);
  }
  const without = (lists: readonly Units[]) =>
    left.size === 0 ? lists : lists.map((units) => units.filter((unit) => !left.has(unit)));
  return {
    places: { primary: without(places.primary), proposed: without(places.proposed) },
    twins,
    contested,
  };
}

/** Units that both sides moved between the same unmoved ones, in one order. */
function movedAlike(some: readonly Comer[], others: readonly Comer[], budget: ComparisonBudget): Set<Comer> {
  const [ofSome, ofOthers] = [some.filter(({ isMoved }) => isMoved), others.filter(({ isMoved }) => isMoved)];
  const inSection = ({ section, name }: Comer) => `${section} ${name}`;
  const pairs = pairUp(ofSome.map(inSection), ofOthers.map(inSection), budget);
  return new Set(pairs.flatMap(([index]) => ofSome[index] ?? []));
}
