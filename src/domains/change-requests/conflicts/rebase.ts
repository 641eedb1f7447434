import { rebaseConflicts, type RunBodyTasks } from '../../../content-engine/merge/index.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { deleteConflicts, listConflicts, replaceConflicts, type ConflictRow } from './store.ts';

/**
 * Updates the positions of open conflicts after an edit of the request. An edit of the conflicting block or field
 * resolves it.
 */
export async function rebaseOpenConflicts(
  db: Database,
  requestId: string,
  load: Load,
  change: {
    readonly before: Tree;
    readonly after: Tree;
    readonly changed: ReadonlyMap<string, unknown>;
  },
  run: RunBodyTasks,
): Promise<void> {
  const rows = await listConflicts(db, requestId, [...change.changed.keys()]);
  if (rows.length === 0) return;
  const open = rows.map(({ conflict }) => conflict);
  const carried = await rebaseConflicts(load, open, change.before, change.after, run);
  const resolved: string[] = [];
  const moved: ConflictRow[] = [];
  for (const [index, { id, conflict: old }] of rows.entries()) {
    const { conflict: now, isEdited } = carried[index] ?? { isEdited: true };
    if (!now || isEdited) resolved.push(id);
    else if (now !== old) moved.push({ id, conflict: now });
  }
  await deleteConflicts(db, resolved);
  await replaceConflicts(db, moved);
}
