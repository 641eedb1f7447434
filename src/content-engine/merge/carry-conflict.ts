import type { Load } from '../map/index.ts';
import type { ContentRecord, Tree } from '../tree/index.ts';
import { carryBlocks } from './carry-keys.ts';
import { textOfBlocks } from './body/without-blocks.ts';
import type { BlockConflict, Conflict, Standing } from './conflict.ts';
import { documentOf, fieldValue } from './field-value.ts';
import { entryIn, isRekeyed, placeOf } from './merge-record.ts';
import { Texts } from './texts.ts';
import { isEqual, versions } from './three.ts';

export interface Carried {
  /** The conflict as it stands after: its blocks may have other keys. Absent: nothing of it is left. */
  readonly conflict?: Conflict;
  /** Whether that very block, field or position is another than before, or the entry is gone. */
  readonly isEdited: boolean;
}

/** Where a conflict stands after the content of its change request changed from one tree to another. */
export async function carryConflict(
  load: Load,
  conflict: Conflict,
  before: Tree,
  after: Tree,
): Promise<Carried> {
  const [old, now] = [entryIn(before, conflict.entry), entryIn(after, conflict.entry)];
  if (now === undefined) return { isEdited: true };
  switch (conflict.kind) {
    case 'block':
      return carryBlock(load, conflict, old, now);
    case 'field':
      return { conflict, isEdited: !isEqual(fieldValue(old, conflict), fieldValue(now, conflict)) };
    case 'position':
      return { conflict, isEdited: !isEqual(placeOf(old), placeOf(now)) && !isRekeyed(old, now) };
    case 'delete':
      // Only its deletion would be another answer.
      return { conflict, isEdited: false };
  }
}

/** An edit of that very block or field resolves a conflict. Store the conflict of `carryConflict` where it does not. */
export async function isResolvedBy(
  load: Load,
  conflict: Conflict,
  before: Tree,
  after: Tree,
): Promise<boolean> {
  const { conflict: left, isEdited } = await carryConflict(load, conflict, before, after);
  return isEdited || left === undefined;
}

async function carryBlock(
  load: Load,
  conflict: BlockConflict,
  old: ContentRecord | undefined,
  now: ContentRecord,
): Promise<Carried> {
  const [before, after] = [documentOf(old), documentOf(now)];
  if (before === after) return { conflict, isEdited: false };
  if (before === undefined || after === undefined) return { isEdited: true };
  const keys = [...conflict.block.primary, ...conflict.block.proposed];
  if (keys.length === 0) return { conflict, isEdited: true };
  const texts = new Texts();
  await texts.load(load, [before, after]);
  const carried = carryBlocks(texts.get(before), texts.get(after));
  const found = keys.map((key) => carried.get(key));
  const isEdited = found.some((block) => block === undefined || block.isEdited);
  if (found.every((block) => block === undefined)) return { isEdited };
  const carry = (keys: readonly string[]) => keys.flatMap((key) => carried.get(key)?.key ?? []);
  const block = { primary: carry(conflict.block.primary), proposed: carry(conflict.block.proposed) };
  /** Its version is what it became; where nothing is left of it, none. */
  const textOn = (side: keyof Standing): string | undefined => {
    const isAsItWas = conflict.block[side].every((key) => carried.get(key)?.isEdited === false);
    if (isAsItWas) return conflict[side];
    return block[side].length === 0 ? undefined : textOfBlocks(texts.get(after), new Set(block[side]));
  };
  const three = { ancestor: conflict.ancestor, primary: textOn('primary'), proposed: textOn('proposed') };
  return { conflict: { kind: 'block', entry: conflict.entry, ...versions(three), block }, isEdited };
}
