import { versions } from '../versions.ts';
import type { Piece, Side, TextConflict } from './piece.ts';
import type { Unit } from './unit.ts';

type Units = readonly Unit[];

/** What a unit that came is in the result, unless one side wrote it and the other knows nothing of it. */
export type Known = (unit: Unit, side: Side) => readonly Piece[] | undefined;

/** What both sides put into one place: `twins` stand once, and part what is before them from what is behind. */
export function mergeInserted(
  primary: Units,
  proposed: Units,
  twins: ReadonlyMap<Unit, Unit>,
  known: Known,
): Piece[] {
  const places = new Map(proposed.map((unit, index) => [unit, index]));
  const pieces: (readonly Piece[])[] = [];
  let [p, q] = [0, 0];
  for (const [index, unit] of primary.entries()) {
    const twin = twins.get(unit);
    const place = twin && places.get(twin);
    if (place === undefined) continue;
    pieces.push(sideBySide(primary.slice(p, index), proposed.slice(q, place), known));
    pieces.push(known(unit, 'primary') ?? []);
    [p, q] = [index + 1, place + 1];
  }
  pieces.push(sideBySide(primary.slice(p), proposed.slice(q), known));
  return pieces.flat();
}

/** Only what both sides wrote is a conflict: what moved here would be gone with the version that is not chosen. */
function sideBySide(primary: Units, proposed: Units, known: Known): readonly Piece[] {
  const read = (units: Units, side: Side) =>
    units.map((unit) => {
      const pieces = known(unit, side);
      return { pieces: pieces ?? [pieceOf(unit, side)], isNew: pieces === undefined };
    });
  const [ofP, ofQ] = [read(primary, 'primary'), read(proposed, 'proposed')];
  const newIn = (list: typeof ofP) => list.flatMap(({ pieces, isNew }) => (isNew ? pieces : []));
  const [newP, newQ] = [newIn(ofP), newIn(ofQ)];
  const all = (list: typeof ofP) => list.flatMap(({ pieces }) => pieces);
  if (newP.length === 0 || newQ.length === 0) {
    // In one order, whichever side is the primary one.
    const isFirst = newP.length === newQ.length ? isBefore(all(ofP), all(ofQ)) : newP.length === 0;
    return isFirst ? [...all(ofP), ...all(ofQ)] : [...all(ofQ), ...all(ofP)];
  }
  const conflict = versions({ ancestor: undefined, primary: textOf(newP), proposed: textOf(newQ) });
  const versionOf = (list: typeof ofP, side: Side) =>
    list.flatMap(({ pieces, isNew }) =>
      isNew ? pieces.map((piece) => ({ ...piece, conflict, side })) : pieces,
    );
  return [...versionOf(ofP, 'primary'), ...versionOf(ofQ, 'proposed')];
}

const isBefore = (one: readonly Piece[], other: readonly Piece[]): boolean =>
  (textOf(one) ?? '') < (textOf(other) ?? '');

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

/** What both sides wrote alike. */
export function pieceOfBoth(primary: Unit, proposed: Unit): Piece {
  const text = longer(primary.text, proposed.text);
  const unit = primary.text === text ? primary : proposed;
  return { text, unit, trail: longer(primary.trail, proposed.trail), primary, proposed };
}

/** A conflict: both versions, the primary's first. */
export function standing(
  ancestor: string | undefined,
  primary: readonly Piece[],
  proposed: readonly Piece[],
  isMoved = false,
): Piece[] {
  const texts = versions({ ancestor, primary: textOf(primary), proposed: textOf(proposed) });
  const conflict: TextConflict = isMoved ? { ...texts, moved: true } : texts;
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
