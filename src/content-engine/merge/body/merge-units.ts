import type { ComparisonBudget } from '../../diff/index.ts';
import { mapVersions, trivialMerge, type Versions } from '../versions.ts';
import { alignListItems } from './align-list-items.ts';
import { findInsertions } from './find-insertions.ts';
import {
  conflictPieces,
  longer,
  mergeInsertions,
  pieceOf,
  pieceOfBoth,
  type ResolveInsertion,
} from './merge-insertions.ts';
import type { Piece, Side } from './merged-block.ts';
import type { Unit } from './source-block.ts';

type Units = readonly Unit[];

/** The text of one merged unit. */
export type MergedUnit = Pick<Piece, 'text' | 'shape' | 'marks'>;

/** Merges a unit that both sides edited. Undefined: a conflict. */
export type MergeEdits = (versions: Versions<Unit>) => MergedUnit | undefined;

/** Merges the units of one container or body: their places, and the units that both sides edited. */
export function mergeUnits(all: Versions<Units>, mergeEdits: MergeEdits, budget: ComparisonBudget): Piece[] {
  const { units, sides } = alignListItems(all, budget);
  const { slots, matches, contested } = findInsertions(units, sides, budget);
  const find = (ancestor: Unit): UnitVersions => ({
    ancestor,
    primary: sides.primary.pairs.get(ancestor) ?? sides.primary.moved.get(ancestor),
    proposed: sides.proposed.pairs.get(ancestor) ?? sides.proposed.moved.get(ancestor),
  });
  const contestedPieces = new Map<Unit, PiecesBySide>();
  const resolve: ResolveInsertion = (unit, side) => {
    const origin = sides[side].origins.get(unit);
    if (origin !== undefined && contested.has(unit)) {
      const both = contestedPieces.get(origin) ?? mergeContested(find(origin), mergeEdits);
      contestedPieces.set(origin, both);
      return both[side];
    }
    if (origin !== undefined) return mergeMoved(find(origin), mergeEdits);
    const match = matches.get(unit);
    return match && [side === 'primary' ? pieceOfBoth(unit, match) : pieceOfBoth(match, unit)];
  };
  const inserted = (slot: number) =>
    mergeInsertions(slots.primary[slot] ?? [], slots.proposed[slot] ?? [], matches, resolve);
  const pieces = [inserted(0)];
  for (const [index, unit] of units.ancestor.entries()) {
    const isMoved = sides.primary.moved.has(unit) || sides.proposed.moved.has(unit);
    if (!isMoved) pieces.push(mergeUnit(find(unit), mergeEdits));
    pieces.push(inserted(index + 1));
  }
  return pieces.flat();
}

interface UnitVersions {
  readonly ancestor: Unit;
  readonly primary: Unit | undefined;
  readonly proposed: Unit | undefined;
}

/** A moved unit takes the edits of the other side with it. If the other side deleted it, it is a conflict. */
const mergeMoved = (versions: UnitVersions, mergeEdits: MergeEdits): Piece[] =>
  versions.primary && versions.proposed ? mergeUnit(versions, mergeEdits) : editOrDelete(versions);

type PiecesBySide = Readonly<Record<Side, readonly Piece[]>>;

/**
 * A unit that each side moved to another place: a conflict whose versions are in these places. The edits of both sides
 * are merged into both versions, so that choosing a place loses no words. If the edits conflict too, one choice
 * resolves place and text.
 */
function mergeContested(versions: UnitVersions, mergeEdits: MergeEdits): PiecesBySide {
  const [merged, ...more] = mergeUnit(versions, mergeEdits);
  const isMerged = more.length === 0 && merged?.conflict === undefined && merged?.marks === undefined;
  const versionOf = (side: Side): Piece[] => {
    const unit = versions[side];
    if (isMerged && merged !== undefined) return [merged];
    return unit === undefined ? [] : [pieceOf(unit, side)];
  };
  const pieces = conflictPieces(versions.ancestor.text, versionOf('primary'), versionOf('proposed'), true);
  const piecesOf = (own: Side) => pieces.filter(({ side }) => side === own);
  return { primary: piecesOf('primary'), proposed: piecesOf('proposed') };
}

/** A conflict between an edit and a deletion. */
function editOrDelete({ ancestor, primary, proposed }: UnitVersions): Piece[] {
  const piecesOf = (unit: Unit | undefined, side: Side) => (unit ? [pieceOf(unit, side)] : []);
  return conflictPieces(ancestor.text, piecesOf(primary, 'primary'), piecesOf(proposed, 'proposed'));
}

function mergeUnit({ ancestor, primary, proposed }: UnitVersions, mergeEdits: MergeEdits): Piece[] {
  if (primary === undefined || proposed === undefined) {
    const remaining = primary ?? proposed;
    const isUnedited = remaining === undefined || remaining.matchKey === ancestor.matchKey;
    return isUnedited ? [] : editOrDelete({ ancestor, primary, proposed });
  }
  const versions = { ancestor, primary, proposed };
  const trails = mapVersions(versions, ({ trail }) => trail);
  const trail = trivialMerge(trails)?.value ?? longer(trails.primary, trails.proposed);
  const same = trivialMerge(versions, (a, b) => a.matchKey === b.matchKey);
  if (same !== undefined) {
    const unit = primary.matchKey === proposed.matchKey ? mergeNumber(versions) : same.value;
    return [{ text: unit.text, trail, unit, primary, proposed }];
  }
  const merged = mergeEdits(versions);
  if (merged !== undefined) return [{ ...merged, trail, primary, proposed }];
  return conflictPieces(ancestor.text, [pieceOf(primary, 'primary')], [pieceOf(proposed, 'proposed')]);
}

/** Of units that differ in their list number at most. */
function mergeNumber({ ancestor, primary, proposed }: Versions<Unit>): Unit {
  const text = trivialMerge({
    ancestor: ancestor.text,
    primary: primary.text,
    proposed: proposed.text,
  })?.value;
  return (text ?? longer(primary.text, proposed.text)) === primary.text ? primary : proposed;
}
