import { get, type Load } from '../../../content-engine/map/index.ts';
import { buildTree, isPage, type ContentRecord, type Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { findCollections, presentCollection, type CollectionRow } from '../../collections/index.ts';
import { getOrganization, type OrganizationRow } from '../../organizations/index.ts';
import { loaderOf, rootOf } from '../../content-store/index.ts';
import { type ContentRow } from '../../revisions/index.ts';
import { findSpaces, getSpace, presentSpace, type SpaceRow } from '../../spaces/index.ts';
import { presentUser, users } from '../../users/index.ts';
import { visibleRows } from '../../../platform/database/visible-rows.ts';
import type { LinkOverlay } from '../../link-index/index.ts';
import type { LinkItem } from './list-store.ts';
import { listPrimaries } from '../primary-store.ts';
import { readSurroundings, type Outside, type Viewer } from './viewer-store.ts';
import { locationsIn, organizationText, type Json } from './present.ts';

/** The context in which links are read and presented. */
export interface LinkReader {
  readonly ctx: Context;
  readonly space: SpaceRow;
  readonly organization: OrganizationRow;
  readonly organizationText: Json;
  readonly viewer: Viewer;
  /** Spaces by id: those outside that the caller may view. */
  readonly spaces: ReadonlyMap<string, SpaceRow>;
  readonly collections: ReadonlyMap<string, CollectionRow>;
}

/** Reads the targets of links that the caller may view, in the organization of the space. */
export async function openLinks(ctx: Context, row: ContentRow, overlay?: LinkOverlay): Promise<LinkReader> {
  const { id: callerId } = ctx.caller;
  const found = await readSurroundings(ctx.db, callerId, row);
  // Access may have been lost since the admission: these say so.
  const space = found.space ?? (await getSpace(ctx.db, callerId, row.space_id));
  const organization = found.organization ?? (await getOrganization(ctx.db, callerId, row.organization_id));
  const outside = overlay ? withOverlay(found.outside, overlay) : found.outside;
  const [foundSpaces, foundCollections] = await Promise.all([
    findSpaces(ctx.db, callerId, outside.spaces),
    findCollections(ctx.db, callerId, outside.collections),
  ]);
  const spaces = inOrganization(foundSpaces, row.organization_id);
  const own = inOrganization(foundCollections, row.organization_id);
  const viewer: Viewer = {
    callerId,
    organizationId: row.organization_id,
    isGuest: organization.role === null,
    spaces: [...spaces.keys()],
    collections: [...own.keys()],
    hasOutside: outside.hasOutside,
    platform: platformOf(ctx),
  };
  const text = organizationText(ctx, organization);
  return { ctx, space, organization, organizationText: text, viewer, spaces, collections: own };
}

/** Adds what another version of the content leads to. */
function withOverlay({ hasOutside, spaces, collections }: Outside, { targets }: LinkOverlay): Outside {
  const added = targets.filter(({ broken }) => broken === null);
  return {
    hasOutside: hasOutside || added.length > 0,
    spaces: [...new Set([...spaces, ...added.flatMap(({ target_space_id: id }) => id ?? [])])],
    collections: [
      ...new Set([
        ...collections,
        ...added.flatMap(({ kind, target_id: id }) => (kind === 'collection' && id !== null ? [id] : [])),
      ]),
    ],
  };
}

const inOrganization = <R extends { readonly organization_id: string }>(
  rows: ReadonlyMap<string, R>,
  id: string,
): Map<string, R> => new Map([...rows].filter(([, row]) => row.organization_id === id));

/** The public address of this platform, without a trailing slash. */
export function platformOf({ addresses }: Pick<Context, 'addresses'>): string {
  const { origin, pathname } = new URL(addresses.of('/'));
  return (origin + pathname).replace(/\/$/, '');
}

/** Presents targets outside of the space. Undefined: they do not exist for the caller. */
export type OutsideOf = (item: LinkItem) => Json | undefined;

export async function readOutside(reader: LinkReader, items: readonly LinkItem[]): Promise<OutsideOf> {
  const outside = items.filter((item) => !item.is_broken && isOutside(item));
  const [entries, people] = await Promise.all([readEntries(reader, outside), readUsers(reader, outside)]);
  const { ctx, organizationText: organization, spaces } = reader;
  const inOrganization = (kind: string, value: object): Json =>
    `{"kind":"${kind}","organization":${organization},"${kind}":${JSON.stringify(value)}}`;
  return (item) => {
    if (item.is_broken) return undefined;
    const { kind, target_id: id, target_space_id: spaceId } = item;
    switch (kind) {
      case 'space': {
        const space = spaces.get(spaceId ?? '');
        return space && inOrganization(kind, presentSpace(space, ctx.caller.id, ctx.addresses));
      }
      case 'collection': {
        const collection = reader.collections.get(id ?? '');
        return (
          collection && inOrganization(kind, presentCollection(collection, ctx.caller.id, ctx.addresses))
        );
      }
      case 'user':
        return people.get(id ?? '');
      case 'page':
      case 'file':
      case 'reusable-content':
        return entries.get(spaceId ?? '')?.({ kind, id: id ?? '' }, item.anchor);
      default:
        return undefined;
    }
  };
}

const isOutside = ({ kind, target_space_id: space }: LinkItem): boolean =>
  space !== null || kind === 'user' || kind === 'collection';

async function readUsers({ ctx }: LinkReader, items: readonly LinkItem[]): Promise<Map<string, Json>> {
  const ids = items.flatMap(({ kind, target_id: id }) => (kind === 'user' && id !== null ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await visibleRows(ctx.db, users, ctx.caller.id)
    .selectAll()
    .where('user_id', 'in', ids)
    .execute();
  return new Map(
    rows.map((row) => [
      row.user_id,
      `{"kind":"user","user":${JSON.stringify(presentUser(row, ctx.addresses))}}`,
    ]),
  );
}

/** Entries of other spaces: their records and those above them, without the rest of the tree. */
async function readEntries(
  { ctx, organizationText: organization, spaces }: LinkReader,
  items: readonly LinkItem[],
) {
  const wanted = new Map<string, Set<string>>();
  for (const { target_space_id: space, target_id: id } of items) {
    if (space === null || id === null) continue;
    wanted.set(space, (wanted.get(space) ?? new Set()).add(id));
  }
  const locations = new Map<string, ReturnType<typeof locationsIn>>();
  for (const primary of await listPrimaries(ctx.db, [...wanted.keys()])) {
    const space = spaces.get(primary.space_id);
    if (!space) continue;
    const row: ContentRow = { ...primary, role: space.role };
    const tree = await treeAround(loaderOf(ctx, row.store_id), row, wanted.get(row.space_id) ?? new Set());
    const shown = { row, tree, addresses: ctx.addresses, keys: ctx.keys, computed: true };
    locations.set(row.space_id, locationsIn(ctx, organization, space, shown));
  }
  return locations;
}

/** A tree of some entries and the pages above them: enough for their paths. */
export async function treeAround(
  load: Load,
  row: Pick<ContentRow, 'root'>,
  ids: Iterable<string>,
): Promise<Tree> {
  const records = new Map<string, ContentRecord>();
  for (let wanted = [...ids]; wanted.length > 0;) {
    const found = await get<ContentRecord>(load, rootOf(row), wanted);
    const parents = new Set<string>();
    for (const [id, record] of found) {
      records.set(id, record);
      if (isPage(record) && record.parent !== undefined) parents.add(record.parent);
    }
    wanted = [...parents].filter((id) => !records.has(id));
  }
  return buildTree(records.values());
}
