import { type Load, type NodeHash, get } from '../../map/index.ts';
import {
  deriveTree,
  repairRecords,
  type Problem,
  type Tree,
  childrenOf,
  isPage,
  type ContentRecord,
} from '../../tree/index.ts';
import type { MergeState } from '../merge-state.ts';
import { nameFiles } from './name-files.ts';
import { renameDuplicates, renameReportedDuplicates } from './unique-names.ts';
import { restorePositions } from './restore-positions.ts';

/** Each round repairs every problem, and few repairs cause another one. */
const MAX_ROUNDS = 40;

/** Makes a valid tree of entries that were merged one by one: existing parents, possible positions, unique names. */
export async function repairTree(load: Load, proposed: NodeHash, state: MergeState): Promise<Tree> {
  const derive = () => deriveTree(state.primary, state.changed);
  renameDuplicates(state);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await restoreParents(load, proposed, state);
    const tree = derive();
    const problems = newProblems(state, tree);
    if (problems.size === 0) return nameFiles(state, tree);
    if (restorePositions(state, problems)) continue;
    renameReportedDuplicates(state, tree, problems);
  }
  const tree = derive();
  const repaired = repairRecords(tree);
  for (const id of newProblems(state, tree).keys()) state.set(id, repaired.get(id) ?? null);
  return derive();
}

type Problems = ReadonlyMap<string, readonly Problem[]>;

/** A merge does not repair problems that the primary content already has. */
function newProblems(state: MergeState, tree: Tree): Problems {
  const { problems } = state.primary;
  const found = new Map<string, readonly Problem[]>();
  for (const [id, now] of tree.problems) {
    const before = state.changed.has(id) ? undefined : problems.get(id);
    if (now.some((problem) => before?.includes(problem) !== true)) found.set(id, now);
  }
  return found;
}

/** Restores deleted parents of pages that remain. One round trip per deleted level. */
async function restoreParents(load: Load, proposed: NodeHash, state: MergeState): Promise<void> {
  let missing = missingParents(state);
  while (missing.length > 0) {
    const notInPrimary = missing.filter((id) => !state.primary.records.has(id));
    const found =
      notInPrimary.length === 0 ? undefined : await get<ContentRecord>(load, proposed, notInPrimary);
    const restored = missing.flatMap((id) => state.primary.records.get(id) ?? found?.get(id) ?? []);
    if (restored.length === 0) return;
    for (const record of restored) state.retain(record.id, record);
    const above = new Set(restored.map(parentIn));
    missing = missingParents(state).filter((id) => above.has(id));
  }
}

/** Parents that do not exist, of pages that do. */
function missingParents(state: MergeState): string[] {
  const needed = new Set<string>();
  for (const [id, record] of state.changed) {
    if (record !== null) {
      const parent = parentIn(record);
      if (parent !== undefined && state.get(parent) === undefined) needed.add(parent);
    } else if (childrenOf(state.primary, id).some((child) => parentIn(state.get(child)) === id)) {
      needed.add(id);
    }
  }
  return [...needed].toSorted();
}

const parentIn = (record: ContentRecord | undefined): string | undefined =>
  isPage(record) ? record.parent : undefined;
