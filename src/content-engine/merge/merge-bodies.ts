import { BODY_BUDGET, MERGE_BUDGET } from '../diff/index.ts';
import { canonicalText } from '../map/index.ts';
import type { Pause } from '../pause.ts';
import { sizeOfText } from '../size-of-text.ts';
import type { RunBodyTasks } from './body-tasks.ts';
import { targetsIn, type MergedDocument } from './merge-document.ts';
import { bodiesToMerge, type RecordVersions } from './merge-record.ts';
import type { MergeState } from './merge-state.ts';
import { readDocument } from './stored-document.ts';
import type { TextStore } from './text-store.ts';
import { mapVersions } from './versions.ts';

type Bodies = NonNullable<ReturnType<typeof bodiesToMerge>>;

interface ChangedEntry {
  readonly entry: string;
  readonly bodies: Bodies;
}

/** Merges the bodies that both sides changed, by entry. Each gets an equal share of the budget. */
export async function mergeBodies(
  both: readonly RecordVersions[],
  state: MergeState,
  texts: TextStore,
  run: RunBodyTasks,
  pause: Pause,
): Promise<Map<string, MergedDocument>> {
  const changed: ChangedEntry[] = [];
  for (const versions of both) {
    const bodies = bodiesToMerge(versions);
    if (bodies !== undefined) changed.push({ entry: versions.primary.id, bodies });
    await pause();
  }
  const budget = Math.min(BODY_BUDGET, Math.floor(MERGE_BUDGET / Math.max(1, changed.length)));
  const tasks: ReturnType<typeof taskFor>[] = [];
  for (const one of changed) {
    tasks.push(taskFor(one, state, texts, budget));
    await pause();
  }
  const merged = await run('mergeDocument', tasks);
  return new Map(changed.map(({ entry }, index) => [entry, merged[index] as MergedDocument]));
}

function taskFor({ entry, bodies }: ChangedEntry, state: MergeState, texts: TextStore, budget: number) {
  const versions = mapVersions(bodies, (body) => readDocument(body, texts));
  const { ancestor, primary, proposed } = versions;
  const targets = [...targetsIn(primary), ...targetsIn(proposed)];
  const present = targets.filter((id) => state.exists(id));
  return {
    input: { versions, present: new Set(present), budget },
    key: canonicalText([bodies, present, budget]),
    entry,
    size: sizeOfText(ancestor.text, primary.text, proposed.text),
  };
}
