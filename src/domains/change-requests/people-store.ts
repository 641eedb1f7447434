import { sql } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import { spaces } from '../spaces/index.ts';
import { SHOWN_EMAIL, userOf, type UserColumns } from '../users/index.ts';

/** Contributors and requested reviewers of change requests. */

export async function addContribution(
  db: Database,
  id: string,
  userId: string,
  action: 'edit' | 'comment',
): Promise<void> {
  await sql`${PIPELINED}
    insert into change_request_contributors as there (change_request_id, user_id, action)
    values (${id}, ${userId}, ${action})
    on conflict (change_request_id, user_id, action)
      do update set count = there.count + 1, updated_at = now()`.execute(db);
}

export type ContributorRow = UserColumns & {
  readonly action: 'edit' | 'comment';
  readonly count: number;
  readonly updated_at: Date;
};

export function listContributors(db: Database, id: string, page: PageRequest) {
  const rows = db
    .selectFrom('change_request_contributors as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select([
      'c.user_id',
      sql<'edit' | 'comment'>`c.action`.as('action'),
      'c.count',
      'c.updated_at',
      'u.display_name',
      sql.raw<string>(SHOWN_EMAIL).as('email'),
      'u.photo_url',
    ])
    .where('c.change_request_id', '=', id);
  return fetchPage(rows, page, {
    by: ['c.user_id', 'c.action'],
    direction: 'asc',
    key: (row) => [row.user_id, row.action],
  });
}

export interface ReviewerRow {
  readonly user_id: string;
  readonly revision_id: string;
  readonly created_at: Date;
  readonly user: UserColumns;
  readonly requested_by: UserColumns | null;
}

const reviewers = (db: Database, id: string) =>
  db
    .selectFrom('change_request_reviewers as r')
    .select(['r.user_id', 'r.revision_id', 'r.created_at'])
    .select([
      sql.raw<UserColumns>(userOf('r.user_id')).as('user'),
      sql.raw<UserColumns | null>(userOf('r.requested_by')).as('requested_by'),
    ])
    .where('r.change_request_id', '=', id);

export const listReviewers = (db: Database, id: string, page: PageRequest) =>
  fetchPage(reviewers(db, id), page, {
    by: ['r.created_at', 'r.user_id'],
    direction: 'asc',
    key: (row) => [row.created_at.toISOString(), row.user_id],
  });

export const getReviewers = (db: Database, id: string, userIds: readonly string[]): Promise<ReviewerRow[]> =>
  reviewers(db, id)
    .where('r.user_id', '=', sql<string>`any(${[...userIds]})`)
    .orderBy('r.user_id')
    .execute();

/** A repeated request is about the revision that is proposed now. */
export async function putReviewers(
  db: Database,
  id: string,
  revisionId: string,
  requestedBy: string,
  userIds: readonly string[],
): Promise<void> {
  await sql`
    insert into change_request_reviewers (change_request_id, user_id, requested_by, revision_id)
    select ${id}, *, ${requestedBy}, ${revisionId} from unnest(${[...new Set(userIds)].toSorted()}::text[])
    on conflict (change_request_id, user_id)
      do update set requested_by = excluded.requested_by, revision_id = excluded.revision_id`.execute(db);
}

/** False where the user was not requested. */
export async function deleteReviewer(db: Database, id: string, userId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('change_request_reviewers')
    .where('change_request_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

/** The users without access to the space, who cannot review it. */
export async function listWithoutAccess(
  db: Database,
  spaceId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select caller.id from unnest(${[...userIds]}::text[]) with ordinality as caller (id, place)
    where not exists (select from (${sql.raw(spaces.rows)}) target where target.space_id = ${spaceId})
    order by caller.place`.execute(db);
  return rows.map(({ id }) => id);
}
