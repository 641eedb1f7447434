import { sql } from 'kysely';
import { fetchPage, type Page, type PageRequest } from '../../../platform/api/pagination.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { visibleRows } from '../../../platform/database/visible-rows.ts';
import type { Authorised, Role } from '../../access/index.ts';
import { members, type MemberRow } from '../../members/index.ts';
import { addPeople } from './people-store.ts';
import {
  LISTED_COMMENT_COLUMNS,
  reactionBytes,
  replierBytes,
  type CommentColumns,
  type ListedComment,
} from '../policy.ts';
import type { Place } from './store.ts';

export interface CommentFilter {
  readonly order: 'asc' | 'desc';
  readonly status: 'all' | 'open' | 'resolved';
  readonly targetPage: string | undefined;
  readonly authorIds: readonly string[] | undefined;
}

const POSTED_BYTES = `
  octet_length(markdown) + case when reactions is null then 0 else ${reactionBytes('row.comment_id')} end
  + case when repliers is null then 0 else ${replierBytes('row.comment_id')} end`;

export async function listComments(
  db: Database,
  role: Role | null,
  place: Place,
  filter: CommentFilter,
  page: PageRequest,
): Promise<Page<CommentColumns & Authorised>> {
  let rows = db
    .selectFrom(
      sql<ListedComment & Authorised>`(
        select ${role}::text as role, k.space_id, ${sql.raw(LISTED_COMMENT_COLUMNS)} from comments k
        where k.parent_id is null)`.as('row'),
    )
    .selectAll();
  rows =
    place.changeRequestId === null
      ? rows.where('space_id', '=', place.spaceId).where('change_request_id', 'is', null)
      : rows.where('change_request_id', '=', place.changeRequestId);
  if (filter.status !== 'all')
    rows = rows.where('resolved_at', filter.status === 'open' ? 'is' : 'is not', null);
  if (filter.targetPage !== undefined) rows = rows.where(sql<boolean>`page ->> 'id' = ${filter.targetPage}`);
  if (filter.authorIds) rows = rows.where('author_id', '=', sql<string>`any(${[...filter.authorIds]})`);
  const isWhole = filter.targetPage === undefined && filter.authorIds === undefined;
  const listed = await fetchPage(rows, page, {
    ...(isWhole ? { count: () => countComments(db, place, filter.status) } : {}),
    by: ['posted_at', 'comment_id'],
    direction: filter.order,
    key: (row: ListedComment) => [row.posted_at.toISOString(), row.comment_id],
    size: { db, of: sql.raw(POSTED_BYTES) },
  });
  await addPeople(db, listed.rows);
  return listed;
}

const COUNTED = {
  all: sql`open + resolved`,
  open: sql`open`,
  resolved: sql`resolved`,
};

async function countComments(db: Database, place: Place, status: CommentFilter['status']): Promise<number> {
  const counts =
    place.changeRequestId === null
      ? sql`select coalesce(sum(comments), 0) as open, coalesce(sum(comments_resolved), 0) as resolved
          from space_tallies where space_id = ${place.spaceId}`
      : sql`select open, resolved from comment_counts where change_request_id = ${place.changeRequestId}`;
  const { rows } = await sql<{ count: number }>`
    select (${COUNTED[status]})::int as count from (${counts}) counts`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Authors of comments and replies, among the members that the caller may see. */
export function listCommenters(
  db: Database,
  callerId: string,
  organizationId: string,
  place: Place,
  page: PageRequest,
) {
  // `is not distinct from` cannot use the index.
  const isThere = place.changeRequestId === null ? sql`is null` : sql`= ${place.changeRequestId}`;
  const rows = visibleRows(db, members, callerId).selectAll().where('organization_id', '=', organizationId)
    .where(sql<boolean>`exists (
      select from comments k where k.author_id = row.user_id and k.space_id = ${place.spaceId}
        and k.change_request_id ${isThere})`);
  return fetchPage(rows, page, {
    by: ['joined_at', 'user_id'],
    direction: 'asc',
    key: (row: MemberRow) => [row.joined_at.toISOString(), row.user_id],
  });
}
