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
import type { Pause } from '../../content-engine/pause.ts';
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
import { pauseBetweenSlices } from '../../platform/threads/slices.ts';

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

/** Entries per step of the work. */
const STEP = 100;

/** What a change of the content means for links that were resolved before it. In slices: a rename moves all pages below. */
export async function affectedBy(before: Tree, after: Tree, changed: RecordChanges): Promise<AffectedLinks> {
  const pause = pauseBetweenSlices();
  const flipped = new Map<string, EntryKind | undefined>();
  await forEach(changed.keys(), pause, (id) => {
    const [old, now] = [kindOf(before, id), kindOf(after, id)];
    if (old !== now) flipped.set(id, now);
  });
  // Nothing was resolved in an empty space. The names of an import's entries would be thousands.
  if (before.records.size === 0)
    return { flipped, moved: new Set(), rebased: new Set(), names: new Set(), formerNames: new Set() };
  const versions = { before, after, changed, pathsBefore: pathsIn(before), pathsAfter: pathsIn(after) };
  const moved = await movedEntries(versions, pause);
  for (const id of flipped.keys()) moved.delete(id);
  const rebased = await rebasedSources(versions, moved, pause);
  return { flipped, moved, rebased, ...(await affectedNames(versions, flipped.keys(), moved, pause)) };
}

/** Pauses between steps only, so that few items cost no promise each. */
async function forEach<T>(items: Iterable<T>, pause: Pause, visit: (item: T) => void): Promise<void> {
  let visited = 0;
  for (const item of items) {
    if (++visited % STEP === 0) await pause();
    visit(item);
  }
}

async function affectedNames(
  { before, after, pathsBefore, pathsAfter }: Versions,
  flipped: Iterable<string>,
  moved: ReadonlySet<string>,
  pause: Pause,
): Promise<Pick<AffectedLinks, 'names' | 'formerNames'>> {
  const [namesBefore, namesAfter] = [namesIn(before, pathsBefore), namesIn(after, pathsAfter)];
  const names = new Set<string>();
  const formerNames = new Set<string>();
  await forEach(moved, pause, (id) => {
    for (const name of namesBefore(id)) formerNames.add(name);
    for (const name of namesAfter(id)) names.add(name);
  });
  await forEach(flipped, pause, (id) => {
    for (const namesOf of [namesBefore, namesAfter]) for (const name of namesOf(id)) names.add(name);
  });
  if (findFirstPage(before)?.id !== findFirstPage(after)?.id)
    for (const name of [...rootNames(before), ...rootNames(after)]) names.add(name);
  await forEach(formerNames, pause, (name) => names.add(name));
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

async function movedEntries(versions: Versions, pause: Pause): Promise<Set<string>> {
  const { before, after, changed, pathsBefore, pathsAfter } = versions;
  if (hasOtherPlaces(before, after)) return new Set(sharedIds(before, after));
  const moved = new Set<string>();
  /** Pages that were visited with all pages below them. */
  const visited = new Set<string>();
  const add = (id: string): void => {
    if (before.records.has(id) && after.records.has(id)) moved.add(id);
  };
  const addWithDescendants = async (id: string): Promise<void> => {
    add(id);
    if (visited.has(id)) return;
    await forEach(descendantsOf(after, id), pause, (below) => {
      add(below);
      visited.add(below);
    });
  };
  let compared = 0;
  for (const id of changed.keys()) {
    if (++compared % STEP === 0) await pause();
    const [old, now] = [before.records.get(id), after.records.get(id)];
    if (!old || !now) continue;
    if (findPage(after, id) && pathsBefore.slugsOf(id) !== pathsAfter.slugsOf(id))
      await addWithDescendants(id);
    else if (sourceOf(old) !== sourceOf(now)) add(id);
  }
  // Pages in an invalid place, or with the path of another page, change their path with other pages.
  for (const { problems } of [before, after]) for (const id of problems.keys()) await addWithDescendants(id);
  return moved;
}

function* sharedIds(before: Tree, after: Tree): Iterable<string> {
  for (const { id } of after.records.values()) if (before.records.has(id)) yield id;
}

async function rebasedSources(
  { before, after, changed, pathsBefore, pathsAfter }: Versions,
  moved: ReadonlySet<string>,
  pause: Pause,
): Promise<Set<string>> {
  const [then, now] = [currentPaths(before, pathsBefore), currentPaths(after, pathsAfter)];
  const candidates = new Set(moved);
  // The file of a page that has none yet depends on the files that others have at its path.
  await forEach(changed.keys(), pause, (id) => {
    for (const tree of [before, after]) {
      const record = tree.records.get(id);
      const path = record && sourceOf(record);
      const owner = path === undefined ? undefined : findByPath(tree, slugsOf(tree, path));
      if (owner && before.records.has(owner.id) && after.records.has(owner.id)) candidates.add(owner.id);
    }
  });
  const rebased = new Set<string>();
  await forEach(candidates, pause, (id) => {
    if (baseDirectoryOf(then, id) !== baseDirectoryOf(now, id)) rebased.add(id);
  });
  return rebased;
}

function slugsOf(tree: Tree, path: string): string {
  const root = rootOf(tree);
  return withoutFileName(path.startsWith(root) ? path.slice(root.length) : path);
}
