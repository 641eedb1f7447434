import { BODY_BUDGET, ComparisonBudget } from '../diff/index.ts';
import { align } from './body/align.ts';
import { containerShape, holdsBlocks, join, shapeOf, shapeOfPiece } from './body/merged-block.ts';
import type { Piece } from './body/merged-block.ts';
import { readBody, type Unit } from './body/source-block.ts';
import { isEqual } from './versions.ts';

type Units = readonly Unit[];

/** The keys that are in neither body. */
export function unknownBlocks(before: string, after: string, keys: readonly string[]): string[] {
  const known = new Set([before, after].flatMap((body) => keysIn(readBody(body).units)));
  return keys.filter((key) => !known.has(key));
}

/**
 * Reverts the blocks with these keys to the body `before`: edits are undone, insertions removed, and deletions
 * restored beside their neighbours. Other blocks are unchanged. A key may be of either body; equal blocks of both can
 * share a key.
 */
export function revertBlocks(before: string, after: string, keys: ReadonlySet<string>): string {
  const [old, now] = [readBody(before), readBody(after)];
  const isReverted = (unit: Unit) => keys.has(unit.key);
  const budget = new ComparisonBudget(BODY_BUDGET);
  const lineEnd = after.includes('\r\n') ? '\r\n' : '\n';
  const reverted = (revertsNested: boolean) => {
    const pieces = revertUnits(old.units, now.units, { isReverted, revertsNested, lineEnd, budget });
    if (pieces.length === 0) return { text: '', isParsedAsIntended: true };
    const end = (now.units.at(-1) ?? old.units.at(-1))?.trail ?? '';
    const text = now.lead + join(pieces, { lineEnd, end }).text;
    return { text, isParsedAsIntended: isEqual(shapeOf(readBody(text).units), pieces.flatMap(shapeOfPiece)) };
  };
  const inside = reverted(true);
  // A nested block that does not fit into its container is reverted with the whole container.
  return inside.isParsedAsIntended ? inside.text : reverted(false).text;
}

interface RevertContext {
  readonly isReverted: (unit: Unit) => boolean;
  /** Whether nested blocks are reverted one by one. */
  readonly revertsNested: boolean;
  readonly lineEnd: string;
  readonly budget: ComparisonBudget;
}

function revertUnits(old: Units, now: Units, context: RevertContext): Piece[] {
  const { pairs, moved } = align(old, now, context.budget);
  const origins = new Map(Array.from(moved, ([before, after]) => [after, before]));
  const isEither = (unit: Unit, partner: Unit | undefined) =>
    isAffected(unit, context) || (partner !== undefined && isAffected(partner, context));
  const pieces: Piece[] = [];
  let [fromOld, fromNow] = [0, 0];
  const places = [...pairs].map(([before, after]) => [before, after, before.index, after.index] as const);
  for (const [before, after, o, n] of [...places, [undefined, undefined, old.length, now.length] as const]) {
    // Between two paired blocks, deletions and insertions alternate.
    const [deleted, inserted] = [old.slice(fromOld, o), now.slice(fromNow, n)];
    for (let index = 0; index < Math.max(deleted.length, inserted.length); index++) {
      const [deletion, insertion] = [deleted[index], inserted[index]];
      if (deletion !== undefined && isEither(deletion, moved.get(deletion)))
        pieces.push({ ...deletion, unit: deletion, proposed: deletion });
      if (insertion !== undefined) {
        const mustRevert = isEither(insertion, origins.get(insertion));
        pieces.push(...(mustRevert ? revertInsertion(insertion, context) : [unchanged(insertion)]));
      }
    }
    if (before !== undefined && after !== undefined) pieces.push(revertPair(before, after, context));
    [fromOld, fromNow] = [o + 1, n + 1];
  }
  return pieces;
}

const unchanged = (unit: Unit, proposed?: Unit): Piece => ({
  text: unit.text,
  trail: unit.trail,
  unit,
  primary: unit,
  ...(proposed && { proposed }),
});

/** Whether the block or one of its descendants is to be reverted. */
const isAffected = (unit: Unit, context: RevertContext): boolean =>
  context.isReverted(unit) || unit.units.some((inner) => isAffected(inner, context));

function revertPair(before: Unit, after: Unit, context: RevertContext): Piece {
  if (!isAffected(before, context) && !isAffected(after, context)) return unchanged(after, before);
  const isWhole = context.isReverted(before) || context.isReverted(after);
  const inside = isWhole ? undefined : revertInside(before, after, before.units, context);
  return inside ?? { text: before.text, trail: after.trail, unit: before, primary: after, proposed: before };
}

/** An inserted block without its descendants that are reverted. Empty: the block itself is reverted. */
function revertInsertion(unit: Unit, context: RevertContext): Piece[] {
  const inside = context.isReverted(unit) ? undefined : revertInside(unit, unit, [], context);
  return inside === undefined ? [] : [inside];
}

/** Undefined: the block can be reverted only as a whole. */
function revertInside(before: Unit, after: Unit, old: Units, context: RevertContext): Piece | undefined {
  const { kind } = after;
  if (!context.revertsNested || !holdsBlocks(before) || !holdsBlocks(after) || before.kind !== kind) return;
  // The marker of an item decides the indentation of its lines: lines of another item do not fit.
  if (kind === 'list-item' && before.head !== after.head) return;
  const pieces = revertUnits(old, after.units, context);
  if (pieces.length === 0) return;
  const end = after.units.at(-1)?.trail ?? '';
  const { text } = join(pieces, { lineEnd: context.lineEnd, end });
  return {
    text: after.head + text + after.tail,
    trail: after.trail,
    primary: after,
    ...(before === after ? {} : { proposed: before }),
    shape: containerShape(kind, pieces.flatMap(shapeOfPiece)),
  };
}

const keysIn = (units: Units): string[] => units.flatMap(({ key, units }) => [key, ...keysIn(units)]);
