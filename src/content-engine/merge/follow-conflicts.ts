import { hashOf, type Load } from '../map/index.ts';
import type { Tree } from '../tree/index.ts';
import { runHere, type RunBodyTasks } from './body-tasks.ts';
import type { Carried } from './relocate-conflict-blocks.ts';
import { isWhole, type BlockConflict, type Conflict } from './conflict.ts';
import { documentOf, fieldValue } from './field-value.ts';
import { entryIn, isRekeyed, placeOf } from './merge-record.ts';
import { Texts } from './text-store.ts';
import { isEqual } from './versions.ts';

/**
 * Where conflicts stand after the content of their change request changed from one tree to another, in their order. An
 * edit of that very block or field resolves one. A page may have hundreds: its bodies are compared once.
 */
export async function carryConflicts(
  load: Load,
  conflicts: readonly Conflict[],
  before: Tree,
  after: Tree,
  run: RunBodyTasks = runHere,
): Promise<Carried[]> {
  const rewritten = await carryInBodies(load, conflicts, before, after, run);
  return conflicts.map((conflict) => {
    const [old, now] = [entryIn(before, conflict.entry), entryIn(after, conflict.entry)];
    if (now === undefined) return { isEdited: true };
    switch (conflict.kind) {
      case 'block':
        if (documentOf(old) === documentOf(now)) return { conflict, isEdited: false };
        if (isWhole(conflict)) return { conflict, isEdited: true };
        return rewritten.get(conflict) ?? { isEdited: true };
      case 'field':
        return { conflict, isEdited: !isEqual(fieldValue(old, conflict), fieldValue(now, conflict)) };
      case 'position':
        return { conflict, isEdited: !isEqual(placeOf(old), placeOf(now)) && !isRekeyed(old, now) };
      case 'delete':
        // Only its deletion would be another answer.
        return { conflict, isEdited: false };
    }
  });
}

/** Conflicts about blocks of bodies that became others. */
async function carryInBodies(
  load: Load,
  conflicts: readonly Conflict[],
  before: Tree,
  after: Tree,
  run: RunBodyTasks,
): Promise<Map<Conflict, Carried>> {
  const byEntry = new Map<string, BlockConflict[]>();
  for (const conflict of conflicts) {
    if (conflict.kind !== 'block' || isWhole(conflict)) continue;
    const known = byEntry.get(conflict.entry);
    if (known === undefined) byEntry.set(conflict.entry, [conflict]);
    else known.push(conflict);
  }
  const bodies = Array.from(byEntry).flatMap(([entry, conflicts]) => {
    const [old, now] = [documentOf(entryIn(before, entry)), documentOf(entryIn(after, entry))];
    return old === undefined || now === undefined || old === now ? [] : [{ entry, conflicts, old, now }];
  });
  const texts = new Texts();
  await texts.load(
    load,
    bodies.flatMap(({ old, now }) => [old, now]),
  );
  const tasks = bodies.map(({ entry, conflicts, old, now }) => {
    const input = { before: texts.get(old), after: texts.get(now), conflicts };
    return {
      input,
      key: `${old} ${now} ${hashOf(JSON.stringify(conflicts))}`,
      entry,
      size: input.before.length + input.after.length,
    };
  });
  const carried = await run('carryBlockConflicts', tasks);
  return new Map(
    bodies.flatMap(({ conflicts }, at) =>
      conflicts.map((conflict, index) => [conflict, carried[at]?.[index] ?? { conflict, isEdited: false }]),
    ),
  );
}
