import { sql } from 'kysely';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import type { Role } from '../access/index.ts';
import { spaces, spacesAndDeleted, type SpaceRow } from './policy.ts';

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

/** What a list reads of each space: its place in the order, and its counts. The rest can be cached. */
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
