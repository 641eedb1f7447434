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
import { withTexts } from '../../revisions/index.ts';
import { deleteConflicts, insertConflicts, replaceConflicts, type ConflictRow } from './store.ts';

/** The proposed content after an update, and its conflicts. */
export interface Recomputed extends Resolved {
  readonly open: readonly ConflictRow[];
  /** Those of them that are other ones now. */
  readonly replaced: readonly ConflictRow[];
  readonly settled: readonly string[];
  readonly added: readonly Conflict[];
}

/**
 * Recomputes the conflicts after an update from the space: open conflicts get the space's current version, and new ones
 * are added. An update resolves a conflict only if the sides no longer differ; one version of its block remains.
 */
export async function recomputeConflicts(
  load: Load,
  { before, primary, merged }: { readonly before: Tree; readonly primary: Tree; readonly merged: Merged },
  previous: readonly ConflictRow[],
  { now, run }: { readonly now: number; readonly run: RunBodyTasks },
): Promise<Recomputed> {
  const loadFrom = ({ texts }: Resolved) => withTexts(load, texts);
  const conflicts = previous.map(({ conflict }) => conflict);
  const carried = await rebaseConflicts(loadFrom(merged), conflicts, before, merged.tree, run);
  const added = new Set(merged.conflicts);
  const bySubject = new Map(merged.conflicts.map((one) => [subjectOf(one), one]));
  const open: ConflictRow[] = [];
  const settled: string[] = [];
  const agreed: BlockConflict[] = [];
  for (const [index, { id, conflict: old }] of previous.entries()) {
    const subject = subjectOf(old);
    const repeated = subject === undefined ? undefined : bySubject.get(subject);
    if (repeated) added.delete(repeated);
    const current = carried[index]?.conflict;
    const updated = current && updateOpenConflict(current, repeated, primary, merged.tree);
    if (updated) open.push({ id, conflict: updated });
    else settled.push(id);
    // `resolveConflict` keeps the proposed version, so it must exist.
    if (!updated && current?.kind === 'block' && current.block.proposed.length > 0) agreed.push(current);
  }
  let content: Resolved = merged;
  for (const conflict of onePerEntry(agreed)) {
    const resolved = await resolveConflict(loadFrom(content), content.tree, conflict, 'proposed', now, run);
    if (resolved) content = withMore(content, resolved);
  }
  const stored = new Set(conflicts);
  const isReplaced = ({ conflict }: ConflictRow): boolean => !stored.has(conflict);
  if (content === merged)
    return { ...content, open, replaced: open.filter(isReplaced), settled, added: [...added] };
  const follow = (conflicts: readonly Conflict[]) =>
    rebaseConflicts(loadFrom(content), conflicts, merged.tree, content.tree, run);
  const openNow = await follow(open.map(({ conflict }) => conflict));
  const addedNow = await follow([...added]);
  const followed = open.map((row, index) => ({
    ...row,
    conflict: openNow[index]?.conflict ?? row.conflict,
  }));
  return {
    ...content,
    open: followed,
    replaced: followed.filter(isReplaced),
    settled,
    added: addedNow.flatMap(({ conflict }) => conflict ?? []),
  };
}

/** Resolves the blocks of one body together: resolving one may change the keys of the others. */
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
  { replaced, settled, added }: Pick<Recomputed, 'replaced' | 'settled' | 'added'>,
): Promise<void> {
  await deleteConflicts(db, settled);
  await replaceConflicts(db, replaced);
  await insertConflicts(db, requestId, added);
}
