import { agreed, mapThree, type Three } from '../three.ts';
import { align, findMoved } from './align.ts';
import { longer, mergeInserted, pieceOf, placing, standing } from './inserted.ts';
import type { Piece, Side } from './piece.ts';
import type { Unit } from './unit.ts';

type Units = readonly Unit[];

/** One unit that was merged. */
export type Inside = Pick<Piece, 'text' | 'shape' | 'marks'>;

/** How a unit that both sides changed is merged. */
type Merge = (three: Three<Unit>) => Inside | undefined;

/** Units of one container or body, one by one: what stands where, and what both sides changed. */
export function mergeUnits(units: Three<Units>, merge: Merge): Piece[] {
  const { ancestor, primary, proposed } = units;
  const sides = { primary: align(ancestor, primary), proposed: align(ancestor, proposed) };
  const come = once({
    primary: insertions(ancestor, primary, sides.primary.pairs),
    proposed: insertions(ancestor, proposed, sides.proposed.pairs),
  });
  const place = placing(sides);
  const inserted = (index: number) =>
    mergeInserted(come.primary[index] ?? [], come.proposed[index] ?? [], place);
  const pieces = [inserted(0)];
  for (const [index, unit] of ancestor.entries()) {
    const isElsewhere = sides.primary.moved.has(unit) || sides.proposed.moved.has(unit);
    const [p, q] = [sides.primary.pairs.get(unit), sides.proposed.pairs.get(unit)];
    if (!isElsewhere) pieces.push(mergeUnit({ ancestor: unit, primary: p, proposed: q }, merge));
    pieces.push(inserted(index + 1));
  }
  return pieces.flat();
}

/** What came to stand before the first unit of the ancestor, then what came behind each of them. */
function insertions(ancestor: Units, side: Units, pairs: ReadonlyMap<Unit, Unit>): Units[] {
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

/** What came on both sides, but not behind the same unit, stands where it is farther down. */
function once(come: Readonly<Record<Side, readonly Units[]>>): Readonly<Record<Side, readonly Units[]>> {
  const places = (lists: readonly Units[]) =>
    new Map(lists.flatMap((units, index) => units.map((unit) => [unit, index] as const)));
  const [p, q] = [places(come.primary), places(come.proposed)];
  const dropped = new Set<Unit>();
  for (const [one, other] of findMoved([...p.keys()], [...q.keys()])) {
    const [atP, atQ] = [p.get(one) ?? 0, q.get(other) ?? 0];
    if (atP !== atQ) dropped.add(atP < atQ ? one : other);
  }
  const left = (lists: readonly Units[]) =>
    dropped.size === 0 ? lists : lists.map((units) => units.filter((unit) => !dropped.has(unit)));
  return { primary: left(come.primary), proposed: left(come.proposed) };
}

interface Found {
  readonly ancestor: Unit;
  readonly primary: Unit | undefined;
  readonly proposed: Unit | undefined;
}

function mergeUnit({ ancestor, primary, proposed }: Found, merge: Merge): Piece[] {
  if (primary === undefined || proposed === undefined) {
    const left = primary ?? proposed;
    if (left === undefined || left.name === ancestor.name) return [];
    const one = (unit: Unit | undefined, side: Side) => (unit ? [pieceOf(unit, side)] : []);
    return standing(ancestor.text, one(primary, 'primary'), one(proposed, 'proposed'));
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
