import type { Entry } from '../../../content-engine/links/index.ts';
import { findPage, type Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { badRequest, notFound } from '../../../platform/api/errors.ts';
import { etagOf } from '../../../platform/api/etag.ts';
import { Encoded } from '../../../platform/api/operation.ts';
import type { PageRequest } from '../../../platform/api/pagination.ts';
import type { RequestContentRow } from '../../change-requests/index.ts';
import { readTree } from '../../content-store/index.ts';
import { type ContentRow } from '../../revisions/index.ts';
import { listTargets, type LinkItem, type LinkPage } from './list-store.ts';
import type { BrokenContext, LinkFilter, LinkStatus } from './status-store.ts';
import {
  kindOfSource,
  locationsIn,
  locationsInRequest,
  presentLink,
  type Json,
  type LocationOf,
} from './present.ts';
import { openLinks, readOutside, type LinkReader, type OutsideOf } from './read-outside.ts';
import { readVersion } from './read-version.ts';

export interface LinksQuery {
  readonly status?: LinkStatus | undefined;
  readonly brokenContext?: BrokenContext | undefined;
}

/** The links of a space, or of one of its pages, grouped by target. */
export async function listLinks(
  ctx: Context,
  row: ContentRow,
  query: LinksQuery,
  page: PageRequest,
  pageId?: string,
): Promise<Encoded> {
  const reader = await openLinks(ctx, row);
  const found = await listTargets(ctx.db, row.space_id, reader.viewer, filterOf(query, page, pageId));
  const tree = await readTree(ctx, found);
  const shown = {
    row: { ...found, role: row.role },
    tree,
    addresses: ctx.addresses,
    keys: ctx.keys,
    computed: true,
  };
  if (pageId !== undefined && !findPage(tree, pageId)) throw notFound('Page');
  const locationOf = locationsIn(ctx, reader.organizationText, reader.space, shown);
  return encodeLinks(reader, found, page, tree, locationOf);
}

/** The links of the space after a merge of the request, or of a page of the request. */
export async function listRequestLinks(
  ctx: Context,
  target: RequestContentRow,
  query: LinksQuery,
  page: PageRequest,
  pageId?: string,
): Promise<Encoded> {
  const { status = 'broken', brokenContext } = query;
  if (brokenContext !== undefined && status !== 'broken')
    throw badRequest('`brokenContext` selects broken links. Omit it, or send `status=broken`.', [
      { path: 'query.brokenContext', rule: 'only with `status=broken`' },
    ]);
  const view = pageId === undefined ? 'merged' : 'proposed';
  return readVersion(ctx, target, view, async (snapshot, { request, tree, proposed, overlay }) => {
    if (pageId !== undefined && !findPage(tree, pageId)) throw notFound('Page');
    const reader = await openLinks(snapshot, target, overlay);
    const filter = filterOf(query, page, pageId);
    const found = await listTargets(snapshot.db, target.space_id, reader.viewer, filter, overlay);
    const row = { ...found, role: target.role };
    const shown = { row, tree, addresses: ctx.addresses, keys: ctx.keys, computed: true };
    const { organizationText, space } = reader;
    const locationOf = locationsInRequest(snapshot, organizationText, space, shown, request, proposed);
    return encodeLinks(reader, found, page, tree, locationOf);
  });
}

const filterOf = (
  { status, brokenContext }: LinksQuery,
  page: PageRequest,
  pageId: string | undefined,
): LinkFilter => ({
  status,
  brokenContext,
  ...(pageId === undefined ? {} : { sourceId: pageId }),
  after: page.after === undefined ? undefined : String(page.after.key[0]),
  limit: page.limit === 0 ? 0 : page.limit + 1,
});

async function encodeLinks(
  reader: LinkReader,
  found: LinkPage,
  page: PageRequest,
  tree: Tree,
  locationOf: LocationOf,
): Promise<Encoded> {
  const { total, broken, broken_by_request: byRequest, count, revision_id: revisionId } = found;
  const rows = found.items.slice(0, page.limit);
  const outsideOf = await readOutside(reader, rows);
  const { texts, last } = encodeItems(rows, (item) => {
    const locations = item.locations.flatMap(
      ({ id }) => locationOf({ kind: kindOfSource(tree, id), id }) ?? [],
    );
    return presentLink(item, targetOf(item, locationOf, outsideOf), locations);
  });
  const isMore = texts.length < found.items.length;
  const exact = page.after?.count ?? count;
  const next = isMore && last ? `"next":${JSON.stringify({ page: page.cursor([last.key], exact) })},` : '';
  const stats = JSON.stringify({ total, broken: { total: broken, changeRequest: byRequest ?? undefined } });
  const items = texts.flatMap((text, index) => (index === 0 ? [text] : [',', text]));
  const body = Buffer.from([`{${next}"count":${exact},"items":[`, ...items, `],"stats":${stats}}`].join(''));
  return new Encoded(body, etagOf(revisionId, body));
}

/** A page of a list ends early here: items with 20 locations each are large. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** The texts of as many items as fit, at least one. */
function encodeItems(
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
