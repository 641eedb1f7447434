import type { Load, NodeHash } from '../map/index.ts';
import { eachInSteps } from '../in-steps.ts';
import { runWithPauses, type Pause } from '../pause.ts';
import { deriveTreeInSteps, repairRecordsInSteps, type Problem, type Tree } from '../tree/index.ts';
import type { MergeState } from './merge-state.ts';
import { nameFiles } from './name-files.ts';
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
    await restoreParents(load, proposed, state, pause);
    const tree = await derive();
    const problems = await runWithPauses(newProblems(state, tree), pause);
    if (problems.size === 0) return runWithPauses(nameFiles(state, tree), pause);
    if (await runWithPauses(restorePositions(state, problems), pause)) continue;
    await runWithPauses(renameReportedDuplicates(state, tree, problems), pause);
  }
  const tree = await derive();
  const repaired = await runWithPauses(repairRecordsInSteps(tree), pause);
  for (const id of (await runWithPauses(newProblems(state, tree), pause)).keys())
    state.set(id, repaired.get(id) ?? null);
  return derive();
}

type Problems = ReadonlyMap<string, readonly Problem[]>;

/** A merge does not repair problems that the primary content already has. */
function* newProblems(state: MergeState, tree: Tree): Generator<void, Problems, void> {
  const { problems } = state.primary;
  const found = new Map<string, readonly Problem[]>();
  yield* eachInSteps(tree.problems, ([id, now]) => {
    const before = state.changed.has(id) ? undefined : problems.get(id);
    if (now.some((problem) => before?.includes(problem) !== true)) found.set(id, now);
  });
  return found;
}
