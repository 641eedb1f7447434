import { presentVersions } from '../versions.ts';
import type { Piece, Side, TextConflict } from './merged-block.ts';
import type { Unit } from './source-block.ts';

type Units = readonly Unit[];

/** The result for an insertion that was moved or has a match. Undefined: it is new, and on one side only. */
export type ResolveInsertion = (unit: Unit, side: Side) => readonly Piece[] | undefined;

/**
 * Merges the insertions of both sides into one slot. A match is written once, and separates the insertions before it
 * from those after it.
 */
export function mergeInsertions(
  primary: Units,
  proposed: Units,
  matches: ReadonlyMap<Unit, Unit>,
  resolve: ResolveInsertion,
): Piece[] {
  const indexes = new Map(proposed.map((unit, index) => [unit, index]));
  const pieces: (readonly Piece[])[] = [];
  let [p, q] = [0, 0];
  for (const [index, unit] of primary.entries()) {
    const match = matches.get(unit);
    const matchIndex = match && indexes.get(match);
    if (matchIndex === undefined) continue;
    pieces.push(mergeUnmatched(primary.slice(p, index), proposed.slice(q, matchIndex), resolve));
    pieces.push(resolve(unit, 'primary') ?? []);
    [p, q] = [index + 1, matchIndex + 1];
  }
  pieces.push(mergeUnmatched(primary.slice(p), proposed.slice(q), resolve));
  return pieces.flat();
}

/** Only new units conflict: a moved unit would be lost with the version that is not chosen. */
function mergeUnmatched(primary: Units, proposed: Units, resolve: ResolveInsertion): readonly Piece[] {
  const read = (units: Units, side: Side) =>
    units.map((unit) => {
      const pieces = resolve(unit, side);
      return { pieces: pieces ?? [pieceOf(unit, side)], isNew: pieces === undefined };
    });
  const [ofPrimary, ofProposed] = [read(primary, 'primary'), read(proposed, 'proposed')];
  const newIn = (list: typeof ofPrimary) => list.flatMap(({ pieces, isNew }) => (isNew ? pieces : []));
  const [newPrimary, newProposed] = [newIn(ofPrimary), newIn(ofProposed)];
  const all = (list: typeof ofPrimary) => list.flatMap(({ pieces }) => pieces);
  if (newPrimary.length === 0 || newProposed.length === 0) {
    // A fixed order makes the result the same, whichever side is the primary one.
    const isFirst =
      newPrimary.length === newProposed.length
        ? isBefore(all(ofPrimary), all(ofProposed))
        : newPrimary.length === 0;
    return isFirst ? [...all(ofPrimary), ...all(ofProposed)] : [...all(ofProposed), ...all(ofPrimary)];
  }
  const conflict = presentVersions({
    ancestor: undefined,
    primary: textOf(newPrimary),
    proposed: textOf(newProposed),
  });
  const versionOf = (list: typeof ofPrimary, side: Side) =>
    list.flatMap(({ pieces, isNew }) =>
      isNew ? pieces.map((piece) => ({ ...piece, conflict, side })) : pieces,
    );
  return [...versionOf(ofPrimary, 'primary'), ...versionOf(ofProposed, 'proposed')];
}

const isBefore = (one: readonly Piece[], other: readonly Piece[]): boolean =>
  (textOf(one) ?? '') < (textOf(other) ?? '');

/** The longer text; of two equally long ones the greater. Symmetric. */
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

/** An insertion that both sides have. */
export function pieceOfBoth(primary: Unit, proposed: Unit): Piece {
  const text = longer(primary.text, proposed.text);
  const unit = primary.text === text ? primary : proposed;
  return { text, unit, trail: longer(primary.trail, proposed.trail), primary, proposed };
}

/** A conflict: both versions, the primary's first. */
export function conflictPieces(
  ancestor: string | undefined,
  primary: readonly Piece[],
  proposed: readonly Piece[],
  isMoved = false,
): Piece[] {
  const texts = presentVersions({ ancestor, primary: textOf(primary), proposed: textOf(proposed) });
  const conflict: TextConflict = isMoved ? { ...texts, moved: true } : texts;
  return [
    ...primary.map((piece) => ({ ...piece, conflict, side: 'primary' as const })),
    ...proposed.map((piece) => ({ ...piece, conflict, side: 'proposed' as const })),
  ];
}

/** Without the blank lines after the last piece. */
const textOf = (pieces: readonly Piece[]): string | undefined =>
  pieces.length === 0
    ? undefined
    : pieces.map(({ text, trail }, index) => (index < pieces.length - 1 ? text + trail : text)).join('');
