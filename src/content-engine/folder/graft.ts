import { generateNKeysBetween } from 'fractional-indexing';
import { addToList } from '../add-to-list.ts';
import { rootOf } from '../links/index.ts';
import {
  buildTree,
  childrenOf,
  depthOf,
  deriveTree,
  filePathOf,
  findByPath,
  findFolder,
  findPage,
  FOLDER_ID,
  foldPath,
  foldSlug,
  hasSlug,
  isPage,
  MAX_DEPTH,
  pathOf,
  reservedPaths,
  ROOT,
  slugKey,
  sourceOf,
  uniqueSlug,
  variablesOf,
  VARIABLES_ID,
  type ContentRecord,
  type FolderRecord,
  type PageRecord,
  type Tree,
  type VariablesRecord,
} from '../tree/index.ts';
import { freePaths } from './write/export-paths.ts';

export interface Grafted {
  readonly changed: ReadonlyMap<string, ContentRecord>;
  readonly tree: Tree;
  /** What was not added. */
  readonly dropped: readonly Dropped[];
}

export type Dropped = { readonly reason: string } & (
  | { readonly path: string }
  | { readonly variable: string }
);

/**
 * Adds the records of an imported folder, which have new ids, to a tree: below `parent`, or at the root, after the pages
 * that are there. An empty tree takes over the whole folder, so that an export of it has the same bytes; otherwise its
 * settings and unlisted files are not added. `now` is in milliseconds.
 */
export function graft(
  tree: Tree,
  records: readonly ContentRecord[],
  { parent, now }: { readonly parent?: string | undefined; readonly now: number },
): Grafted {
  if (tree.records.size === 0 && parent === undefined) {
    const all = records.map((record) => (isPage(record) ? created(record, now) : record));
    return { changed: byId(all), tree: buildTree(all), dropped: [] };
  }
  const folder = records.find((record): record is FolderRecord => record.kind === 'folder');
  const variables = records.find((record): record is VariablesRecord => record.kind === 'variables');
  const dropped: Dropped[] = [];
  const added = records.filter((record) => {
    if (record.kind === 'file' && record.unlisted) {
      dropped.push({ path: record.path ?? record.name, reason: 'no page and no link leads to it' });
      return false;
    }
    return record.kind !== 'folder' && record.kind !== 'variables';
  });
  const pathFor = pathsIn(tree, parent, folder?.root ?? '');
  const changed = byId([
    ...placePages(tree, parent, added.filter(isPage)).map((page) => created(page, now)),
    ...added.filter((record) => !isPage(record)),
  ]);
  for (const [id, record] of changed) changed.set(id, withPath(record, pathFor));
  for (const record of [mergeVariables(tree, variables, dropped), mergeTags(tree, folder)])
    if (record) changed.set(record.id, record);
  return { changed, tree: deriveTree(tree, changed), dropped };
}

const byId = (records: readonly ContentRecord[]): Map<string, ContentRecord> =>
  new Map(records.map((record) => [record.id, record]));

const created = <P extends PageRecord>(page: P, now: number): P => ({
  ...page,
  createdAt: now,
  updatedAt: now,
});

/** Parents, positions and slugs. A page that would be too deep becomes a sibling of its parent. */
function placePages(tree: Tree, parent: string | undefined, pages: readonly PageRecord[]): PageRecord[] {
  const below = new Map<string, PageRecord[]>();
  for (const page of pages) addToList(below, page.parent ?? ROOT, page);
  const levels = new Map<string, PageRecord[]>();
  const start = { level: parent ?? ROOT, depth: parent === undefined ? 1 : depthOf(tree, parent) + 1 };
  const stack = (below.get(ROOT) ?? []).map((page) => ({ page, ...start })).toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { page, level, depth } = next;
    addToList(levels, level, page);
    const place = depth === MAX_DEPTH ? { level, depth } : { level: page.id, depth: depth + 1 };
    for (const child of (below.get(page.id) ?? []).toReversed()) stack.push({ page: child, ...place });
  }
  const placed: PageRecord[] = [];
  for (const [level, siblings] of levels) placeSiblings(tree, level, siblings, placed);
  return placed;
}

