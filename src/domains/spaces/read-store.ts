import { sql } from 'kysely';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import type { Role } from '../access/index.ts';
import { noLongerVisible } from '../collections/index.ts';
import { PUBLICATION, spaces, spacesAndDeleted, type Publication, type SpaceRow } from './policy.ts';

const byAge = {
  by: ['created_at', 'space_id'],
  direction: 'asc' as const,
  key: (row: SpaceRow) => [row.created_at.toISOString(), row.space_id],
};

export const listDeletedSpaces = (
  db: Database,
  callerId: string,
  organizationId: string,
  page: PageRequest,
) =>
  fetchPage(
    visibleRows(db, spacesAndDeleted, callerId)
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is not', null),
    page,
    byAge,
  );

/** The columns that a list reads of each space: its place in the order, and its counts. The rest can be cached. */
const LISTED = [
  'space_id',
  'place',
  'position',
  'comments',
  'change_requests',
  'change_requests_open',
  'change_requests_draft',
] as const;
export type ListedSpace = Pick<SpaceRow, (typeof LISTED)[number]>;

export const listSpaces = (db: Database, callerId: string, organizationId: string, page: PageRequest) =>
  fetchPage(
    visibleRows(db, spaces, callerId).select(LISTED).where('organization_id', '=', organizationId),
    page,
    {
      by: ['place', 'space_id'],
      direction: 'asc',
      key: (row: ListedSpace) => [row.place, row.space_id],
    },
  );

export const listSpacesInCollection = (
  db: Database,
  callerId: string,
  collectionId: string,
  page: PageRequest,
) =>
  fetchPage(visibleRows(db, spaces, callerId).select(LISTED).where('parent_id', '=', collectionId), page, {
    by: ['position', 'space_id'],
    direction: 'asc',
    key: (row: ListedSpace) => [row.position, row.space_id],
  });

/** Spaces that both the member and the caller may view. */
export function listSpacesOfMember(
  db: Database,
  callerId: string,
  member: { organization_id: string; user_id: string },
  order: 'asc' | 'desc',
  page: PageRequest,
) {
  // One value, which PostgreSQL computes once. It would compare every space of one list with every one of the other: its
  // estimate for either is a single space until the table has been analysed.
  const roles = sql`(select jsonb_object_agg(target.space_id, target.role)
    from (select ${member.user_id}::text as id) caller, lateral (${sql.raw(spaces.rows)}) target)`;
  const rows = visibleRows(db, spaces, callerId)
    .selectAll()
    .select(sql<Role>`${roles} ->> space_id`.as('permission'))
    .where('organization_id', '=', member.organization_id)
    .where(sql<boolean>`jsonb_exists(${roles}, space_id)`);
  return fetchPage(rows, page, { ...byAge, direction: order });
}

export async function getSpace(db: Database, callerId: string, id: string): Promise<SpaceRow> {
  const row = await visibleRows(db, spaces, callerId)
    .selectAll()
    .where('space_id', '=', id)
    .executeTakeFirst();
  if (row) return row;
  // If the row is gone, the operation is retried. If it remains, only the caller lost access to it.
  await db
    .selectFrom('spaces')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  throw noLongerVisible();
}

/** Those of these spaces that the caller may view, by id. */
export async function findSpaces(
  db: Database,
  callerId: string,
  ids: readonly string[],
): Promise<Map<string, SpaceRow>> {
  if (ids.length === 0) return new Map();
  const rows = await visibleRows(db, spaces, callerId)
    .selectAll()
    .where('space_id', '=', sql<string>`any(${[...ids]})`)
    .execute();
  return new Map(rows.map((row) => [row.space_id, row]));
}

/** The site that an active share link with this key hash opens. Only sites with the visibility `share-link` need a key. */
export async function findSiteOfKey(db: Database, keyHash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('share_links as k')
    .innerJoin('sites as t', 't.id', 'k.site_id')
    .select('t.id')
    .where('k.key_hash', '=', keyHash)
    .where('k.active', '=', true)
    .where('t.visibility', '=', 'share-link')
    .executeTakeFirst();
  return row?.id;
}

/** Lists spaces that are not deleted, regardless of permissions. For the command line. */
export const listAllSpaces = (db: Database) =>
  db
    .selectFrom('spaces as s')
    .innerJoin('organizations as o', 'o.id', 's.organization_id')
    .select(['s.id', 's.title', 'o.id as organization', 'o.title as organizationTitle'])
    .select(sql<Publication | null>`${sql.raw(PUBLICATION)}`.as('publication'))
    .where('s.deleted_at', 'is', null)
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute();

/** Where a published site shows the space. */
export const findPublication = async (db: Database, id: string): Promise<Publication | null> =>
  (
    await db
      .selectFrom('spaces as s')
      .select(sql<Publication | null>`${sql.raw(PUBLICATION)}`.as('publication'))
      .where('s.id', '=', id)
      .executeTakeFirst()
  )?.publication ?? null;

export const findSpace = (db: Database, id: string) =>
  db
    .selectFrom('spaces')
    .select(['id', 'title', 'organization_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
