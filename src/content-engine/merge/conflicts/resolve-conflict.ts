import { emptyRoot, type Hash, type Load } from '../../map/index.ts';
import { childrenOf, isPage, sourceOf, type ContentRecord, type Tree } from '../../tree/index.ts';
import { runWithoutLimits, type RunBodyTasks } from '../body-tasks.ts';
import {
  isWholeBody,
  type BlockConflict,
  type Conflict,
  type DeleteConflict,
  type FieldConflict,
  type Use,
} from './conflict.ts';
import { MergeState } from '../merge-state.ts';
import { fieldValue, hasDocument, withFieldValue } from './field-value.ts';
import { entryIn, NO_VARIABLES } from '../merge-record.ts';
import { removeFromBodies } from './remove-from-bodies.ts';
import { repairTree } from '../repair/repair-tree.ts';
import { TextStore } from '../text-store.ts';
import { isEqual } from '../versions.ts';

/**
 * The change to the content of the change request. Empty if the chosen version is already there, or the entry is not.
 */
export interface Resolved {
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly tree: Tree;
  readonly texts: ReadonlyMap<Hash, string>;
}

/**
 * Applies the chosen version. `tree` is the current content of the change request; `now` is in milliseconds.
 * Undefined: the version is impossible, such as a position below a deleted page or below the page's own descendant, or
 * the deletion of a page that has children.
 */
export async function resolveConflict(
  load: Load,
  tree: Tree,
  conflict: Conflict,
  use: Use,
  now: number,
  run: RunBodyTasks = runWithoutLimits,
): Promise<Resolved | undefined> {
  const record = entryIn(tree, conflict.entry);
  const texts = new TextStore();
  if (record === undefined || use === 'both') return { changed: new Map(), tree, texts: new Map() };
  if (deletes(conflict, use) && childrenOf(tree, conflict.entry).length > 0) return undefined;
  const state = new MergeState(tree);
  for (const [id, next] of await changesFor(load, tree, record, conflict, use, texts, run)) {
    if (next === null || isEqual(next, state.get(id))) state.set(id, next ?? null);
    else state.set(id, isPage(next) ? { ...next, updatedAt: now } : next);
  }
  const resolved = await repairTree(load, emptyRoot, state);
  if (state.conflicts.length > 0) return undefined;
  return { changed: state.changed, tree: resolved, texts: texts.created };
}

const deletes = (conflict: Conflict, use: 'primary' | 'proposed'): boolean =>
  conflict.kind === 'delete' && conflict[use] === undefined;

type Changes = readonly (readonly [string, ContentRecord | null])[];

async function changesFor(
  load: Load,
  tree: Tree,
  record: ContentRecord,
  conflict: Conflict,
  use: 'primary' | 'proposed',
  texts: TextStore,
  run: RunBodyTasks,
): Promise<Changes> {
  const { id } = record;
  switch (conflict.kind) {
    case 'block':
      return [[id, await withVersionOfBlocks(load, record, conflict, use, texts, run)]];
    case 'field':
      return [[id, withVersionOfField(record, conflict, use, texts)]];
    case 'position': {
      const place = conflict[use];
      if (place === undefined || !isPage(record)) return [];
      const { parent: _parent, ...rest } = record;
      return [[id, { ...rest, ...place } as ContentRecord]];
    }
    case 'delete':
      return [
        ...(deletes(conflict, use) ? [[id, null] as const] : []),
        ...withFileOf(tree, conflict, record, use),
      ];
  }
}

/** A deleted page leaves its file, and a page that is kept has the file itself. */
function withFileOf(
  tree: Tree,
  { file }: DeleteConflict,
  page: ContentRecord,
  use: 'primary' | 'proposed',
): Changes {
  const record = file === undefined ? undefined : tree.records.get(file);
  if (record?.kind !== 'file') return [];
  const path = use === 'proposed' ? sourceOf(page) : undefined;
  return [[record.id, path === undefined ? null : { ...record, path }]];
}

/** Removes the blocks of the other version from the document. */
async function withVersionOfBlocks(
  load: Load,
  record: ContentRecord,
  conflict: BlockConflict,
  use: 'primary' | 'proposed',
  texts: TextStore,
  run: RunBodyTasks,
): Promise<ContentRecord> {
  if (!hasDocument(record)) return record;
  const keys = conflict.block[use === 'primary' ? 'proposed' : 'primary'];
  const body = isWholeBody(conflict) ? (conflict[use] ?? '') : undefined;
  const [remaining = record] = await removeFromBodies(load, [{ record, keys, body }], texts, run);
  return remaining;
}

/** A conflict has texts as they are; a record may have them out of line. */
function withVersionOfField(
  record: ContentRecord,
  conflict: FieldConflict,
  use: 'primary' | 'proposed',
  texts: TextStore,
): ContentRecord | null {
  const isText = conflict.member === 'frontmatter' || conflict.member === 'text';
  const chosen = conflict[use];
  const value = isText && typeof chosen === 'string' ? texts.inline(chosen) : chosen;
  if (isEqual(value, fieldValue(record, conflict))) return record;
  const next = withFieldValue(record, conflict, value);
  return isEqual(next, NO_VARIABLES) ? null : next;
}
