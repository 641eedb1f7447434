import { isSame } from '../../map/index.ts';
import { isRefusal, type Batch, type Step } from './batch.ts';
import type { Applied, Change, ChangeError, Outcome, Refusal, Refused } from './change.ts';
import { deleteFile, insertFiles } from './files.ts';
import { namesInRefs } from './page-refs.ts';
import { deletePage, insertPage, revertPage, updatePage } from './pages.ts';
import { deleteReusableContent, insertReusableContent, updateReusableContent } from './reusable-content.ts';
import { setVariables } from './variables.ts';
import { deriveTree } from '../build/derive-tree.ts';
import type { ContentRecord } from '../records.ts';
import type { Tree } from '../tree.ts';

/**
 * Applies changes in order, all or none. `now` is in milliseconds. After an invalid change the remaining ones are
 * still checked, except those that depend on it, so that one response reports every error.
 */
export function applyChanges(tree: Tree, changes: readonly Change[], now: number): Applied | Refused {
  const refs = new Map<string, string>();
  const touched = new Set<string>();
  const failed = new Set<string>();
  const outcomes: Outcome[] = [];
  const errors: ChangeError[] = [];
  let current = tree;
  for (const [index, change] of changes.entries()) {
    if (namesOf(change).some((name) => failed.has(name))) continue;
    const step = stepOf({ tree: current, now, refs }, change);
    if (isRefusal(step)) {
      errors.push({ index, ...step });
      for (const name of newNamesOf(change)) failed.add(name);
      continue;
    }
    current = deriveTree(current, step.records);
    for (const [id] of step.records) touched.add(id);
    for (const outcome of step.outcomes) {
      outcomes.push({ index, ...outcome });
      if (outcome.ref !== undefined) refs.set(outcome.ref, outcome.id);
    }
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, tree: current, changed: changedOf(tree, current, touched), outcomes };
}

function stepOf(batch: Batch, change: Change): Step | Refusal {
  switch (change.operation) {
    case 'insert_page':
      return insertPage(batch, change);
    case 'update_page':
    case 'move_page':
      return updatePage(batch, change);
    case 'delete_page':
      return deletePage(batch, change);
    case 'revert_page':
      return revertPage(batch, change);
    case 'insert_files':
      return insertFiles(batch, change);
    case 'delete_file':
      return deleteFile(batch, change);
    case 'set_variables':
      return setVariables(batch, change);
    case 'insert_reusable_content':
      return insertReusableContent(batch, change);
    case 'update_reusable_content':
      return updateReusableContent(batch, change);
    case 'delete_reusable_content':
      return deleteReusableContent(batch, change);
  }
}

/** The ids and refs that a change refers to. */
function namesOf(change: Change): string[] {
  const names: string[] = [];
  if ('page' in change) names.push(change.page);
  if ('into' in change && typeof change.into === 'string') names.push(change.into);
  if ('file' in change) names.push(change.file);
  if ('reusableContent' in change) names.push(change.reusableContent);
  if (change.operation === 'insert_page' || change.operation === 'update_page')
    names.push(...namesInRefs(change));
  return names;
}

function newNamesOf(change: Change): string[] {
  const created = 'files' in change ? change.files : 'id' in change ? [change] : [];
  return created.flatMap(({ id, ref }) => (ref === undefined ? [id] : [id, ref]));
}

function changedOf(before: Tree, after: Tree, ids: Iterable<string>): Map<string, ContentRecord | null> {
  const changed = new Map<string, ContentRecord | null>();
  for (const id of ids) {
    const [old, now] = [before.records.get(id), after.records.get(id)];
    if (old === now || (old !== undefined && now !== undefined && isSame(old, now))) continue;
    changed.set(id, now ?? null);
  }
  return changed;
}
