import { addToList } from '../../add-to-list.ts';
import { buildTree } from './build-tree.ts';
import { foldPath } from '../names/portable-path.ts';
import { patchIds, patchSiblings } from './patch-list.ts';
import { sizeOfRecord } from './record-size.ts';
import { hasSlug, isPage, mayHoldPages, type ContentRecord, type PageRecord } from '../records.ts';
import { MAX_DEPTH, ROOT, slugKey, sourceOf, type Tree } from '../tree.ts';

export type RecordChanges = Iterable<readonly [string, ContentRecord | null]>;

/** With more changes than this plus a quarter of the tree, rebuilding the tree is cheaper. */
const MAX_PATCHED = 64;

interface Change {
  readonly id: string;
  readonly before: ContentRecord | undefined;
  readonly after: ContentRecord | undefined;
}

/**
 * The tree after some records changed. The cost is proportional to the changes: the rest is shared with the given
 * tree. If a tree has problems, before or after, it is rebuilt from all records.
 */
export function deriveTree(tree: Tree, changes: RecordChanges): Tree {
  const all = Array.from(new Map(changes), ([id, after]) => ({
    id,
    before: tree.records.get(id),
    after: after ?? undefined,
  })).filter(({ before, after }) => before !== after);
  if (all.length === 0) return tree;
  const records = tree.records.with(all.map(({ id, after }) => [id, after] as const));
  const isPatch = tree.problems.size === 0 && all.length <= MAX_PATCHED + records.size / 4;
  const patched = isPatch ? patch(tree, records, all) : undefined;
  return patched ?? buildTree(records.values());
}

/** Undefined: the result would have a problem. */
function patch(tree: Tree, records: Tree['records'], all: readonly Change[]): Tree | undefined {
  const pages = all.filter(({ before, after }) => isPage(before) || isPage(after));
  const children = patchChildren(tree, records, pages);
  const slugs = patchIndex(tree.slugs, pages, slugKeyOf);
  const sources = patchIndex(tree.sources, all, sourceKeyOf);
  if (slugs === undefined || sources === undefined) return undefined;
  const next: Tree = {
    ...tree,
    records,
    children,
    slugs,
    sources,
    foldedSources: sources === tree.sources ? tree.foldedSources : patchFolded(tree.foldedSources, all),
    files: patchIds(tree.files, idsOf(all, isListedFile)),
    reusableContents: patchIds(
      tree.reusableContents,
      idsOf(all, (record) => record?.kind === 'reusable-content'),
    ),
    size: all.reduce((size, { before, after }) => size + sizeIn(after) - sizeIn(before), tree.size),
  };
  return pages.filter(hasNewPlace).every((change) => isWellPlaced(next, change)) ? next : undefined;
}

const sizeIn = (record: ContentRecord | undefined): number =>
  record === undefined ? 0 : sizeOfRecord(record);

const hasNewPlace = ({ before, after }: Change): boolean =>
  !isPage(before) || !isPage(after) || before.parent !== after.parent || before.type !== after.type;

function patchChildren(tree: Tree, records: Tree['records'], pages: readonly Change[]): Tree['children'] {
  const removed = new Map<string, PageRecord[]>();
  const added = new Map<string, PageRecord[]>();
  for (const { before, after } of pages) {
    const [old, now] = [isPage(before) ? before : undefined, isPage(after) ? after : undefined];
    if (old?.parent === now?.parent && old?.position === now?.position) continue;
    if (old !== undefined) addToList(removed, old.parent ?? ROOT, old);
    if (now !== undefined) addToList(added, now.parent ?? ROOT, now);
  }
  const parents = new Set([...removed.keys(), ...added.keys()]);
  return tree.children.with(
    Array.from(parents, (parent) => {
      const lists = { removed: removed.get(parent) ?? [], added: added.get(parent) ?? [] };
      const ids = patchSiblings(tree.children.get(parent) ?? [], lists, tree.records, records);
      return [parent, ids.length > 0 ? ids : undefined] as const;
    }),
  );
}

