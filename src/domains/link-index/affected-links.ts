import {
  baseDirectoryOf,
  currentPaths,
  isPresent,
  namesIn,
  rootNames,
  rootOf,
  withoutFileName,
  type EntryKind,
} from '../../content-engine/links/index.ts';
import {
  descendantsOf,
  findByPath,
  findFirstPage,
  findFolder,
  findPage,
  pathsIn,
  sourceOf,
  type ContentRecord,
  type Tree,
  type TreePaths,
} from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';

export type RecordChanges = ReadonlyMap<string, ContentRecord | null>;

export interface AffectedLinks {
  /** Entries that came, went or became another kind, with the present kind; undefined: not part of the space. */
  readonly flipped: ReadonlyMap<string, EntryKind | undefined>;
  /** Entries in both trees whose path differs. */
  readonly moved: ReadonlySet<string>;
  /** Sources in both trees whose relative hrefs have another base directory. */
  readonly rebased: ReadonlySet<string>;
  /** The names of hrefs that may lead to another entry now. */
  readonly names: ReadonlySet<string>;
  /** Those of them that moved entries had. */
  readonly formerNames: ReadonlySet<string>;
}

interface Versions {
  readonly before: Tree;
  readonly after: Tree;
  readonly changed: RecordChanges;
  readonly pathsBefore: TreePaths;
  readonly pathsAfter: TreePaths;
}

/** The directory and the names of a moved entry take as long as two items of a list. */
const COST_OF_MOVED = 2;

/** What a change of the content means for links that were resolved before it. A rename moves all pages below. */
export function affectedBy(
  ctx: Pick<Context, 'isFront'>,
  before: Tree,
  after: Tree,
  changed: RecordChanges,
): AffectedLinks {
  const flipped = new Map<string, EntryKind | undefined>();
  for (const id of changed.keys()) {
    const [old, now] = [kindOf(before, id), kindOf(after, id)];
    if (old !== now) flipped.set(id, now);
  }
  // Nothing was resolved in an empty space. The names of an import's entries would be thousands.
  if (before.records.size === 0)
    return { flipped, moved: new Set(), rebased: new Set(), names: new Set(), formerNames: new Set() };
  const versions = { before, after, changed, pathsBefore: pathsIn(before), pathsAfter: pathsIn(after) };
  const moved = movedEntries(versions);
  requireSmall(ctx, 'items', COST_OF_MOVED * moved.size);
  for (const id of flipped.keys()) moved.delete(id);
  const rebased = rebasedSources(versions, moved);
  return { flipped, moved, rebased, ...affectedNames(versions, flipped.keys(), moved) };
}

function affectedNames(
  { before, after, pathsBefore, pathsAfter }: Versions,
  flipped: Iterable<string>,
  moved: ReadonlySet<string>,
): Pick<AffectedLinks, 'names' | 'formerNames'> {
  const [namesBefore, namesAfter] = [namesIn(before, pathsBefore), namesIn(after, pathsAfter)];
  const names = new Set<string>();
  const formerNames = new Set<string>();
  for (const id of moved) {
    for (const name of namesBefore(id)) formerNames.add(name);
    for (const name of namesAfter(id)) names.add(name);
  }
  for (const id of flipped)
    for (const namesOf of [namesBefore, namesAfter]) for (const name of namesOf(id)) names.add(name);
  if (findFirstPage(before)?.id !== findFirstPage(after)?.id)
    for (const name of [...rootNames(before), ...rootNames(after)]) names.add(name);
  for (const name of formerNames) names.add(name);
  return { names, formerNames };
}

/** The kind of an entry that is part of the space. */
export function kindOf(tree: Tree, id: string): EntryKind | undefined {
  const kind = tree.records.get(id)?.kind;
  if (kind !== 'page' && kind !== 'file' && kind !== 'reusable-content') return undefined;
  return isPresent(tree, { kind, id }) ? kind : undefined;
}

/** A folder record that names other places may move every file of a page. */
const hasOtherPlaces = (before: Tree, after: Tree): boolean =>
  rootOf(before) !== rootOf(after) || findFolder(before)?.summary?.path !== findFolder(after)?.summary?.path;

function movedEntries({ before, after, changed, pathsBefore, pathsAfter }: Versions): Set<string> {
  if (hasOtherPlaces(before, after)) return new Set(sharedIds(before, after));
  const moved = new Set<string>();
  /** Pages that were visited with all pages below them. */
  const visited = new Set<string>();
  const add = (id: string): void => {
    if (before.records.has(id) && after.records.has(id)) moved.add(id);
  };
  const addWithDescendants = (id: string): void => {
    add(id);
    if (visited.has(id)) return;
    for (const below of descendantsOf(after, id)) {
      add(below);
      visited.add(below);
    }
  };
  for (const id of changed.keys()) {
    const [old, now] = [before.records.get(id), after.records.get(id)];
    if (!old || !now) continue;
    if (findPage(after, id) && pathsBefore.slugsOf(id) !== pathsAfter.slugsOf(id)) addWithDescendants(id);
    else if (sourceOf(old) !== sourceOf(now)) add(id);
  }
  // Pages in an invalid place, or with the path of another page, change their path with other pages.
  for (const { problems } of [before, after]) for (const id of problems.keys()) addWithDescendants(id);
  return moved;
}

const sharedIds = (before: Tree, after: Tree): string[] =>
  [...after.records.keys()].filter((id) => before.records.has(id));

function rebasedSources(
  { before, after, changed, pathsBefore, pathsAfter }: Versions,
  moved: ReadonlySet<string>,
): Set<string> {
  const [then, now] = [currentPaths(before, pathsBefore), currentPaths(after, pathsAfter)];
  const candidates = new Set(moved);
  // The file of a page that has none yet depends on the files that others have at its path.
  for (const id of changed.keys()) {
    for (const tree of [before, after]) {
      const record = tree.records.get(id);
      const path = record && sourceOf(record);
      const owner = path === undefined ? undefined : findByPath(tree, slugsOf(tree, path));
      if (owner && before.records.has(owner.id) && after.records.has(owner.id)) candidates.add(owner.id);
    }
  }
  return new Set([...candidates].filter((id) => baseDirectoryOf(then, id) !== baseDirectoryOf(now, id)));
}

function slugsOf(tree: Tree, path: string): string {
  const root = rootOf(tree);
  return withoutFileName(path.startsWith(root) ? path.slice(root.length) : path);
}
