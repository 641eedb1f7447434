import {
  rebaseConflicts,
  resolveConflict,
  subjectOf,
  updateOpenConflict,
  type BlockConflict,
  type Conflict,
  type Merged,
  type Resolved,
  type RunBodyTasks,
} from '../../../content-engine/merge/index.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { bytesOf, withObjects } from '../../content/index.ts';
import { deleteConflicts, insertConflicts, replaceConflicts, type ConflictRow } from './store.ts';

/** What a request proposes after an update, and the conflicts that are left. */
export interface Renewed extends Resolved {
  readonly open: readonly ConflictRow[];
  readonly gone: readonly string[];
  readonly fresh: readonly Conflict[];
}

/**
 * After an update, which is nobody's decision: the conflicts that there were, with what the space has now, and those that
 * are new. Of a block that the sides agree on again, one version stands.
 */
export async function renewConflicts(
  load: Load,
  { before, primary, merged }: { readonly before: Tree; readonly primary: Tree; readonly merged: Merged },
  were: readonly ConflictRow[],
  { now, run }: { readonly now: number; readonly run: RunBodyTasks },
): Promise<Renewed> {
  const loadFrom = ({ texts }: Resolved) => withObjects(load, bytesOf(texts));
  const olds = were.map(({ conflict }) => conflict);
  const carried = await rebaseConflicts(loadFrom(merged), olds, before, merged.tree, run);
  const fresh = new Set(merged.conflicts);
  const bySubject = new Map(merged.conflicts.map((one) => [subjectOf(one), one]));
  const open: ConflictRow[] = [];
  const gone: string[] = [];
  const agreed: BlockConflict[] = [];
  for (const [index, { id, conflict: old }] of were.entries()) {
    const subject = subjectOf(old);
    const again = subject === undefined ? undefined : bySubject.get(subject);
    if (again) fresh.delete(again);
    const stands = carried[index]?.conflict;
    const renewed = stands && updateOpenConflict(stands, again, primary, merged.tree);
    if (renewed) open.push({ id, conflict: renewed });
    else gone.push(id);
    // Of what the request has, something must be left.
    if (!renewed && stands?.kind === 'block' && stands.block.proposed.length > 0) agreed.push(stands);
  }
  let content: Resolved = merged;
  for (const conflict of onePerEntry(agreed)) {
    const settled = await resolveConflict(loadFrom(content), content.tree, conflict, 'proposed', now, run);
    if (settled) content = withMore(content, settled);
  }
  if (content === merged) return { ...content, open, gone, fresh: [...fresh] };
  const follow = (conflicts: readonly Conflict[]) =>
    rebaseConflicts(loadFrom(content), conflicts, merged.tree, content.tree, run);
  const opened = await follow(open.map(({ conflict }) => conflict));
  const freshened = await follow([...fresh]);
  return {
    ...content,
    open: open.map((row, index) => ({ ...row, conflict: opened[index]?.conflict ?? row.conflict })),
    gone,
    fresh: freshened.flatMap(({ conflict }) => conflict ?? []),
  };
}

/** What is to go from one body goes at once: the keys of its other blocks may change by it. */
function onePerEntry(conflicts: readonly BlockConflict[]): BlockConflict[] {
  const entries = new Map<string, BlockConflict>();
  for (const { entry, block } of conflicts) {
    const known = entries.get(entry)?.block ?? { primary: [], proposed: [] };
    entries.set(entry, {
      kind: 'block',
      entry,
      block: {
        primary: [...known.primary, ...block.primary],
        proposed: [...known.proposed, ...block.proposed],
      },
    });
  }
  return [...entries.values()];
}

const withMore = (one: Resolved, more: Resolved): Resolved => ({
  changed: new Map([...one.changed, ...more.changed]),
  tree: more.tree,
  texts: new Map([...one.texts, ...more.texts]),
});

export async function storeConflicts(
  db: Database,
  requestId: string,
  { open, gone, fresh }: Pick<Renewed, 'open' | 'gone' | 'fresh'>,
): Promise<void> {
  await deleteConflicts(db, gone);
  await replaceConflicts(db, open);
  await insertConflicts(db, requestId, fresh);
}
