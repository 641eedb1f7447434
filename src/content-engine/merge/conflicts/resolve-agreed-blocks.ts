import type { Load } from '../../map/index.ts';
import { deriveTree, isPage, type ContentRecord, type Tree } from '../../tree/index.ts';
import type { RunBodyTasks } from '../body-tasks.ts';
import { hasDocument } from './field-value.ts';
import { removeFromBodies } from './remove-from-bodies.ts';
import type { Resolved } from './resolve-conflict.ts';
import { TextStore } from '../text-store.ts';
import { isEqual } from '../versions.ts';

interface Options {
  /** The time of the change, in milliseconds. */
  readonly now: number;
  readonly run: RunBodyTasks;
}

/**
 * Removes the primary blocks of conflicts whose sides agree by now, so that the proposed ones remain. `agreed`: their
 * keys by entry. All blocks of a body are removed together, because removing one may change the keys of the others.
 * Positions and names do not change, so the tree needs no repair.
 */
export async function resolveAgreedBlocks(
  load: Load,
  tree: Tree,
  agreed: ReadonlyMap<string, readonly string[]>,
  { now, run }: Options,
): Promise<Resolved> {
  const texts = new TextStore();
  const removals = [...agreed].flatMap(([entry, keys]) => {
    const record = tree.records.get(entry);
    return hasDocument(record) ? [{ record, keys }] : [];
  });
  const changed = new Map<string, ContentRecord>();
  for (const [index, next] of (await removeFromBodies(load, removals, texts, run)).entries()) {
    if (isEqual(next, removals[index]?.record)) continue;
    changed.set(next.id, isPage(next) ? { ...next, updatedAt: now } : next);
  }
  return {
    changed,
    tree: deriveTree(tree, changed),
    texts: texts.created,
  };
}
