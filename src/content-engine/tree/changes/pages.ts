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
import { freeFilePath } from '../file-path.ts';
import { childrenOf, descendantsOf, findPage, parentOf, pathOf } from '../lookup.ts';
import { readFields } from './page-fields.ts';
import { readRefs } from './page-refs.ts';
import { hasSlug, mayHoldPages, type PageRecord } from '../records.ts';
import { chosenSlug, slugOf } from '../slug.ts';
import { foldSlug, ROOT, slugKey, type Tree } from '../tree.ts';

type Result = Step | Refusal;

export function insertPage(batch: Batch, change: InsertPage): Result {
  const { id, ref, type = 'document' } = change;
  const refusal = refuseName(batch, id, ref) ?? refuseIncomplete(change, type);
  if (refusal !== undefined) return refusal;
  const refs = readRefs(batch, change, undefined);
  if (isRefusal(refs)) return refs;
  const read = readFields(type, { ...change, ...refs }, undefined);
  if (isRefusal(read)) return read;
  const place = findPlace(batch, { id, type }, { into: change.into ?? null, ...atOf(change) });
  if (isRefusal(place)) return place;
  const bare = { title: 'Untitled', ...read.values, id, kind: 'page', type } as unknown as PageRecord;
  const slug = slugFor(batch, bare, place, change.slug ?? '');
  if (isRefusal(slug)) return slug;
  const page = compact({
    ...labelled(put(bare, place)),
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
  const read = readFields(before.type, fields, before);
  if (isRefusal(read)) return read;
  const place = findPlace(batch, before, change);
  if (isRefusal(place)) return place;
  const bare = { ...before, ...withoutStaleLinks(fields), ...read.values } as PageRecord;
  const slug = slugFor(batch, bare, place, fields.slug);
  if (isRefusal(slug)) return slug;
  const page = withOwnFile(batch, compact({ ...labelled(put(bare, place)), ...slug }), before);
  return step('updated', isSame(page, before) ? before : { ...page, updatedAt: batch.now }, place);
}

/** A table of links belongs to its document: with another one, it is the one given or none. */
export const withoutStaleLinks = ({ document }: { readonly document?: string }): object =>
  document === undefined ? {} : { links: undefined };

export function deletePage(batch: Batch, change: DeletePage): Result {
  const id = resolve(batch, change.page);
  if (findPage(batch.tree, id) === undefined) return unknownPage(change.page);
  return {
    records: [id, ...descendantsOf(batch.tree, id)].map((id) => [id, null]),
    outcomes: [{ did: 'deleted', kind: 'page', id }],
  };
}

/** As it was, time included, so that nothing is left to be seen as a change. Where its place is gone it keeps its own. */
export function revertPage(batch: Batch, { page: name, to }: RevertPage): Result {
  const id = resolve(batch, name);
  const current = findPage(batch.tree, id);
  const hasBelow = childrenOf(batch.tree, id).length > 0;
  if (to === undefined) {
    // What stands below it by now may be older than it is.
    if (!hasBelow) return deletePage(batch, { operation: 'delete_page', page: name });
    return refuse(
      'parent_holds_no_pages',
      `${id} did not exist in that revision: move or delete its subpages first`,
      'page',
    );
  }
  if (to.id !== id) return refuse('unknown_page', `${to.id} is not an earlier version of ${id}`, 'page');
  if (!mayHoldPages(to) && hasBelow) {
    return refuse('parent_holds_no_pages', `${id} was a ${to.type}: move its subpages first`, 'page');
  }
  const place = placeBefore(batch, to, current);
  if (isRefusal(place)) return place;
  const slug = hasSlug(to) ? { slug: freeSlug(batch.tree, to, place.parent, to.slug) } : {};
  const page = withOwnFile(batch, compact({ ...put(to, place), ...slug }));
  return step(current === undefined ? 'created' : 'updated', page, place);
}

function placeBefore(batch: Batch, to: PageRecord, current: PageRecord | undefined): FoundPlace | Refusal {
  if (refuseParent(batch.tree, to, to.parent) === undefined) {
    return { parent: to.parent, position: to.position, spread: [] };
  }
  if (current === undefined) return findEnd(batch, to, undefined);
  return { parent: parentOf(batch.tree, current.id), position: current.position, spread: [] };
}

const put = (page: PageRecord, { parent, position }: FoundPlace): PageRecord => ({
  ...page,
  parent,
  position,
});

/** A label that is the title is none: SUMMARY.md cannot say both. */
const labelled = (page: PageRecord): PageRecord =>
  page.type === 'document' && page.label === page.title ? { ...page, label: undefined } : page;

/**
 * The file that a page came from goes with it: at another place, with another slug, or where another page has that file
 * now, it is the file that the page's path names. What is below stays in its own files.
 */
function withOwnFile({ tree }: Batch, page: PageRecord, before?: PageRecord): PageRecord {
  if (page.type !== 'document' || page.source === undefined) return page;
  const { id, parent, slug, source } = page;
  const isOthers = (tree.sources.get(source.path) ?? id) !== id;
  const isMoved =
    before?.type === 'document' &&
    before.source?.path === source.path &&
    (before.slug !== slug || parentOf(tree, id) !== parent);
  if (!isOthers && !isMoved) return page;
  const above = parent === undefined ? '' : `${pathOf(tree, parent) ?? parent}/`;
  return { ...page, source: { ...source, path: freeFilePath(tree, id, above + slug) } };
}

/** Undefined keeps the slug as far as the place allows; an empty one is made from the title. */
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
  // A slug that somebody chose is not changed behind their back.
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

function step(did: 'created' | 'updated', page: PageRecord, { spread }: FoundPlace, ref?: string): Step {
  return {
    records: [...spread, page].map((record) => [record.id, record]),
    outcomes: [{ did, kind: 'page', id: page.id, ...(ref === undefined ? {} : { ref }) }],
  };
}

const unknownPage = (id: string): Refusal => refuse('unknown_page', `There is no page ${id}`, 'page');
