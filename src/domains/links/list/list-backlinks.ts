import { isPresent } from '../../../content-engine/links/index.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { notFound } from '../../../platform/api/errors.ts';
import { etagOf } from '../../../platform/api/etag.ts';
import { Encoded } from '../../../platform/api/operation.ts';
import type { PageRequest } from '../../../platform/api/pagination.ts';
import type { RequestContentRow } from '../../change-requests/index.ts';
import { getOrganization } from '../../organizations/index.ts';
import { readTree, loaderOf } from '../../content-store/index.ts';
import { type ContentRow } from '../../revisions/index.ts';
import { findSpaces } from '../../spaces/index.ts';
import { listLinkingSpaces, listSources, type BacklinkRow } from './backlink-store.ts';
import { listPrimaries } from '../primary-store.ts';
import { kindOfSource, locationsIn, locationsInRequest, organizationText, type Json } from './present.ts';
import { treeAround } from './read-outside.ts';
import { readVersion, type RequestVersion } from './read-version.ts';

export interface LinkedEntry {
  readonly kind: 'page' | 'file';
  readonly id: string;
}

/** The pages and reusable contents with links to an entry, in its space and in others that the caller may view. */
export async function listBacklinks(
  ctx: Context,
  row: ContentRow,
  entry: LinkedEntry,
  page: PageRequest,
): Promise<Encoded> {
  requireEntry(await readTree(ctx, row), entry);
  return encodeBacklinks(ctx, row, entry, page);
}

/** Lists backlinks to an entry of a change request. Its own pages and reusable contents are those of the request. */
export const listRequestBacklinks = (
  ctx: Context,
  target: RequestContentRow,
  entry: LinkedEntry,
  page: PageRequest,
): Promise<Encoded> =>
  readVersion(ctx, target, 'proposed', async (snapshot, version) => {
    requireEntry(version.tree, entry);
    return encodeBacklinks(snapshot, target, entry, page, version);
  });

async function encodeBacklinks(
  ctx: Context,
  row: ContentRow,
  entry: LinkedEntry,
  page: PageRequest,
  version?: RequestVersion,
): Promise<Encoded> {
  const callerId = ctx.caller.id;
  const linking = await listLinkingSpaces(ctx.db, row.space_id, entry.id);
  const found = await findSpaces(ctx.db, callerId, [row.space_id, ...linking]);
  const spaces = [...found.values()].filter((space) => space.organization_id === row.organization_id);
  const { rows, count } = await listSources(
    ctx.db,
    { spaceId: row.space_id, ...entry },
    spaces.map((space) => space.space_id),
    page.after?.key,
    page.limit === 0 ? 0 : page.limit + 1,
    version?.overlay,
  );
  const shown = rows.slice(0, page.limit);
  const items = await presentSources(ctx, row, found, shown, version);
  const last = shown.at(-1);
  const exact = page.after?.count ?? count;
  const next =
    rows.length > shown.length && last
      ? { next: { page: page.cursor([last.is_other, last.space_id, last.source_id], exact) } }
      : {};
  const head = JSON.stringify({ ...next, count: exact });
  const body = Buffer.from(`${head.slice(0, -1)},"items":[${items.join(',')}]}`);
  return new Encoded(body, etagOf(row.revision_id, body));
}

function requireEntry(tree: Tree, { kind, id }: LinkedEntry): void {
  if (!isPresent(tree, { kind, id })) throw notFound(kind === 'page' ? 'Page' : 'File');
}

async function presentSources(
  ctx: Context,
  row: ContentRow,
  spaces: Awaited<ReturnType<typeof findSpaces>>,
  sources: readonly BacklinkRow[],
  version: RequestVersion | undefined,
): Promise<Json[]> {
  if (sources.length === 0) return [];
  const organization = organizationText(
    ctx,
    await getOrganization(ctx.db, ctx.caller.id, row.organization_id),
  );
  const texts = new Map<string, Json>();
  for (const primary of await listPrimaries(ctx.db, [...new Set(sources.map(({ space_id: id }) => id))])) {
    const space = spaces.get(primary.space_id);
    if (!space) continue;
    const ids = sources.filter((each) => each.space_id === primary.space_id).map((each) => each.source_id);
    const shownRow: ContentRow = { ...primary, role: space.role };
    const own = primary.space_id === row.space_id ? version : undefined;
    const tree = own?.tree ?? (await treeAround(loaderOf(ctx, primary.store_id), shownRow, ids));
    const shown = { row: shownRow, tree, addresses: ctx.addresses, keys: ctx.keys, computed: true };
    const locationOf = own
      ? locationsInRequest(ctx, organization, space, shown, own.request, own.proposed)
      : locationsIn(ctx, organization, space, shown);
    for (const id of ids) {
      const text = locationOf({ kind: kindOfSource(tree, id), id });
      if (text !== undefined) texts.set(`${primary.space_id} ${id}`, text);
    }
  }
  return sources.flatMap((each) => texts.get(`${each.space_id} ${each.source_id}`) ?? []);
}
