import { addToList } from '../../../content-engine/add-to-list.ts';
import {
  rebaseConflicts,
  resolveAgreedBlocks,
  subjectOf,
  updateOpenConflict,
  type Conflict,
  type Merged,
  type Resolved,
  type RunBodyTasks,
} from '../../../content-engine/merge/index.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { withTexts } from '../../content-store/index.ts';
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
  const bySubject = previous.length === 0 ? NO_SUBJECTS : indexBySubject(merged.conflicts);
  const open: ConflictRow[] = [];
  const settled: string[] = [];
  const agreed = new Map<string, string[]>();
  for (const [index, { id, conflict: old }] of previous.entries()) {
    const subject = subjectOf(old);
    const repeated = subject === undefined ? undefined : bySubject.get(subject);
    if (repeated) added.delete(repeated);
    const current = carried[index]?.conflict;
    const updated = current && updateOpenConflict(current, repeated, primary, merged.tree);
    if (updated) open.push({ id, conflict: updated });
    else settled.push(id);
    // The primary version is removed only where the proposed one exists.
    if (!updated && current?.kind === 'block' && current.block.proposed.length > 0)
      for (const key of current.block.primary) addToList(agreed, current.entry, key);
  }
  const stored = new Set(conflicts);
  const isReplaced = ({ conflict }: ConflictRow): boolean => !stored.has(conflict);
  if (agreed.size === 0)
    return { ...merged, open, replaced: open.filter(isReplaced), settled, added: [...added] };
  const resolved = await resolveAgreedBlocks(loadFrom(merged), merged.tree, agreed, { now, run });
  const content = withMore(merged, resolved);
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

const NO_SUBJECTS: ReadonlyMap<string, Conflict> = new Map();

function indexBySubject(conflicts: readonly Conflict[]): ReadonlyMap<string, Conflict> {
  const index = new Map<string, Conflict>();
  for (const conflict of conflicts) {
    const subject = subjectOf(conflict);
    if (subject !== undefined) index.set(subject, conflict);
  }
  return index;
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
