import type { Load, NodeHash } from '../map/index.ts';
import { runWithPauses, type Pause } from '../pause.ts';
import {
  deriveTree,
  deriveTreeInSteps,
  freeFilePath,
  isPage,
  pathOf,
  repairRecords,
  type DocumentPage,
  type Problem,
  type Tree,
} from '../tree/index.ts';
import type { MergeState } from './merge-state.ts';
import { restoreParents } from './restore-parents.ts';
import { renameDuplicates, renameReportedDuplicates } from './unique-names.ts';
import { restorePositions } from './restore-positions.ts';

/** Each round repairs every problem, and few repairs cause another one. */
const MAX_ROUNDS = 40;

/** Makes a valid tree of entries that were merged one by one: existing parents, possible positions, unique names. */
export async function repairTree(
  load: Load,
  proposed: NodeHash,
  state: MergeState,
  pause: Pause,
): Promise<Tree> {
  const derive = () => runWithPauses(deriveTreeInSteps(state.primary, state.changed), pause);
  await runWithPauses(renameDuplicates(state), pause);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await restoreParents(load, proposed, state);
    await pause();
    const tree = await derive();
    const problems = newProblems(state, tree);
    if (problems.size === 0) return nameFiles(state, tree);
    if (!restorePositions(state, problems)) renameReportedDuplicates(state, tree, problems);
  }
  const tree = await derive();
  const repaired = repairRecords(tree);
  for (const id of newProblems(state, tree).keys()) state.set(id, repaired.get(id) ?? null);
  return derive();
}

/** A merge does not repair problems that the primary content already has. */
function newProblems(state: MergeState, tree: Tree): Map<string, readonly Problem[]> {
  const { problems } = state.primary;
  return new Map(
    [...tree.problems].filter(([id, now]) => {
      const before = state.changed.has(id) ? undefined : problems.get(id);
      return now.some((problem) => before?.includes(problem) !== true);
    }),
  );
}

/** Names the file of each document after its path, where the sides gave it different files. */
function nameFiles(state: MergeState, tree: Tree): Tree {
  let named = tree;
  for (const id of state.unnamed) {
    const page = state.get(id);
    if (!isPage(page) || page.type !== 'document' || page.source === undefined) continue;
    const path = freeFilePath(named, id, pathOf(named, id) ?? id);
    const record: DocumentPage = { ...page, source: { ...page.source, path } };
    state.set(id, record);
    named = deriveTree(named, [[id, record]]);
  }
  return named;
}
