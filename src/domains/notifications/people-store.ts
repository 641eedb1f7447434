import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { gitOperations } from '../git-sync/index.ts';

/** Who is concerned by what happened. Whether they may view it is checked for all of them in one place (`store.ts`). */

/** A thread or a change request with more people is told to the latest of them. */
const MAX_PEOPLE = 200;

export interface PeopleOfRequest {
  readonly author_id: string | null;
  /** Whose review was requested, and who reviewed it. */
  readonly reviewers: readonly string[];
}

export async function findPeopleOfRequest(db: Database, id: string): Promise<PeopleOfRequest | undefined> {
  const { rows } = await sql<PeopleOfRequest>`
    select cr.author_id, array(
      select user_id from (
        select user_id, created_at from change_request_reviewers where change_request_id = cr.id
        union all
        select reviewer_id, created_at from change_request_reviews where change_request_id = cr.id) people
      group by user_id order by max(created_at) desc limit ${MAX_PEOPLE}) as reviewers
    from change_requests cr where cr.id = ${id}`.execute(db);
  return rows[0];
}

/** Who requested a review. */
export async function findRequester(db: Database, reviewId: string): Promise<string | null> {
  const { rows } = await sql<{ requested_by: string | null }>`
    select requested_by from change_request_reviews where id = ${reviewId}`.execute(db);
  return rows[0]?.requested_by ?? null;
}

export interface PostedText {
  readonly markdown: string;
  readonly review_id: string | null;
}

/** A comment or a reply. */
export async function findPosted(db: Database, id: string): Promise<PostedText | undefined> {
  const { rows } = await sql<PostedText>`
    select markdown, review_id from comments where id = ${id}`.execute(db);
  return rows[0];
}

/** Who posted a comment, and who replied to it. */
export async function findThread(db: Database, commentId: string): Promise<string[]> {
  const { rows } = await sql<{ author_id: string }>`
    select author_id from comments where (id = ${commentId} or parent_id = ${commentId}) and author_id is not null
    group by author_id order by max(posted_at) desc limit ${MAX_PEOPLE}`.execute(db);
  return rows.map(({ author_id: id }) => id);
}

export interface EndedSync {
  readonly user_id: string | null;
  readonly change_request_id: string | null;
  /** The user may still view the operation, and can be reached. */
  readonly is_reachable: boolean;
  /** The one before it failed, too: that was told. */
  readonly failed_before: boolean;
  readonly is_pull_request: boolean;
}

export async function findEndedSync(db: Database, operationId: string): Promise<EndedSync | undefined> {
  const { rows } = await sql<EndedSync>`
    select op.user_id, op.change_request_id, op.cause = 'pull-request' as is_pull_request,
      exists (
        select from (select op.user_id as id) caller join users u using (id),
          lateral (${sql.raw(gitOperations.rows)}) target
        where target.git_operation_id = op.id and u.disabled_at is null
          and u.email_proven_at is not null) as is_reachable,
      coalesce((
        select before.state = 'failure' from git_operations before
        where before.space_id = op.space_id and before.direction = op.direction and before.id <> op.id
          and before.state in ('success', 'failure') and before.completed_at <= op.completed_at
        order by before.completed_at desc, before.id limit 1), false) as failed_before
    from git_operations op where op.id = ${operationId}`.execute(db);
  return rows[0];
}

/** The admins of the organization of a space who joined first. */
export async function findFirstAdmins(db: Database, spaceId: string, count: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from spaces s
    join members m on m.organization_id = s.organization_id and m.role = 'admin' and not m.disabled
    join users u on u.id = m.user_id and u.disabled_at is null
    where s.id = ${spaceId} order by m.joined_at, m.user_id limit ${count}`.execute(db);
  return rows.map(({ user_id: id }) => id);
}
