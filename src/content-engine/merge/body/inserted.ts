import { versions } from '../three.ts';
import type { Alignment } from './align.ts';
import { pairsOf } from './pairs.ts';
import type { Piece, Side, TextConflict } from './piece.ts';
import type { Unit } from './unit.ts';

type Units = readonly Unit[];

/** What a unit that came on one side is in the result. */
type Placing = (unit: Unit, side: Side) => Piece;

/**
 * A unit that moved takes along what the other side made of it. Where the other side deleted it, or moved it elsewhere,
 * it is a conflict.
 */
export function placing(sides: Readonly<Record<Side, Alignment>>): Placing {
  const origins = { primary: inverse(sides.primary.moved), proposed: inverse(sides.proposed.moved) };
  const conflicts = new Map<Unit, TextConflict>();
  return (unit, side) => {
    const piece = pieceOf(unit, side);
    const origin = origins[side].get(unit);
    if (origin === undefined) return piece;
    const other = sides[side === 'primary' ? 'proposed' : 'primary'].pairs.get(origin);
    if (other !== undefined)
      return other.name === origin.name ? piece : { ...piece, text: other.text, unit: other };
    const conflict =
      conflicts.get(origin) ??
      versions({
        ancestor: origin.text,
        primary: sides.primary.moved.get(origin)?.text,
        proposed: sides.proposed.moved.get(origin)?.text,
      });
    conflicts.set(origin, conflict);
    return { ...piece, conflict, side };
  };
}

const inverse = (moved: ReadonlyMap<Unit, Unit>): ReadonlyMap<Unit, Unit> =>
  new Map(Array.from(moved, ([before, after]) => [after, before]));

/** What both sides put into one place: what both have stands once. */
export function mergeInserted(primary: Units, proposed: Units, place: Placing): Piece[] {
  const common = pairsOf(
    primary.map(({ name }) => name),
    proposed.map(({ name }) => name),
  );
  const pieces: (readonly Piece[])[] = [];
  let [p, q] = [0, 0];
  for (const [nextP, nextQ] of [...common, [primary.length, proposed.length] as const]) {
    const ofP = primary.slice(p, nextP).map((unit) => place(unit, 'primary'));
    const ofQ = proposed.slice(q, nextQ).map((unit) => place(unit, 'proposed'));
    if (ofP.length > 0 && ofQ.length > 0) pieces.push(standing(undefined, ofP, ofQ));
    else pieces.push(ofP, ofQ);
    const [one, other] = [primary[nextP], proposed[nextQ]];
    if (one !== undefined && other !== undefined) {
      const text = longer(one.text, other.text);
      const unit = one.text === text ? one : other;
      pieces.push([{ text, unit, trail: longer(one.trail, other.trail), primary: one, proposed: other }]);
    }
    [p, q] = [nextP + 1, nextQ + 1];
  }
  return pieces.flat();
}

/** One of two, whichever comes first. */
export const longer = (a: string, b: string): string => {
  if (a.length !== b.length) return a.length > b.length ? a : b;
  return a > b ? a : b;
};

export const pieceOf = (unit: Unit, side: Side): Piece => ({
  text: unit.text,
  trail: unit.trail,
  unit,
  [side]: unit,
});

/** A conflict: both versions, the primary's first. */
export function standing(
  ancestor: string | undefined,
  primary: readonly Piece[],
  proposed: readonly Piece[],
): Piece[] {
  const conflict: TextConflict = versions({
    ancestor,
    primary: textOf(primary),
    proposed: textOf(proposed),
  });
  return [
    ...primary.map((piece) => ({ ...piece, conflict, side: 'primary' as const })),
    ...proposed.map((piece) => ({ ...piece, conflict, side: 'proposed' as const })),
  ];
}

/** As it stood, without the blank lines behind it. */
const textOf = (pieces: readonly Piece[]): string | undefined =>
  pieces.length === 0
    ? undefined
    : pieces.map(({ text, trail }, index) => (index < pieces.length - 1 ? text + trail : text)).join('');
