import type { Entry } from '../../content-engine/links/index.ts';
import { findPage } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { ApiError, notFound } from '../../platform/api/errors.ts';
import { etagOf } from '../../platform/api/etag.ts';
import { Encoded } from '../../platform/api/operation.ts';
import type { PageRequest } from '../../platform/api/pagination.ts';
import { loaderOf, rootOf, treeAt, type ContentRow } from '../revisions/index.ts';
import { listTargets, type LinkItem, type LinkStatus } from './list-store.ts';
import { kindOfSource, locationsIn, presentLink, type Json, type LocationOf } from './present.ts';
import { openLinks, readOutside, type OutsideOf } from './read-outside.ts';

export interface LinksQuery {
  readonly status?: LinkStatus | undefined;
}

/** The links of a space, or of one of its pages, grouped by target. */
export async function listLinks(
  ctx: Context,
  row: ContentRow,
  { status }: LinksQuery,
  page: PageRequest,
  pageId?: string,
): Promise<Encoded> {
  const reader = await openLinks(ctx, row);
  const {
    is_indexed: isIndexed,
    items,
    total,
    broken,
    count,
    ...found
  } = await listTargets(ctx.db, row.space_id, reader.viewer, {
    status,
    ...(pageId === undefined ? {} : { sourceId: pageId }),
    after: page.after === undefined ? undefined : String(page.after.key[0]),
    limit: page.limit === 0 ? 0 : page.limit + 1,
  });
  if (!isIndexed) throw notIndexed();
  const shownRow: ContentRow = { ...found, role: row.role };
  const tree = await treeAt(ctx, loaderOf(ctx, found.store_id), rootOf(found));
  if (pageId !== undefined && !findPage(tree, pageId)) throw notFound('Page');
  const shown = { row: shownRow, tree, addresses: ctx.addresses, keys: ctx.keys, computed: true };
  const locationOf = locationsIn(ctx, reader.organizationText, reader.space, shown);
  const rows = items.slice(0, page.limit);
  const outsideOf = await readOutside(reader, rows);
  const { texts, last } = encode(rows, (item) => {
    const locations = item.locations.flatMap(
      ({ id }) => locationOf({ kind: kindOfSource(tree, id), id }) ?? [],
    );
    return presentLink(item, targetOf(item, locationOf, outsideOf), locations);
  });
  const isMore = texts.length < items.length;
  const exact = page.after?.count ?? count;
  const next = isMore && last ? `"next":${JSON.stringify({ page: page.cursor([last.key], exact) })},` : '';
  const stats = JSON.stringify({ total, broken: { total: broken } });
  const body = Buffer.from(`{${next}"count":${exact},"items":[${texts.join(',')}],"stats":${stats}}`);
  return new Encoded(body, etagOf(found.revision_id, body));
}

export const notIndexed = () =>
  new ApiError(503, 'The links of this space are being indexed. Retry in a moment.', {
    headers: { 'retry-after': '5' },
  });

/** A page of a list ends early here: items with 20 locations each are large. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** The texts of as many items as fit, at least one. */
function encode(
  items: readonly LinkItem[],
  present: (item: LinkItem) => Json,
): { readonly texts: Json[]; readonly last: LinkItem | undefined } {
  const texts: Json[] = [];
  let length = 0;
  for (const item of items) {
    if (length > MAX_PAGE_BYTES) break;
    const text = present(item);
    texts.push(text);
    length += text.length;
  }
  return { texts, last: items[texts.length - 1] };
}

/** A broken anchor shows its page, which exists. */
function targetOf(item: LinkItem, locationOf: LocationOf, outsideOf: OutsideOf): Json | undefined {
  const { kind, target_id: id, target_space_id: space, anchor, url } = item;
  if (kind === 'url') return JSON.stringify({ kind, url });
  if (kind === 'missing') return undefined;
  const isEntry = kind === 'page' || kind === 'file' || kind === 'reusable-content';
  if (space !== null || !isEntry) return outsideOf(item);
  const entry: Entry = { kind, id: id ?? '' };
  return locationOf(entry, anchor);
}
