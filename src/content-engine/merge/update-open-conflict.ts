import type { Tree } from '../tree/index.ts';
import { isWhole, type BlockConflict, type Conflict } from './conflict.ts';
import { fieldValue } from './field-value.ts';
import { placeOf } from './merge-record.ts';
import { isEqual } from './versions.ts';

/**
 * What a conflict is about: one field, the place of an entry, whether it exists, or its whole body. Equal for conflicts
 * about the same. Undefined for conflicts about blocks, which are told apart by their keys.
 */
export function subjectOf(conflict: Conflict): string | undefined {
  const { kind, entry } = conflict;
  if (kind === 'block') return isWhole(conflict) ? JSON.stringify([kind, entry]) : undefined;
  return JSON.stringify(
    kind === 'field' ? [kind, entry, conflict.field, conflict.member ?? null] : [kind, entry],
  );
}

/**
 * Both have the same by now, or the primary side has what it had. Where no block is left of what the request has, that may
 * be gone or only not be found: it is not for a merge to take away the other one, which may be all there is.
 */
const isAgreed = ({ ancestor, primary, proposed, block, moved }: BlockConflict): boolean =>
  // Equal texts in two places are two versions still.
  moved !== true &&
  (isSameText(primary, proposed) || (block.proposed.length > 0 && isSameText(primary, ancestor)));

const isSameText = (one: string | undefined, other: string | undefined): boolean =>
  one?.trim() === other?.trim();

/**
 * A conflict that an earlier merge left open, after the primary content was merged in once more: `again` is what this
 * merge says of the same. What the primary side has is what it has now. Undefined: the sides do not differ any more. Of a
 * block both versions stand still: the proposed one is left by `resolveConflict`. A whole body was merged anew.
 */
export function renewConflict(
  conflict: Conflict,
  again: Conflict | undefined,
  primary: Tree,
  merged: Tree,
): Conflict | undefined {
  if (conflict.kind === 'block') {
    if (isWhole(conflict)) return again;
    return isAgreed(conflict) ? undefined : conflict;
  }
  const [theirs, ours] = [primary.records.get(conflict.entry), merged.records.get(conflict.entry)];
  switch (conflict.kind) {
    case 'field':
      if (isEqual(fieldValue(theirs, conflict), fieldValue(ours, conflict))) return undefined;
      break;
    case 'position':
      if (isEqual(placeOf(theirs), placeOf(ours))) return undefined;
      break;
    case 'delete':
      // The primary side has it again: what is different in it is another conflict.
      if (conflict.primary === undefined && theirs !== undefined) return undefined;
      break;
  }
  if (again === undefined) return conflict;
  const { ancestor: _ancestor, ...rest } = again;
  const renewed = (
    conflict.ancestor === undefined ? rest : { ...rest, ancestor: conflict.ancestor }
  ) as Conflict;
  // Back to where both came from: only the other side changed it.
  return isEqual(renewed.ancestor, renewed.primary) ? undefined : renewed;
}
