import { BODY_BUDGET, ComparisonBudget } from '../diff/index.ts';
import { diff, isSame, type Difference, type Hash, type Load, type NodeHash } from '../map/index.ts';
import { deriveTree, isPage, VARIABLES_ID, type ContentRecord, type Tree } from '../tree/index.ts';
import { isWholeBody, type Conflict } from './conflicts/conflict.ts';
import { runWithoutLimits, type RunBodyTasks } from './body-tasks.ts';
import { describeDeletions } from './conflicts/describe-deletions.ts';
import { hashesToMerge } from './stored-document.ts';
import { MergeState } from './merge-state.ts';
import { documentOf } from './conflicts/field-value.ts';
import { mergeBodies } from './merge-bodies.ts';
import {
  comparable,
  entryIn,
  isRekeyed,
  mergeRecord,
  NO_VARIABLES,
  type RecordVersions,
} from './merge-record.ts';
import { isOnlyExpanded, settleExpansions } from './merge-generated.ts';
import { repairTree } from './repair/repair-tree.ts';
import { TextStore } from './text-store.ts';
import type { Versions } from './versions.ts';

export interface Merged {
  /** Changes to apply to the map of the primary revision. */
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly tree: Tree;
  /** New texts: documents, and values that are stored out of line. */
  readonly texts: ReadonlyMap<Hash, string>;
  readonly conflicts: readonly Conflict[];
}

export interface MergeOptions {
  /** The conflicts that an earlier merge left in the proposed content. */
  readonly open?: readonly Conflict[];
  /** Merges the bodies, within one budget. */
  readonly run?: RunBodyTasks;
}

/**
 * Three-way merge of the content of revisions. The cost is proportional to the changes of the proposed side: equal
 * nodes and texts are not loaded. `primaryTree` is the tree of the primary root.
 */
export async function mergeContent(
  load: Load,
  roots: Versions<NodeHash>,
  primaryTree: Tree,
  { open = [], run = runWithoutLimits }: MergeOptions = {},
): Promise<Merged> {
  const differences = await diff<ContentRecord>(load, roots.ancestor, roots.proposed);
  const changes = differences.filter(({ before, after }) => !hasSameContent(before, after));
  if (roots.primary === roots.ancestor) return fastForward(primaryTree, changes);
  const texts = new TextStore();
  const proposed = splitConcatenatedBodies(changes, open, texts);
  const state = new MergeState(primaryTree, proposed);
  const both: RecordVersions[] = [];
  const hashes: Hash[] = [];
  for (const difference of proposed) {
    const versions = versionsOf(primaryTree, difference);
    if (!isOnBothSides(versions)) continue;
    both.push(versions);
    hashes.push(...hashesToMerge(comparable(versions)));
  }
  await texts.load(load, hashes);
  const documents = mergeBodies(both, state, texts, run);
  const context = { texts, documents, budget: new ComparisonBudget(BODY_BUDGET) };
  for (const difference of proposed) mergeEntry(state, difference, context);
  settleExpansions(state);
  const tree = await repairTree(load, roots.proposed, state);
  const conflicts = describeDeletions(state.conflicts, tree, proposed);
  return { changed: state.changed, tree, texts: texts.created, conflicts };
}

/**
 * Where an earlier merge could only append the proposed body to the primary one, the proposed body alone is merged,
 * relative to its own ancestor: otherwise the copy of the primary body would count as proposed.
 */
function splitConcatenatedBodies(
  proposed: readonly Difference<ContentRecord>[],
  open: readonly Conflict[],
  texts: TextStore,
): readonly Difference<ContentRecord>[] {
  const concatenated = new Map(
    open.flatMap((one) => (one.kind === 'block' && isWholeBody(one) ? [[one.entry, one] as const] : [])),
  );
  if (concatenated.size === 0) return proposed;
  const withBody = (record: ContentRecord | undefined, body = '') =>
    documentOf(record) === undefined ? record : ({ ...record, document: texts.add(body) } as ContentRecord);
  return proposed.map((one) => {
    const conflict = concatenated.get(one.id);
    if (conflict === undefined) return one;
    const [before, after] = [withBody(one.before, conflict.ancestor), withBody(one.after, conflict.proposed)];
    return { ...one, before, after } as Difference<ContentRecord>;
  });
}

/** Whether only the time differs: the page was changed and changed back. */
const hasSameContent = (before: ContentRecord | undefined, after: ContentRecord | undefined): boolean =>
  isPage(before) && isPage(after) && isSame({ ...before, updatedAt: 0 }, { ...after, updatedAt: 0 });

/** Fast-forward: the primary side has no changes. */
function fastForward(primary: Tree, proposed: readonly Difference<ContentRecord>[]): Merged {
  const changed = new Map(proposed.map(({ id, after }) => [id, after ?? null]));
  return { changed, tree: deriveTree(primary, changed), texts: new Map(), conflicts: [] };
}

type EntryVersions = Versions<ContentRecord | undefined>;

function versionsOf(tree: Tree, { id, before, after }: Difference<ContentRecord>): EntryVersions {
  const none = id === VARIABLES_ID ? NO_VARIABLES : undefined;
  return { ancestor: before ?? none, primary: entryIn(tree, id), proposed: after ?? none };
}

const isOnBothSides = (versions: EntryVersions): versions is RecordVersions =>
  versions.primary !== undefined && versions.proposed !== undefined;

function mergeEntry(
  state: MergeState,
  difference: Difference<ContentRecord>,
  context: Parameters<typeof mergeRecord>[1],
): void {
  const { id } = difference;
  const versions = versionsOf(state.primary, difference);
  if (isOnBothSides(versions)) {
    const { record, conflicts, isFileOpen } = mergeRecord(versions, context);
    state.set(id, isSame(record, NO_VARIABLES) ? null : record);
    for (const conflict of conflicts) state.report(conflict);
    if (isFileOpen) state.unnamed.add(id);
    return;
  }
  const { ancestor, primary, proposed } = versions;
  const remaining = primary ?? proposed;
  const isUntouched =
    ancestor !== undefined &&
    remaining !== undefined &&
    (isSame(ancestor, remaining) ||
      hasSameContent(ancestor, remaining) ||
      isRekeyed(ancestor, remaining) ||
      isOnlyExpanded(ancestor, remaining));
  if (remaining === undefined || isUntouched) state.set(id, null);
  else if (ancestor === undefined) state.set(id, remaining);
  else state.retain(id, remaining);
}
