import { isSame } from '../../map/index.ts';
import { compact, isRefusal, refuse, refuseName, resolve, type Batch, type Step } from './batch.ts';
import type {
  DeletePage,
  InsertPage,
  MovePage,
  PageFields,
  Refusal,
  RevertPage,
  UpdatePage,
} from './change.ts';
import { findEnd, findPlace, freeSlug, refuseParent, type FoundPlace } from './find-place.ts';
import { deriveTree } from '../build/derive-tree.ts';
import { settleOrphans } from '../expansions.ts';
import { followEntry } from './follow-entry.ts';
import { freeFilePath } from '../names/file-path.ts';
import { childrenOf, descendantsOf, findPage, parentOf, pathOf } from '../lookup.ts';
import { readPageFields } from './read-page-fields.ts';
import { readRefs } from './page-refs.ts';
import { portablePath } from '../names/portable-path.ts';
import { hasSlug, mayHoldPages, type PageRecord } from '../records.ts';
import { chosenSlug, slugOf } from '../names/slug.ts';
import { pathsIn } from '../names/tree-paths.ts';
import { foldSlug, ROOT, slugKey, type Tree } from '../tree.ts';

type Result = Step | Refusal;

export function insertPage(batch: Batch, change: InsertPage): Result {
  const { id, ref, type = 'document' } = change;
  const refusal = refuseName(batch, id, ref) ?? refuseIncomplete(change, type);
  if (refusal !== undefined) return refusal;
  const refs = readRefs(batch, change, undefined);
  if (isRefusal(refs)) return refs;
  const read = readPageFields(type, { ...change, ...refs }, undefined);
  if (isRefusal(read)) return read;
  const place = findPlace(batch, { id, type }, { into: change.into ?? null, ...atOf(change) });
  if (isRefusal(place)) return place;
  const bare = { title: 'Untitled', ...read.values, id, kind: 'page', type } as unknown as PageRecord;
  const slug = slugFor(batch, bare, place, change.slug ?? '');
  if (isRefusal(slug)) return slug;
  const page = compact({
    ...withoutRedundantLabel(withPlace(bare, place)),
    ...slug,
    createdAt: batch.now,
    updatedAt: batch.now,
  });
  return step('created', withOwnFile(batch, page), place, ref);
}

function refuseIncomplete(change: InsertPage, type: PageRecord['type']): Refusal | undefined {
  const needed = { document: 'document', group: undefined, link: 'target', computed: 'computed' } as const;
  const field = needed[type];
  if (field === undefined || change[field] !== undefined) return undefined;
  return refuse('missing_field', `A page of type ${type} requires ${field}`, field);
}

const atOf = ({ at }: { readonly at?: number }) => (at === undefined ? {} : { at });

export function updatePage(batch: Batch, change: UpdatePage | MovePage): Result {
  const before = findPage(batch.tree, resolve(batch, change.page));
  if (before === undefined) return unknownPage(change.page);
  const refs = change.operation === 'update_page' ? readRefs(batch, change, before) : {};
  if (isRefusal(refs)) return refs;
  const fields: UpdatePage = { ...change, ...refs, operation: 'update_page' };
  const read = readPageFields(before.type, fields, before);
  if (isRefusal(read)) return read;
  const place = findPlace(batch, before, change);
  if (isRefusal(place)) return place;
  const bare = { ...before, ...withoutStaleLinks(fields), ...read.values } as PageRecord;
  const slug = slugFor(batch, bare, place, fields.slug);
  if (isRefusal(slug)) return slug;
  const page = withOwnFile(
    batch,
    compact({ ...withoutRedundantLabel(withPlace(bare, place)), ...slug }),
    before,
  );
  const updated = step('updated', isSame(page, before) ? before : { ...page, updatedAt: batch.now }, place);
  if (before.type !== 'computed' || page.type !== 'computed' || !isMoved(before, page)) return updated;
  const followers = followEntry(deriveTree(batch.tree, updated.records), before, page);
  return { ...updated, records: [...updated.records, ...followers.map((each) => [each.id, each] as const)] };
}

const isMoved = (before: PageRecord, after: PageRecord): boolean =>
  before.parent !== after.parent || before.position !== after.position;

/** A link table belongs to one document: a new document comes with its own table or without one. */
export const withoutStaleLinks = ({ document }: { readonly document?: string }): object =>
  document === undefined ? {} : { links: undefined };

export function deletePage(batch: Batch, change: DeletePage): Result {
  const id = resolve(batch, change.page);
  const page = findPage(batch.tree, id);
  if (page === undefined) return unknownPage(change.page);
  const ids = [id, ...descendantsOf(batch.tree, id)];
  const deleted = ids.map((each) => [each, null] as const);
  const isExpanded = ids.some((each) => findPage(batch.tree, each)?.type === 'computed');
  const orphans = isExpanded ? settleOrphans(deriveTree(batch.tree, deleted)) : [];
  return {
    records: [...deleted, ...orphans],
    outcomes: [{ did: 'deleted', kind: 'page', id }],
  };
}

/**
 * Restores an earlier page, its time included, so that no change remains. If its earlier place no longer exists, it
 * stays where it is.
 */
