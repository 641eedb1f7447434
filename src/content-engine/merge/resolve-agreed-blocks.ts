import type { Load } from '../map/index.ts';
import { runWithPauses, type Pause } from '../pause.ts';
import { deriveTreeInSteps, isPage, type ContentRecord, type Tree } from '../tree/index.ts';
import type { RunBodyTasks } from './body-tasks.ts';
import { hasDocument } from './field-value.ts';
import { removeFromBodies } from './remove-from-bodies.ts';
import type { Resolved } from './resolve-conflict.ts';
import { TextStore } from './text-store.ts';
import { isEqual } from './versions.ts';

interface Options {
  /** In milliseconds. */
  readonly now: number;
  readonly run: RunBodyTasks;
  readonly pause: Pause;
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
  { now, run, pause }: Options,
): Promise<Resolved> {
  const texts = new TextStore();
  const removals = [...agreed].flatMap(([entry, keys]) => {
    const record = tree.records.get(entry);
    return hasDocument(record) ? [{ record, keys }] : [];
  });
  const changed = new Map<string, ContentRecord>();
  for (const [index, next] of (await removeFromBodies(load, removals, texts, run, pause)).entries()) {
    if (isEqual(next, removals[index]?.record)) continue;
    changed.set(next.id, isPage(next) ? { ...next, updatedAt: now } : next);
    await pause();
  }
  return {
    changed,
    tree: await runWithPauses(deriveTreeInSteps(tree, changed), pause),
    texts: texts.created,
  };
}
