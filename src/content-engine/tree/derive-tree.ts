import { buildTree } from './build-tree.ts';
import { patchIds, patchSiblings } from './patch-list.ts';
import { hasSlug, isPage, mayHoldPages, type ContentRecord, type PageRecord } from './records.ts';
import { MAX_DEPTH, ROOT, slugKey, sourceOf, type Tree } from './tree.ts';

export type RecordChanges = Iterable<readonly [string, ContentRecord | null]>;

/** With more changes than these and a quarter of the tree, building it is cheaper. */
const MOST_PATCHED = 64;

interface Change {
  readonly id: string;
  readonly before: ContentRecord | undefined;
  readonly after: ContentRecord | undefined;
}

/**
 * The tree after some records changed, at the price of those: the rest is shared with the tree it came from. Where a
 * record has a problem, before or after, everything is looked at again.
 */
export function deriveTree(tree: Tree, changes: RecordChanges): Tree {
  const all = Array.from(new Map(changes), ([id, after]) => ({
    id,
    before: tree.records.get(id),
    after: after ?? undefined,
  })).filter(({ before, after }) => before !== after);
  if (all.length === 0) return tree;
  const records = tree.records.with(all.map(({ id, after }) => [id, after] as const));
  const isPatch = tree.problems.size === 0 && all.length <= MOST_PATCHED + records.size / 4;
  return (isPatch ? patch(tree, records, all) : undefined) ?? buildTree(records.values());
}

/** Undefined when the result would have a problem. */
function patch(tree: Tree, records: Tree['records'], all: readonly Change[]): Tree | undefined {
  const pages = all.filter(({ before, after }) => isPage(before) || isPage(after));
  const children = patchChildren(tree, records, pages);
  const slugs = patchIndex(tree.slugs, pages, slugKeyOf);
  const sources = patchIndex(tree.sources, all, (record) =>
    record === undefined ? undefined : sourceOf(record),
  );
  if (slugs === undefined || sources === undefined) return undefined;
  const next: Tree = {
    ...tree,
    records,
    children,
    slugs,
    sources,
    files: patchIds(tree.files, idsOf(all, isListedFile)),
    reusableContents: patchIds(
      tree.reusableContents,
      idsOf(all, (record) => record?.kind === 'reusable-content'),
    ),
  };
  return pages.filter(isOtherwisePlaced).every((change) => isWellPlaced(next, change)) ? next : undefined;
}

const isOtherwisePlaced = ({ before, after }: Change): boolean =>
  !isPage(before) || !isPage(after) || before.parent !== after.parent || before.type !== after.type;

function patchChildren(tree: Tree, records: Tree['records'], pages: readonly Change[]): Tree['children'] {
  const leaving = new Map<string, PageRecord[]>();
  const coming = new Map<string, PageRecord[]>();
  for (const { before, after } of pages) {
    const [old, now] = [isPage(before) ? before : undefined, isPage(after) ? after : undefined];
    if (old?.parent === now?.parent && old?.position === now?.position) continue;
    if (old !== undefined) push(leaving, old.parent ?? ROOT, old);
    if (now !== undefined) push(coming, now.parent ?? ROOT, now);
  }
  const parents = new Set([...leaving.keys(), ...coming.keys()]);
  return tree.children.with(
    Array.from(parents, (parent) => {
      const lists = { leaving: leaving.get(parent) ?? [], coming: coming.get(parent) ?? [] };
      const ids = patchSiblings(tree.children.get(parent) ?? [], lists, tree.records, records);
      return [parent, ids.length > 0 ? ids : undefined] as const;
    }),
  );
}

function push(lists: Map<string, PageRecord[]>, key: string, page: PageRecord): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [page]);
  else list.push(page);
}

const slugKeyOf = (record: ContentRecord | undefined): string | undefined =>
  isPage(record) && hasSlug(record) ? slugKey(record.parent ?? ROOT, record.slug) : undefined;

/** Undefined when two records want one key. */
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
): { readonly leaving: readonly string[]; readonly coming: readonly string[] } {
  const leaving = all.filter(({ before, after }) => is(before) && !is(after));
  const coming = all.filter(({ before, after }) => !is(before) && is(after));
  return { leaving: leaving.map(({ id }) => id), coming: coming.map(({ id }) => id) };
}

/** The rules of `resolveParents`, for one page that changed: its own place, and the pages it must hold. */
function isWellPlaced(tree: Tree, { id, before, after: page }: Change): boolean {
  const isHolder = isPage(page) && mayHoldPages(page);
  if (!isHolder && tree.children.has(id)) return false;
  if (!isPage(page)) return true;
  if (page.type === 'group' && page.parent !== undefined) return false;
  let depth = 1;
  for (let at: PageRecord = page; at.parent !== undefined; depth++) {
    const parent = tree.records.get(at.parent);
    // A circle is met as a depth without end.
    if (!isPage(parent) || !mayHoldPages(parent) || depth === MAX_DEPTH) return false;
    at = parent;
  }
  // What is below a new page is new there too, and looked at itself.
  return !isPage(before) || depth + heightOf(tree, id) <= MAX_DEPTH;
}

/** Levels below a page; stops counting where it is too many. */
export function heightOf(tree: Pick<Tree, 'children'>, id: string): number {
  let level = tree.children.get(id) ?? [];
  let height = 0;
  for (; level.length > 0 && height <= MAX_DEPTH; height++) {
    level = level.flatMap((id) => tree.children.get(id) ?? []);
  }
  return height;
}
