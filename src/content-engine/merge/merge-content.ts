import { BODY_BUDGET, ComparisonBudget, MERGE_BUDGET } from '../diff/index.ts';
import {
  canonicalText,
  diff,
  isSame,
  type Difference,
  type Hash,
  type Load,
  type NodeHash,
} from '../map/index.ts';
import { deriveTree, isPage, VARIABLES_ID, type ContentRecord, type Tree } from '../tree/index.ts';
import { isWhole, type Conflict } from './conflict.ts';
import { runHere, type RunBodyTasks } from './body-tasks.ts';
import { readDocument, textsFor } from './stored-document.ts';
import { Draft } from './merge-state.ts';
import { documentOf } from './field-value.ts';
import { targetsIn, type MergedDocument } from './merge-document.ts';
import {
  bodiesToMerge,
  comparable,
  entryIn,
  isRekeyed,
  mergeRecord,
  NO_VARIABLES,
  type RecordVersions,
} from './merge-record.ts';
import { settle } from './repair-tree.ts';
import { Texts } from './text-store.ts';
import { mapThree } from './versions.ts';

/** Roots of what the three revisions hold. */
export interface Sides {
  readonly ancestor: NodeHash;
  readonly primary: NodeHash;
  readonly proposed: NodeHash;
}

export interface Merged {
  /** What to apply to the primary's map. */
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly tree: Tree;
  /** New texts: documents, and values that are too long for their record. */
  readonly texts: ReadonlyMap<Hash, string>;
  readonly conflicts: readonly Conflict[];
}

/**
 * Everything that either side changed since the ancestor. Costs what the proposed side changed: nodes and texts that do
 * not differ are not loaded. `primaryTree` is the tree of the primary root; `open` are the conflicts that an earlier merge
 * left in the proposed content. Bodies are merged by `run`, within one budget.
 */
export async function mergeContent(
  load: Load,
  sides: Sides,
  primaryTree: Tree,
  open: readonly Conflict[] = [],
  run: RunBodyTasks = runHere,
): Promise<Merged> {
  const differences = await diff<ContentRecord>(load, sides.ancestor, sides.proposed);
  const touched = differences.filter((one) => !isOnlyTouched(one));
  if (sides.primary === sides.ancestor) return taken(primaryTree, touched);
  const texts = new Texts();
  const proposed = takenApart(touched, open, texts);
  const draft = new Draft(primaryTree, proposed);
  const both = proposed.map((one) => versionsOf(primaryTree, one)).filter(isBoth);
  await texts.load(
    load,
    both.flatMap((each) => textsFor(comparable(each))),
  );
  const documents = await mergeDocuments(both, { draft, texts, run });
  const merging = { texts, documents, budget: new ComparisonBudget(BODY_BUDGET) };
  for (const difference of proposed) mergeEntry(draft, difference, merging);
  const tree = await settle(load, sides.proposed, draft);
  return { changed: draft.changed, tree, texts: texts.made, conflicts: draft.conflicts };
}

interface Documents {
  readonly draft: Draft;
  readonly texts: Texts;
  readonly run: RunBodyTasks;
}

/** The bodies that both sides changed, by their entries. Each has the same part of the budget. */
async function mergeDocuments(
  both: readonly RecordVersions[],
  { draft, texts, run }: Documents,
): Promise<Map<string, MergedDocument>> {
  const changed = both.flatMap((given) => {
    const bodies = bodiesToMerge(given);
    return bodies === undefined ? [] : [{ entry: given.primary.id, bodies }];
  });
  const budget = Math.min(BODY_BUDGET, Math.floor(MERGE_BUDGET / Math.max(1, changed.length)));
  const tasks = changed.map(({ entry, bodies }) => {
    const versions = mapThree(bodies, (body) => readDocument(body, texts));
    const { ancestor, primary, proposed } = versions;
    const targets = [...targetsIn(primary), ...targetsIn(proposed)];
    const present = targets.filter((id) => draft.isThere(id));
    return {
      input: { versions, present: new Set(present), budget },
      key: canonicalText([bodies, present, budget]),
      entry,
      size: ancestor.text.length + primary.text.length + proposed.text.length,
    };
  });
  const merged = await run('mergeDocument', tasks);
  return new Map(changed.map(({ entry }, index) => [entry, merged[index] as MergedDocument]));
}

/**
 * Of a body that stands behind the primary one, since they could not be merged, it alone is proposed, and measured from
 * what it was made of: else what the primary side had in between would be proposed too.
 */
function takenApart(
  proposed: readonly Difference<ContentRecord>[],
  open: readonly Conflict[],
  texts: Texts,
): readonly Difference<ContentRecord>[] {
  const whole = new Map(
    open.flatMap((one) => (one.kind === 'block' && isWhole(one) ? [[one.entry, one] as const] : [])),
  );
  if (whole.size === 0) return proposed;
  const withBody = (record: ContentRecord | undefined, body = '') =>
    documentOf(record) === undefined ? record : ({ ...record, document: texts.add(body) } as ContentRecord);
  return proposed.map((one) => {
    const conflict = whole.get(one.id);
    if (conflict === undefined) return one;
    const [before, after] = [withBody(one.before, conflict.ancestor), withBody(one.after, conflict.proposed)];
    return { ...one, before, after } as Difference<ContentRecord>;
  });
}

/** Changed, and changed back: all that is new is when. */
const isOnlyTouched = ({ before, after }: Difference<ContentRecord>): boolean =>
  isPage(before) && isPage(after) && isSame({ ...before, updatedAt: 0 }, { ...after, updatedAt: 0 });

/** The primary side did nothing. */
function taken(tree: Tree, proposed: readonly Difference<ContentRecord>[]): Merged {
  const changed = new Map(proposed.map(({ id, after }) => [id, after ?? null]));
  return { changed, tree: deriveTree(tree, changed), texts: new Map(), conflicts: [] };
}

interface Versions {
  readonly ancestor: ContentRecord | undefined;
  readonly primary: ContentRecord | undefined;
  readonly proposed: ContentRecord | undefined;
}

function versionsOf(tree: Tree, { id, before, after }: Difference<ContentRecord>): Versions {
  const none = id === VARIABLES_ID ? NO_VARIABLES : undefined;
  return { ancestor: before ?? none, primary: entryIn(tree, id), proposed: after ?? none };
}

const isBoth = (versions: Versions): versions is RecordVersions =>
  versions.primary !== undefined && versions.proposed !== undefined;

function mergeEntry(
  draft: Draft,
  difference: Difference<ContentRecord>,
  merging: Parameters<typeof mergeRecord>[1],
): void {
  const { id } = difference;
  const versions = versionsOf(draft.primary, difference);
  if (isBoth(versions)) {
    const { record, conflicts, isFileOpen } = mergeRecord(versions, merging);
    draft.set(id, isSame(record, NO_VARIABLES) ? null : record);
    for (const conflict of conflicts) draft.report(conflict);
    if (isFileOpen) draft.open.add(id);
    return;
  }
  const { ancestor, primary, proposed } = versions;
  const left = primary ?? proposed;
  const isUntouched =
    ancestor !== undefined && left !== undefined && (isSame(ancestor, left) || isRekeyed(ancestor, left));
  if (left === undefined || isUntouched) draft.set(id, null);
  else if (ancestor === undefined) draft.set(id, left);
  else draft.keep(id, left);
}