/** After the existing pages of the level. Adds them to `all`. */
function placeSiblings(tree: Tree, level: string, pages: readonly PageRecord[], all: PageRecord[]): void {
  const last = childrenOf(tree, level).at(-1);
  const after = last === undefined ? null : (findPage(tree, last)?.position ?? null);
  const positions = generateNKeysBetween(after, null, pages.length);
  const taken = new Set<string>();
  const isTaken = (folded: string) => taken.has(folded) || tree.slugs.has(slugKey(level, folded));
  for (const [index, page] of pages.entries()) {
    const { parent: _imported, ...rest } = page;
    const placed = {
      ...rest,
      ...(level === ROOT ? {} : { parent: level }),
      position: positions[index] ?? '',
    } as PageRecord;
    if (!hasSlug(placed)) {
      all.push(placed);
      continue;
    }
    const slug = uniqueSlug(placed.slug, isTaken, { isAtRoot: level === ROOT });
    taken.add(foldSlug(slug));
    all.push({ ...placed, slug });
  }
}

/** The path in the source folder of the space: in the directory of the parent, and taken by no other entry. */
function pathsIn(
  tree: Tree,
  parent: string | undefined,
  importedRoot: string,
): (path: string, isInclude: boolean) => string {
  const root = rootOf(tree);
  const directory = parent === undefined ? root : directoryBelow(tree, parent);
  const taken = new Set(reservedPaths(tree).map(foldPath));
  for (const path of tree.sources.keys()) taken.add(foldPath(path));
  const has = (path: string): boolean =>
    taken.has(foldPath(path)) || isPathOfPage(tree, path.slice(root.length));
  const free = freePaths({ has });
  return (path, isInclude) => {
    const inside = path.startsWith(importedRoot) ? path.slice(importedRoot.length) : path;
    const found = free((isInclude ? root : directory) + inside);
    taken.add(foldPath(found));
    return found;
  };
}

/** The directory of the files of the pages below a page. */
function directoryBelow(tree: Tree, parent: string): string {
  const file = filePathOf(tree, parent);
  if (file === undefined) return `${rootOf(tree)}${pathOf(tree, parent) ?? parent}/`;
  return file.replace(/(?:^|(\/))README\.mdx?$/i, '$1').replace(/\.mdx?$/i, '/');
}

/** Whether a page without a source file is exported there. */
function isPathOfPage(tree: Tree, path: string): boolean {
  if (!/\.md$/i.test(path)) return false;
  const page = findByPath(tree, path.replace(/(?:\/README)?\.md$/i, ''));
  return page?.type === 'document' && page.source === undefined;
}

function withPath(
  record: ContentRecord,
  pathFor: (path: string, isInclude: boolean) => string,
): ContentRecord {
  const path = sourceOf(record);
  if (path === undefined) return record;
  if (record.kind === 'file') return { ...record, path: pathFor(path, false) };
  if (!('source' in record) || record.source === undefined || record.kind === 'variables') return record;
  return {
    ...record,
    source: { ...record.source, path: pathFor(path, record.kind === 'reusable-content') },
  } as ContentRecord;
}

/** Variables of the space keep their values. */
function mergeVariables(
  tree: Tree,
  imported: VariablesRecord | undefined,
  dropped: Dropped[],
): VariablesRecord | undefined {
  if (imported === undefined) return undefined;
  const existing = variablesOf(tree);
  const isKnown = (name: string) => Object.hasOwn(existing, name);
  for (const [name, value] of Object.entries(imported.values)) {
    if (isKnown(name) && existing[name] !== value)
      dropped.push({ variable: name, reason: 'the space has a variable with this name and another value' });
  }
  const values = Object.entries(imported.values).filter(([name]) => !isKnown(name));
  if (values.length === 0) return undefined;
  const before = tree.records.get(VARIABLES_ID);
  const record = before?.kind === 'variables' ? before : ({ id: VARIABLES_ID, kind: 'variables' } as const);
  return { ...record, values: { ...existing, ...Object.fromEntries(values) } };
}

/** Tags are defined in the record of the folder; a space that was not imported has none. */
function mergeTags(tree: Tree, imported: FolderRecord | undefined): FolderRecord | undefined {
  const folder = findFolder(tree);
  const known = new Set(folder?.tags?.map(({ tag }) => tag));
  const tags = (imported?.tags ?? []).filter(({ tag }) => !known.has(tag));
  if (folder === undefined || tags.length === 0) return undefined;
  return { ...folder, id: FOLDER_ID, tags: [...(folder.tags ?? []), ...tags] };
}