const slugKeyOf = (record: ContentRecord | undefined): string | undefined =>
  isPage(record) && hasSlug(record) ? slugKey(record.parent ?? ROOT, record.slug) : undefined;

const sourceKeyOf = (record: ContentRecord | undefined): string | undefined =>
  record === undefined ? undefined : sourceOf(record);

/** The key of `foldedSources`. Undefined: folding does not change the path. */
function foldedKeyOf(record: ContentRecord | undefined): string | undefined {
  const path = sourceKeyOf(record);
  const folded = path === undefined ? undefined : foldPath(path);
  return folded === path ? undefined : folded;
}

function patchFolded(index: Tree['foldedSources'], all: readonly Change[]): Tree['foldedSources'] {
  const removed = new Map<string, string[]>();
  const added = new Map<string, string[]>();
  for (const { id, before, after } of all) {
    const [old, now] = [foldedKeyOf(before), foldedKeyOf(after)];
    if (old === now) continue;
    if (old !== undefined) addToList(removed, old, id);
    if (now !== undefined) addToList(added, now, id);
  }
  return index.with(
    Array.from(new Set([...removed.keys(), ...added.keys()]), (key) => {
      const lists = { removed: removed.get(key) ?? [], added: added.get(key) ?? [] };
      const ids = patchIds(index.get(key) ?? [], lists);
      return [key, ids.length > 0 ? ids : undefined] as const;
    }),
  );
}

/** Undefined: two records have the same key. */
function patchIndex(
  index: Tree['slugs'],
  all: readonly Change[],
  keyOf: (record: ContentRecord | undefined) => string | undefined,
): Tree['slugs'] | undefined {
  const changes = new Map<string, string | undefined>();
  const moved = all
    .map(({ id, before, after }) => ({ id, old: keyOf(before), now: keyOf(after) }))
    .filter(({ old, now }) => old !== now);
  for (const { old } of moved) if (old !== undefined) changes.set(old, undefined);
  for (const { id, now } of moved) {
    if (now === undefined) continue;
    if ((changes.has(now) ? changes.get(now) : index.get(now)) !== undefined) return undefined;
    changes.set(now, id);
  }
  return index.with(changes);
}

const isListedFile = (record: ContentRecord | undefined): boolean =>
  record?.kind === 'file' && record.unlisted !== true;

function idsOf(
  all: readonly Change[],
  is: (record: ContentRecord | undefined) => boolean,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  const removed = all.filter(({ before, after }) => is(before) && !is(after));
  const added = all.filter(({ before, after }) => !is(before) && is(after));
  return { removed: removed.map(({ id }) => id), added: added.map(({ id }) => id) };
}

/** Applies the rules of `resolveParents` to one changed page: its place, and the pages below it. */
function isWellPlaced(tree: Tree, { id, before, after: page }: Change): boolean {
  const canHavePages = isPage(page) && mayHoldPages(page);
  if (!canHavePages && tree.children.has(id)) return false;
  if (!isPage(page)) return true;
  if (page.type === 'group' && page.parent !== undefined) return false;
  let depth = 1;
  for (let at: PageRecord = page; at.parent !== undefined; depth++) {
    const parent = tree.records.get(at.parent);
    // A cycle is detected as unlimited depth.
    if (!isPage(parent) || !mayHoldPages(parent) || depth === MAX_DEPTH) return false;
    at = parent;
  }
  // Pages below a new page are changes themselves, and checked on their own.
  return !isPage(before) || depth + heightOf(tree, id) <= MAX_DEPTH;
}

/** The number of levels below a page, counted up to MAX_DEPTH + 1. */
export function heightOf(tree: Pick<Tree, 'children'>, id: string): number {
  let level = tree.children.get(id) ?? [];
  let height = 0;
  for (; level.length > 0 && height <= MAX_DEPTH; height++) {
    level = level.flatMap((id) => tree.children.get(id) ?? []);
  }
  return height;
}
