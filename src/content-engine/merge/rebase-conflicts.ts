import { sizeOfText } from '../size-of-text.ts';
import { addToList } from '../add-to-list.ts';
import { hashOf, type Load } from '../map/index.ts';
import { withoutPauses, type Pause } from '../pause.ts';
import type { Tree } from '../tree/index.ts';
import { runHere, type BodyTask, type RunBodyTasks } from './body-tasks.ts';
import type { RelocatedBlocks, RewrittenBody } from './relocate-conflict-blocks.ts';
import { isWholeBody, type BlockConflict, type Conflict } from './conflict.ts';
import { documentOf, fieldValue } from './field-value.ts';
import { entryIn, isRekeyed, placeOf } from './merge-record.ts';
import { TextStore } from './text-store.ts';
import { isEqual, presentVersions } from './versions.ts';

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
  run: RunBodyTasks = runHere,
  pause: Pause = withoutPauses,
): Promise<RebasedConflict[]> {
  const inBodies = await rebaseInBodies(load, conflicts, before, after, run, pause);
  const rebased: RebasedConflict[] = [];
  for (const conflict of conflicts) {
    rebased.push(inBodies.get(conflict) ?? rebaseConflict(conflict, before, after));
    await pause();
  }
  return rebased;
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
  pause: Pause,
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
    pause,
  );
  const tasks: BodyTask<RewrittenBody>[] = [];
  for (const { entry, conflicts, old, now } of bodies) {
    const blocks = conflicts.map(({ block }) => block);
    const input = { before: texts.get(old), after: texts.get(now), conflicts: blocks };
    tasks.push({
      input,
      key: `${old} ${now} ${hashOf(JSON.stringify(blocks))}`,
      entry,
      size: sizeOfText(input.before, input.after),
    });
    await pause();
  }
  const relocated = await run('relocateConflictBlocks', tasks);
  const rebased = new Map<Conflict, RebasedConflict>();
  for (const [at, { conflicts }] of bodies.entries()) {
    for (const [index, conflict] of conflicts.entries())
      rebased.set(conflict, withBlocks(conflict, relocated[at]?.[index]));
    await pause();
  }
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
