import { eachInSteps } from '../in-steps.ts';
import { get, type Load, type NodeHash } from '../map/index.ts';
import { runWithPauses, type Pause } from '../pause.ts';
import { childrenOf, isPage, type ContentRecord } from '../tree/index.ts';
import type { MergeState } from './merge-state.ts';

/** Restores deleted parents of pages that remain. One round trip per deleted level. */
export async function restoreParents(
  load: Load,
  proposed: NodeHash,
  state: MergeState,
  pause: Pause,
): Promise<void> {
  let missing = await runWithPauses(missingParents(state), pause);
  while (missing.length > 0) {
    const notInPrimary = missing.filter((id) => !state.primary.records.has(id));
    const found =
      notInPrimary.length === 0 ? undefined : await get<ContentRecord>(load, proposed, notInPrimary, pause);
    const restored = missing.flatMap((id) => state.primary.records.get(id) ?? found?.get(id) ?? []);
    if (restored.length === 0) return;
    await runWithPauses(
      eachInSteps(restored, (record) => state.retain(record.id, record)),
      pause,
    );
    const above = new Set(restored.map(parentIn));
    missing = (await runWithPauses(missingParents(state), pause)).filter((id) => above.has(id));
  }
}

/** Parents that do not exist, of pages that do. */
function* missingParents(state: MergeState): Generator<void, string[], void> {
  const needed = new Set<string>();
  yield* eachInSteps(state.changed, ([id, record]) => {
    if (record !== null) {
      const parent = parentIn(record);
      if (parent !== undefined && state.get(parent) === undefined) needed.add(parent);
    } else if (childrenOf(state.primary, id).some((child) => parentIn(state.get(child)) === id)) {
      needed.add(id);
    }
  });
  return [...needed].toSorted();
}

const parentIn = (record: ContentRecord | undefined): string | undefined =>
  isPage(record) ? record.parent : undefined;
