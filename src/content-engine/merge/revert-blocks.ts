import { BODY_BUDGET, ComparisonBudget } from '../diff/index.ts';
import { align } from './body/align.ts';
import { containerShape, holdsBlocks, join, shapeOf, shapeOfPiece } from './body/piece.ts';
import type { Piece } from './body/piece.ts';
import { readBody, type Unit } from './body/unit.ts';
import { isEqual } from './versions.ts';

type Units = readonly Unit[];

/** Keys of blocks that neither of two bodies has. */
export function unknownBlocks(before: string, after: string, keys: readonly string[]): string[] {
  const known = new Set([before, after].flatMap((body) => keysIn(readBody(body).units)));
  return keys.filter((key) => !known.has(key));
}

/**
 * The body `after`, but the blocks with one of the keys are as they were `before`: what changed is changed back, what
 * came goes, what went comes back beside its neighbours. No other block is touched. A key names a block of either; equal
 * blocks of both may have one key.
 */
export function revertBlocks(before: string, after: string, keys: ReadonlySet<string>): string {
  const [old, now] = [readBody(before), readBody(after)];
  const isMeant = (unit: Unit) => keys.has(unit.key);
  const budget = new ComparisonBudget(BODY_BUDGET);
  const lineEnd = after.includes('\r\n') ? '\r\n' : '\n';
  const reverted = (goesInside: boolean) => {
    const pieces = revertUnits(old.units, now.units, { isMeant, goesInside, lineEnd, budget });
    if (pieces.length === 0) return { text: '', isAsMeant: true };
    const end = (now.units.at(-1) ?? old.units.at(-1))?.trail ?? '';
    const text = now.lead + join(pieces, { lineEnd, end }).text;
    return { text, isAsMeant: isEqual(shapeOf(readBody(text).units), pieces.flatMap(shapeOfPiece)) };
  };
  const inside = reverted(true);
  // A block that cannot be put into another one is reverted with all of that.
  return inside.isAsMeant ? inside.text : reverted(false).text;
}

interface Reverting {
  readonly isMeant: (unit: Unit) => boolean;
  /** Whether a block in another one is reverted alone. */
  readonly goesInside: boolean;
  readonly lineEnd: string;
  readonly budget: ComparisonBudget;
}

function revertUnits(old: Units, now: Units, reverting: Reverting): Piece[] {
  const { pairs, moved } = align(old, now, reverting.budget);
  const from = new Map(Array.from(moved, ([before, after]) => [after, before]));
  const isEither = (unit: Unit, partner: Unit | undefined) =>
    means(unit, reverting) || (partner !== undefined && means(partner, reverting));
  const pieces: Piece[] = [];
  let [fromOld, fromNow] = [0, 0];
  const places = [...pairs].map(([before, after]) => [before, after, before.index, after.index] as const);
  for (const [before, after, o, n] of [...places, [undefined, undefined, old.length, now.length] as const]) {
    // Between two that stayed, what went and what came stand side by side.
    const [gone, come] = [old.slice(fromOld, o), now.slice(fromNow, n)];
    for (let index = 0; index < Math.max(gone.length, come.length); index++) {
      const [was, is] = [gone[index], come[index]];
      if (was !== undefined && isEither(was, moved.get(was)))
        pieces.push({ ...was, unit: was, proposed: was });
      if (is !== undefined)
        pieces.push(...(isEither(is, from.get(is)) ? without(is, reverting) : [kept(is)]));
    }
    if (before !== undefined && after !== undefined) pieces.push(revertPair(before, after, reverting));
    [fromOld, fromNow] = [o + 1, n + 1];
  }
  return pieces;
}

const kept = (unit: Unit, proposed?: Unit): Piece => ({
  text: unit.text,
  trail: unit.trail,
  unit,
  primary: unit,
  ...(proposed && { proposed }),
});

/** Whether it is meant itself, or something in it. */
const means = (unit: Unit, reverting: Reverting): boolean =>
  reverting.isMeant(unit) || unit.units.some((inner) => means(inner, reverting));

function revertPair(before: Unit, after: Unit, reverting: Reverting): Piece {
  if (!means(before, reverting) && !means(after, reverting)) return kept(after, before);
  const isWhole = reverting.isMeant(before) || reverting.isMeant(after);
  const inside = isWhole ? undefined : revertInside(before, after, before.units, reverting);
  return inside ?? { text: before.text, trail: after.trail, unit: before, primary: after, proposed: before };
}

/** A new block without those in it that are meant; none if it is meant itself. */
function without(unit: Unit, reverting: Reverting): Piece[] {
  const inside = reverting.isMeant(unit) ? undefined : revertInside(unit, unit, [], reverting);
  return inside === undefined ? [] : [inside];
}

/** Undefined: the block can only be reverted as a whole. */
function revertInside(before: Unit, after: Unit, old: Units, reverting: Reverting): Piece | undefined {
  const { kind } = after;
  if (!reverting.goesInside || !holdsBlocks(before) || !holdsBlocks(after) || before.kind !== kind) return;
  // Lines of an item are indented as its marker wants it: those of another one do not fit.
  if (kind === 'list-item' && before.head !== after.head) return;
  const pieces = revertUnits(old, after.units, reverting);
  if (pieces.length === 0) return;
  const end = after.units.at(-1)?.trail ?? '';
  const { text } = join(pieces, { lineEnd: reverting.lineEnd, end });
  return {
    text: after.head + text + after.tail,
    trail: after.trail,
    primary: after,
    ...(before === after ? {} : { proposed: before }),
    shape: containerShape(kind, pieces.flatMap(shapeOfPiece)),
  };
}

const keysIn = (units: Units): string[] => units.flatMap(({ key, units }) => [key, ...keysIn(units)]);
