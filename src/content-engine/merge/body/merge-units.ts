import type { ComparisonBudget } from '../../diff/index.ts';
import { agreed, mapThree, type Three } from '../versions.ts';
import { whatCame } from './find-insertions.ts';
import { longer, mergeInserted, pieceOf, pieceOfBoth, standing, type Known } from './merge-insertions.ts';
import { alignItems } from './align-list-items.ts';
import type { Piece, Side } from './piece.ts';
import type { Unit } from './unit.ts';

type Units = readonly Unit[];

/** One unit that was merged. */
export type Inside = Pick<Piece, 'text' | 'shape' | 'marks'>;

/** How a unit that both sides changed is merged. */
export type Merge = (three: Three<Unit>) => Inside | undefined;

/** Units of one container or body, one by one: what stands where, and what both sides changed. */
export function mergeUnits(all: Three<Units>, merge: Merge, budget: ComparisonBudget): Piece[] {
  const { units, sides } = alignItems(all, budget);
  const { places, twins, contested } = whatCame(units, sides, budget);
  const find = (ancestor: Unit): Found => ({
    ancestor,
    primary: sides.primary.pairs.get(ancestor) ?? sides.primary.moved.get(ancestor),
    proposed: sides.proposed.pairs.get(ancestor) ?? sides.proposed.moved.get(ancestor),
  });
  const versions = new Map<Unit, Versions>();
  const known: Known = (unit, side) => {
    const origin = sides[side].origins.get(unit);
    if (origin !== undefined && contested.has(unit)) {
      const both = versions.get(origin) ?? mergeContested(find(origin), merge);
      versions.set(origin, both);
      return both[side];
    }
    if (origin !== undefined) return mergeMoved(find(origin), merge);
    const twin = twins.get(unit);
    return twin && [side === 'primary' ? pieceOfBoth(unit, twin) : pieceOfBoth(twin, unit)];
  };
  const inserted = (index: number) =>
    mergeInserted(places.primary[index] ?? [], places.proposed[index] ?? [], twins, known);
  const pieces = [inserted(0)];
  for (const [index, unit] of units.ancestor.entries()) {
    const isElsewhere = sides.primary.moved.has(unit) || sides.proposed.moved.has(unit);
    if (!isElsewhere) pieces.push(mergeUnit(find(unit), merge));
    pieces.push(inserted(index + 1));
  }
  return pieces.flat();
}

interface Found {
  readonly ancestor: Unit;
  readonly primary: Unit | undefined;
  readonly proposed: Unit | undefined;
}

/** What moved takes along what the other side made of it. Where the other side deleted it, it is a conflict. */
const mergeMoved = (found: Found, merge: Merge): Piece[] =>
  found.primary && found.proposed ? mergeUnit(found, merge) : edited(found);

type Versions = Readonly<Record<Side, readonly Piece[]>>;

/**
 * A unit that each side moved to another place: a conflict whose versions stand in these places. What the sides wrote is
 * merged into both, so that the choice of a place loses no words; where that is a conflict too, they decide together.
 */
function mergeContested(found: Found, merge: Merge): Versions {
  const [merged, ...more] = mergeUnit(found, merge);
  const isOne = more.length === 0 && merged?.conflict === undefined && merged?.marks === undefined;
  const versionOf = (side: Side): Piece[] => {
    const unit = found[side];
    if (isOne && merged !== undefined) return [merged];
    return unit === undefined ? [] : [pieceOf(unit, side)];
  };
  const pieces = standing(found.ancestor.text, versionOf('primary'), versionOf('proposed'), true);
  const of = (own: Side) => pieces.filter(({ side }) => side === own);
  return { primary: of('primary'), proposed: of('proposed') };
}

/** What one side made of a unit that the other deleted. */
function edited({ ancestor, primary, proposed }: Found): Piece[] {
  const one = (unit: Unit | undefined, side: Side) => (unit ? [pieceOf(unit, side)] : []);
  return standing(ancestor.text, one(primary, 'primary'), one(proposed, 'proposed'));
}

function mergeUnit({ ancestor, primary, proposed }: Found, merge: Merge): Piece[] {
  if (primary === undefined || proposed === undefined) {
    const left = primary ?? proposed;
    return left === undefined || left.name === ancestor.name ? [] : edited({ ancestor, primary, proposed });
  }
  const three = { ancestor, primary, proposed };
  const trails = mapThree(three, ({ trail }) => trail);
  const trail = agreed(trails)?.value ?? longer(trails.primary, trails.proposed);
  const same = agreed(three, (a, b) => a.name === b.name);
  if (same !== undefined) {
    const unit = primary.name === proposed.name ? numbered(three) : same.value;
    return [{ text: unit.text, trail, unit, primary, proposed }];
  }
  const merged = merge(three);
  if (merged !== undefined) return [{ ...merged, trail, primary, proposed }];
  return standing(ancestor.text, [pieceOf(primary, 'primary')], [pieceOf(proposed, 'proposed')]);
}

/** Of units that differ in their number at most. */
function numbered({ ancestor, primary, proposed }: Three<Unit>): Unit {
  const text = agreed({ ancestor: ancestor.text, primary: primary.text, proposed: proposed.text })?.value;
  return (text ?? longer(primary.text, proposed.text)) === primary.text ? primary : proposed;
}
