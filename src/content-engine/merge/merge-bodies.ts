import { BODY_BUDGET, MERGE_BUDGET } from '../diff/index.ts';
import { sizeOfText } from '../size-of-text.ts';
import type { RunBodyTasks } from './body-tasks.ts';
import { mergeDocument, targetsIn, type MergedDocument } from './merge-document.ts';
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
export function mergeBodies(
  both: readonly RecordVersions[],
  state: MergeState,
  texts: TextStore,
  run: RunBodyTasks,
): Map<string, MergedDocument> {
  const changed: ChangedEntry[] = [];
  for (const versions of both) {
    const bodies = bodiesToMerge(versions);
    if (bodies !== undefined) changed.push({ entry: versions.primary.id, bodies });
  }
  const budget = Math.min(BODY_BUDGET, Math.floor(MERGE_BUDGET / Math.max(1, changed.length)));
  const merged = run(changed.map((one) => taskFor(one, state, texts, budget)));
  return new Map(changed.map(({ entry }, index) => [entry, merged[index] as MergedDocument]));
}

function taskFor({ entry, bodies }: ChangedEntry, state: MergeState, texts: TextStore, budget: number) {
  const versions = mapVersions(bodies, (body) => readDocument(body, texts));
  const { ancestor, primary, proposed } = versions;
  const targets = [...targetsIn(primary), ...targetsIn(proposed)];
  const present = new Set(targets.filter((id) => state.exists(id)));
  return {
    entry,
    size: sizeOfText(ancestor.text, primary.text, proposed.text),
    perform: () => mergeDocument({ versions, present, budget }),
  };
}