export function revertPage(batch: Batch, { page: name, to }: RevertPage): Result {
  const id = resolve(batch, name);
  const current = findPage(batch.tree, id);
  const hasChildren = childrenOf(batch.tree, id).length > 0;
  if (to === undefined) {
    // Deleting the page would delete children that may be older than it.
    if (!hasChildren) return deletePage(batch, { operation: 'delete_page', page: name });
    return refuse(
      'parent_holds_no_pages',
      `${id} did not exist in that revision: move or delete its subpages first`,
      'page',
    );
  }
  if (to.id !== id) return refuse('unknown_page', `${to.id} is not an earlier version of ${id}`, 'page');
  if (!mayHoldPages(to) && hasChildren) {
    return refuse('parent_holds_no_pages', `${id} was a ${to.type}: move its subpages first`, 'page');
  }
  const place = earlierPlace(batch, to, current);
  if (isRefusal(place)) return place;
  const slug = hasSlug(to) ? { slug: freeSlug(batch.tree, to, place.parent, to.slug) } : {};
  const page = withOwnFile(batch, compact({ ...withPlace(to, place), ...slug }));
  return step(current === undefined ? 'created' : 'updated', page, place);
}

function earlierPlace(batch: Batch, to: PageRecord, current: PageRecord | undefined): FoundPlace | Refusal {
  if (refuseParent(batch.tree, to, to.parent) === undefined) {
    return { parent: to.parent, position: to.position, rekeyed: [] };
  }
  if (current === undefined) return findEnd(batch, to, undefined);
  return { parent: parentOf(batch.tree, current.id), position: current.position, rekeyed: [] };
}

const withPlace = (page: PageRecord, { parent, position }: FoundPlace): PageRecord => ({
  ...page,
  parent,
  position,
});

/** A label equal to the title is omitted: SUMMARY.md cannot express it. */
const withoutRedundantLabel = (page: PageRecord): PageRecord =>
  page.type === 'document' && page.label === page.title ? { ...page, label: undefined } : page;

/**
 * The source file follows the page: if the page moved, has another slug, or another entry has the file, the file is
 * named after the page's path. Descendants keep their files.
 */
function withOwnFile({ tree }: Batch, page: PageRecord, before?: PageRecord): PageRecord {
  if (page.type !== 'document' || page.source === undefined) return page;
  const { id, parent, slug, source } = page;
  const isTaken = (tree.sources.get(source.path) ?? id) !== id;
  const isMoved =
    before?.type === 'document' &&
    before.source?.path === source.path &&
    (before.slug !== slug || parentOf(tree, id) !== parent);
  if (!isTaken && !isMoved) return page;
  const above = parent === undefined ? '' : `${pathOf(tree, parent) ?? parent}/`;
  // A page that only moves keeps the name of its file.
  const name = isMoved && before.slug === slug ? nameOf(source.path) : undefined;
  const stem = pathsIn(tree).directoryBelow(parent) + (name ?? portablePath(slug));
  const path = freeFilePath(tree, id, above + slug, stem);
  const former = isMoved ? { former: source.former ?? source.path } : {};
  return { ...page, source: { ...source, path, ...former } };
}

/** The name of a file without its extension. That of a README.md is the name of its directory. */
function nameOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  return /^readme$/i.test(name) ? undefined : name;
}

/** Undefined: the current slug, made unique. Empty: generated from the title. */
function slugFor(
  { tree }: Batch,
  page: PageRecord,
  { parent }: FoundPlace,
  wanted: PageFields['slug'],
): { readonly slug?: string } | Refusal {
  if (!hasSlug(page)) return {};
  if (wanted === undefined) return { slug: freeSlug(tree, page, parent, page.slug) };
  const slug = wanted === '' ? slugOf(page.title) : chosenSlug(wanted);
  if (slug === undefined) {
    return refuse('invalid_field', 'A slug must not contain slashes or invisible characters', 'slug');
  }
  const free = freeSlug(tree, page, parent, slug);
  // A requested slug is never changed silently.
  return wanted === '' || slug === '' || free === slug ? { slug: free } : refuseSlug(tree, parent, slug);
}

function refuseSlug(tree: Tree, parent: string | undefined, slug: string): Refusal {
  const owner = findPage(tree, tree.slugs.get(slugKey(parent ?? ROOT, foldSlug(slug))) ?? '');
  const why =
    owner === undefined
      ? `The slug "${slug}" is reserved at the root of a space`
      : `The slug "${slug}" is already used by the sibling page "${owner.title}" (${owner.id})`;
  return refuse('slug_taken', `${why}. Choose another, or omit it to derive one from the title`, 'slug');
}

function step(did: 'created' | 'updated', page: PageRecord, { rekeyed }: FoundPlace, ref?: string): Step {
  return {
    records: [...rekeyed, page].map((record) => [record.id, record]),
    outcomes: [{ did, kind: 'page', id: page.id, ...(ref === undefined ? {} : { ref }) }],
  };
}

const unknownPage = (id: string): Refusal => refuse('unknown_page', `There is no page ${id}`, 'page');
