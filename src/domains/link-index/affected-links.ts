import {
  baseDirectoryOf,
  currentPaths,
  isPresent,
  namesOf,
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
  pathOf,
  sourceOf,
  type ContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';

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
}

/** What a change of the content means for links that were resolved before it. */
export function affectedBy(before: Tree, after: Tree, changed: RecordChanges): AffectedLinks {
  const flipped = new Map<string, EntryKind | undefined>();
  for (const id of changed.keys()) {
    const [old, now] = [kindOf(before, id), kindOf(after, id)];
    if (old !== now) flipped.set(id, now);
  }
  // Nothing was resolved in an empty space. The names of an import's entries would be thousands.
  if (before.records.size === 0) return { flipped, moved: new Set(), rebased: new Set(), names: new Set() };
  const moved = movedEntries(before, after, changed);
  for (const id of flipped.keys()) moved.delete(id);
  const names = new Set<string>();
  const addNames = (some: Iterable<string>): void => {
    for (const name of some) names.add(name);
  };
  for (const id of [...flipped.keys(), ...moved]) {
    addNames(namesOf(before, id));
    addNames(namesOf(after, id));
  }
  if (findFirstPage(before)?.id !== findFirstPage(after)?.id) {
    addNames(rootNames(before));
    addNames(rootNames(after));
  }
  return { flipped, moved, rebased: rebasedSources(before, after, changed, moved), names };
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

function movedEntries(before: Tree, after: Tree, changed: RecordChanges): Set<string> {
  if (hasOtherPlaces(before, after)) return new Set(sharedIds(before, after));
  const moved = new Set<string>();
  const add = (id: string): void => {
    if (!before.records.has(id) || !after.records.has(id)) return;
    moved.add(id);
  };
  const addWithDescendants = (id: string): void => {
    add(id);
    for (const below of descendantsOf(after, id)) add(below);
  };
  for (const id of changed.keys()) {
    const [old, now] = [before.records.get(id), after.records.get(id)];
    if (!old || !now) continue;
    if (findPage(after, id) && pathOf(before, id) !== pathOf(after, id)) addWithDescendants(id);
    else if (sourceOf(old) !== sourceOf(now)) add(id);
  }
  // Pages in an invalid place, or with the path of another page, change their path with other pages.
  for (const { problems } of [before, after]) for (const id of problems.keys()) addWithDescendants(id);
  return moved;
}

function* sharedIds(before: Tree, after: Tree): Iterable<string> {
  for (const { id } of after.records.values()) if (before.records.has(id)) yield id;
}

function rebasedSources(
  before: Tree,
  after: Tree,
  changed: RecordChanges,
  moved: ReadonlySet<string>,
): Set<string> {
  const [then, now] = [currentPaths(before), currentPaths(after)];
  const candidates = new Set(moved);
  // The file of a page that has none yet depends on the files that others have at its path.
  for (const id of changed.keys()) {
    for (const [tree, record] of [
      [before, before.records.get(id)],
      [after, after.records.get(id)],
    ] as const) {
      const path = record && sourceOf(record);
      const owner = path === undefined ? undefined : findByPath(tree, slugsOf(tree, path));
      if (owner && before.records.has(owner.id) && after.records.has(owner.id)) candidates.add(owner.id);
    }
  }
  const rebased = [...candidates].filter((id) => baseDirectoryOf(then, id) !== baseDirectoryOf(now, id));
  return new Set(rebased);
}

function slugsOf(tree: Tree, path: string): string {
  const root = rootOf(tree);
  return withoutFileName(path.startsWith(root) ? path.slice(root.length) : path);
}
