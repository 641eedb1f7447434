import { sizeOfText } from '../../size-of-text.ts';
import { addToList } from '../../add-to-list.ts';
import type { Load } from '../../map/index.ts';
import type { Tree } from '../../tree/index.ts';
import { runWithoutLimits, type RunBodyTasks } from '../body-tasks.ts';
import { relocateConflictBlocks, type RelocatedBlocks } from './relocate-conflict-blocks.ts';
import { isWholeBody, type BlockConflict, type Conflict } from './conflict.ts';
import { documentOf, fieldValue } from './field-value.ts';
import { entryIn, isRekeyed, placeOf } from '../merge-record.ts';
import { TextStore } from '../text-store.ts';
import { isEqual, presentVersions } from '../versions.ts';

export interface RebasedConflict {
  /** The conflict after the edit: its blocks may have other keys. Absent: none of its blocks is left. */
  readonly conflict?: Conflict;
  /** Whether the edit changed the conflicting block, field or position, or deleted the entry. */
  readonly isEdited: boolean;
}

/**
 * Rebases open conflicts onto the edited content of their change request, in the same order. An edit of the
 * conflicting block or field resolves a conflict. The bodies of a page are compared once, however many conflicts it
 * has.
 */
export async function rebaseConflicts(
  load: Load,
  conflicts: readonly Conflict[],
  before: Tree,
  after: Tree,
  run: RunBodyTasks = runWithoutLimits,
): Promise<RebasedConflict[]> {
  const inBodies = await rebaseInBodies(load, conflicts, before, after, run);
  return conflicts.map((conflict) => inBodies.get(conflict) ?? rebaseConflict(conflict, before, after));
}

/** A conflict that is not about blocks of an edited body. */
function rebaseConflict(conflict: Conflict, before: Tree, after: Tree): RebasedConflict {
  const [old, now] = [entryIn(before, conflict.entry), entryIn(after, conflict.entry)];
  if (now === undefined) return { isEdited: true };
  switch (conflict.kind) {
    case 'block':
      if (documentOf(old) === documentOf(now)) return { conflict, isEdited: false };
      return isWholeBody(conflict) ? { conflict, isEdited: true } : { isEdited: true };
    case 'field':
      return { conflict, isEdited: !isEqual(fieldValue(old, conflict), fieldValue(now, conflict)) };
    case 'position':
      return { conflict, isEdited: !isEqual(placeOf(old), placeOf(now)) && !isRekeyed(old, now) };
    case 'delete':
      // Only deleting the entry would resolve it, and the entry exists.
      return { conflict, isEdited: false };
  }
}

/** The conflicts about blocks in edited bodies. */
async function rebaseInBodies(
  load: Load,
  conflicts: readonly Conflict[],
  before: Tree,
  after: Tree,
  run: RunBodyTasks,
): Promise<Map<Conflict, RebasedConflict>> {
  const byEntry = new Map<string, BlockConflict[]>();
  for (const conflict of conflicts) {
    if (conflict.kind === 'block' && !isWholeBody(conflict)) addToList(byEntry, conflict.entry, conflict);
  }
  const bodies = Array.from(byEntry).flatMap(([entry, conflicts]) => {
    const [old, now] = [documentOf(entryIn(before, entry)), documentOf(entryIn(after, entry))];
    return old === undefined || now === undefined || old === now ? [] : [{ entry, conflicts, old, now }];
  });
  const texts = new TextStore();
  await texts.load(
    load,
    bodies.flatMap(({ old, now }) => [old, now]),
  );
  const tasks = bodies.map(({ entry, conflicts, old, now }) => {
    const [before, after] = [texts.get(old), texts.get(now)];
    const blocks = conflicts.map(({ block }) => block);
    const perform = () => relocateConflictBlocks(before, after, blocks);
    return { entry, size: sizeOfText(before, after), perform };
  });
  const relocated = run(tasks);
  const rebased = new Map<Conflict, RebasedConflict>();
  for (const [at, { conflicts }] of bodies.entries())
    for (const [index, conflict] of conflicts.entries())
      rebased.set(conflict, withBlocks(conflict, relocated[at]?.[index]));
  return rebased;
}

function withBlocks(conflict: BlockConflict, relocated: RelocatedBlocks | undefined): RebasedConflict {
  if (relocated === undefined) return { conflict, isEdited: false };
  const { isEdited, block, edited } = relocated;
  if (block === undefined) return { isEdited };
  const { kind, entry, moved, ancestor, primary, proposed } = conflict;
  const versions = presentVersions({ ancestor, primary, proposed, ...edited });
  return { conflict: { kind, entry, ...versions, block, ...(moved && { moved }) }, isEdited };
}
