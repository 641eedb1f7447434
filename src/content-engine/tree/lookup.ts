import {
  FOLDER_ID,
  hasSlug,
  isPage,
  VARIABLES_ID,
  type ContentRecord,
  type DocumentPage,
  type FileRecord,
  type FolderRecord,
  type GroupPage,
  type PageRecord,
  type ReusableContentRecord,
} from './records.ts';
import type { Variables } from './fields/page-values.ts';
import { isMisplaced, ROOT, slugKey, type Tree } from './tree.ts';

export function findPage(tree: Tree, id: string): PageRecord | undefined {
  const record = tree.records.get(id);
  return isPage(record) ? record : undefined;
}

export function findFile(tree: Tree, id: string): FileRecord | undefined {
  const record = tree.records.get(id);
  return record?.kind === 'file' ? record : undefined;
}

export function findReusableContent(tree: Tree, id: string): ReusableContentRecord | undefined {
  const record = tree.records.get(id);
  return record?.kind === 'reusable-content' ? record : undefined;
}

export function variablesOf(tree: Tree): Variables {
  const record = tree.records.get(VARIABLES_ID);
  return record?.kind === 'variables' ? record.values : {};
}

export function findFolder(tree: Tree): FolderRecord | undefined {
  const record = tree.records.get(FOLDER_ID);
  return record?.kind === 'folder' ? record : undefined;
}

/** The entry that was imported from this path. */
export function findBySource(tree: Tree, path: string): ContentRecord | undefined {
  const id = tree.sources.get(path);
  return id === undefined ? undefined : tree.records.get(id);
}

const NONE: readonly string[] = [];

/** Ids in order. Without a parent: the pages at the root. */
export const childrenOf = (tree: Tree, parent: string = ROOT): readonly string[] =>
  tree.children.get(parent) ?? NONE;

/** The id of the parent. Undefined: the page is at the root. */
export function parentOf(tree: Tree, id: string): string | undefined {
  if (isMisplaced(tree, id)) return undefined;
  return findPage(tree, id)?.parent;
}

/** The pages above a page, the outermost first. */
export function pagesAbove(tree: Tree, id: string): PageRecord[] {
  const above: PageRecord[] = [];
  for (let at = parentOf(tree, id); at !== undefined; at = parentOf(tree, at)) {
    const page = findPage(tree, at);
    if (page) above.push(page);
  }
  return above.toReversed();
}

/** Ids from the root down to the parent. */
export function ancestorsOf(tree: Tree, id: string): string[] {
  const ancestors: string[] = [];
  for (let at = parentOf(tree, id); at !== undefined; at = parentOf(tree, at)) ancestors.push(at);
  return ancestors.toReversed();
}

export const depthOf = (tree: Tree, id: string): number => ancestorsOf(tree, id).length + 1;

/** Ids of all descendants, in pre-order. */
export function descendantsOf(tree: Tree, id: string): string[] {
  const descendants: string[] = [];
  const stack = childrenOf(tree, id).toReversed();
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    descendants.push(at);
    for (const child of childrenOf(tree, at).toReversed()) stack.push(child);
  }
  return descendants;
}

/** The slugs from the root down to a page. Undefined for links and computed pages. */
export function pathOf(tree: Tree, id: string): string | undefined {
  const page = findPage(tree, id);
  if (page === undefined || !hasSlug(page)) return undefined;
  let path = page.slug;
  for (let at = parentOf(tree, id); at !== undefined; at = parentOf(tree, at)) {
    const parent = findPage(tree, at);
    if (parent !== undefined && hasSlug(parent)) path = `${parent.slug}/${path}`;
  }
  return path;
}

/** Finds a page by its path, ignoring case. The empty path is the first page, which also has its own path. */
export function findByPath(tree: Tree, path: string): DocumentPage | GroupPage | undefined {
  const slugs = path.split('/').filter((slug) => slug !== '');
  if (slugs.length === 0) return findFirstPage(tree);
  let at: string | undefined = ROOT;
  for (const slug of slugs) {
    at = tree.slugs.get(slugKey(at, slug));
    if (at === undefined) return undefined;
  }
  const page = findPage(tree, at);
  return page !== undefined && hasSlug(page) ? page : undefined;
}

/** Cached by tree: thousands of hrefs may lead to the start page, and links may precede it. Null: there is none. */
const firstPages = new WeakMap<Tree, DocumentPage | null>();

/** The first document in reading order: the start page of a space. */
export function findFirstPage(tree: Tree): DocumentPage | undefined {
  let first = firstPages.get(tree);
  if (first === undefined) {
    first = searchFirstPage(tree) ?? null;
    firstPages.set(tree, first);
  }
  return first ?? undefined;
}

function searchFirstPage(tree: Tree): DocumentPage | undefined {
  for (const { page } of walkPages(tree)) if (page.type === 'document') return page;
  return undefined;
}

export interface Visit {
  readonly page: PageRecord;
  readonly parent: string | undefined;
  readonly depth: number;
  readonly path: string | undefined;
}

/** All pages in reading order. */
export function* walkPages(tree: Tree): Generator<Visit, void, undefined> {
  interface Level {
    readonly ids: readonly string[];
    readonly parent: string | undefined;
    readonly prefix: string;
    next: number;
  }
  const levels: Level[] = [{ ids: childrenOf(tree), parent: undefined, prefix: '', next: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const id = level.ids[level.next++];
    const page = id === undefined ? undefined : findPage(tree, id);
    if (page === undefined) {
      levels.pop();
      continue;
    }
    const { parent, prefix } = level;
    const path = hasSlug(page) ? prefix + page.slug : undefined;
    yield { page, parent, depth: levels.length, path };
    const ids = childrenOf(tree, page.id);
    if (ids.length > 0) levels.push({ ids, parent: page.id, prefix: `${path}/`, next: 0 });
  }
}
