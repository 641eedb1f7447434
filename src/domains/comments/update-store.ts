import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';

/** What happens to comments once they are there, and that it is told. */

/**
 * Tells of the comments or replies that a statement `changed`, and of the user who did, inside that statement: where it
 * changed nothing, there is no fact.
 */
export const announced = (fact: 'posted' | 'updated' | 'resolved' | 'reopened' | 'deleted') => sql`
  insert into events (organization_id, space_id, type, data)
  select s.organization_id, s.id, case when k.parent_id is null then 'comment_' else 'comment_reply_' end || ${fact}::text,
    jsonb_build_object('commentId', coalesce(k.parent_id, k.id), 'changeRequestId', k.change_request_id, 'userId',
      k.user_id) || case when k.parent_id is null then '{}' else jsonb_build_object('commentReplyId', k.id) end
  from changed k join spaces s on s.id = k.space_id`;

/** Of a comment or a reply. */
export async function setText(db: Database, id: string, userId: string, markdown: string): Promise<void> {
  await sql`
    with changed as (
      update comments set markdown = ${markdown}, edited_at = now(), version = version + 1 where id = ${id}
      returning id, parent_id, space_id, change_request_id, ${userId}::text as user_id
    ) ${announced('updated')}`.execute(db);
}

/** Counted is what is open; whoever finds it as they want it changes nothing, and counts nothing. */
export async function setResolved(
  db: Database,
  id: string,
  userId: string,
  resolved: boolean,
): Promise<void> {
  const difference = sql`${resolved ? -1 : 1}::int`;
  await sql`
    with changed as (
      update comments set version = version + 1,
        resolved_at = case when ${resolved} then now() end, resolved_by = case when ${resolved} then ${userId} end
      where id = ${id} and (resolved_at is not null) <> ${resolved}
      returning id, parent_id, space_id, change_request_id, ${userId}::text as user_id
    ), tally as (
      insert into space_tallies (space_id, comments)
      select space_id, ${difference} from changed where change_request_id is null
    ), counted as (
      update comment_counts there set open = there.open + ${difference}
      from changed where there.change_request_id = changed.change_request_id
    ) ${announced(resolved ? 'resolved' : 'reopened')}`.execute(db);
}

/** With its replies, and the reactions to all of them. */
export async function deleteComment(db: Database, id: string, userId: string): Promise<void> {
  await sql`
    with changed as (
      delete from comments where id = ${id}
      returning id, parent_id, space_id, change_request_id, ${userId}::text as user_id, resolved_at
    ), tally as (
      insert into space_tallies (space_id, comments)
      select space_id, -1 from changed where change_request_id is null and resolved_at is null
    ), counted as (
      update comment_counts there set open = there.open - 1
      from changed where there.change_request_id = changed.change_request_id and changed.resolved_at is null
    ) ${announced('deleted')}`.execute(db);
}
