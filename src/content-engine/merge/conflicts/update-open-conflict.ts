import type { Tree } from '../../tree/index.ts';
import { isWholeBody, type BlockConflict, type Conflict } from './conflict.ts';
import { fieldValue } from './field-value.ts';
import { placeOf } from '../merge-record.ts';
import { isEqual } from '../versions.ts';

/**
 * Identifies the subject of a conflict: one field, the position of an entry, its existence, or its whole body.
 * Undefined for conflicts about blocks, which are identified by their keys.
 */
export function subjectOf(conflict: Conflict): string | undefined {
  const { kind, entry } = conflict;
  if (kind === 'block') return isWholeBody(conflict) ? JSON.stringify([kind, entry]) : undefined;
  return JSON.stringify(
    kind === 'field' ? [kind, entry, conflict.field, conflict.member ?? null] : [kind, entry],
  );
}

/**
 * Whether both sides have the same text by now, or the primary side has the text of the ancestor again. If no proposed
 * block is found, it may be deleted or only not recognised: the primary version may be the only one left, and stays.
 */
const isAgreed = ({ ancestor, primary, proposed, block, moved }: BlockConflict): boolean =>
  // Equal texts in two places are still two versions.
  moved !== true &&
  (isSameText(primary, proposed) || (block.proposed.length > 0 && isSameText(primary, ancestor)));

const isSameText = (one: string | undefined, other: string | undefined): boolean =>
  one?.trim() === other?.trim();

/**
 * Updates an open conflict of an earlier merge after another merge of the primary content. `again` is the conflict of
 * this merge about the same subject. Undefined: the sides no longer differ. A block conflict keeps both versions in
 * the content: `resolveConflict` then leaves the proposed one. A whole body was merged again.
 */
export function updateOpenConflict(
  conflict: Conflict,
  again: Conflict | undefined,
  primary: Tree,
  merged: Tree,
): Conflict | undefined {
  if (conflict.kind === 'block') {
    if (isWholeBody(conflict)) return again;
    return isAgreed(conflict) ? undefined : conflict;
  }
  const [primaryRecord, mergedRecord] = [
    primary.records.get(conflict.entry),
    merged.records.get(conflict.entry),
  ];
  switch (conflict.kind) {
    case 'field':
      if (isEqual(fieldValue(primaryRecord, conflict), fieldValue(mergedRecord, conflict))) return undefined;
      break;
    case 'position':
      if (isEqual(placeOf(primaryRecord), placeOf(mergedRecord))) return undefined;
      break;
    case 'delete':
      // The primary side restored the entry: differences in it are conflicts of their own.
      if (conflict.primary === undefined && primaryRecord !== undefined) return undefined;
      break;
  }
  if (again === undefined) return conflict;
  const { ancestor: _ancestor, ...rest } = again;
  const updated = (
    conflict.ancestor === undefined ? rest : { ...rest, ancestor: conflict.ancestor }
  ) as Conflict;
  // The primary side went back to the ancestor: only the proposed side changed it.
  return isEqual(updated.ancestor, updated.primary) ? undefined : updated;
}
