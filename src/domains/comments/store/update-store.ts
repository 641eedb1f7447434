import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import { insertCommentEvents, insertReplyEvents } from './event-store.ts';

export type Posting = 'comment' | 'reply';

export async function setText(
  db: Database,
  posting: Posting,
  id: string,
  userId: string,
  markdown: string,
): Promise<void> {
  const updated =
    posting === 'comment'
      ? insertCommentEvents('comment_updated')
      : insertReplyEvents('comment_reply_updated');
  await sql`
    with changed as (
      update comments set markdown = ${markdown}, edited_at = now(), version = version + 1 where id = ${id}
      returning id, parent_id, space_id, change_request_id, ${userId}::text as user_id
    ) ${updated}`.execute(db);
}

/** Counts open and resolved comments. Where the comment is in that state already, nothing changes and nothing is counted. */
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
      insert into space_tallies (space_id, comments, comments_resolved)
      select space_id, ${difference}, -${difference} from changed where change_request_id is null
    ), counted as (
      update comment_counts there set open = there.open + ${difference}, resolved = there.resolved - ${difference}
      from changed where there.change_request_id = changed.change_request_id
    ) ${insertCommentEvents(resolved ? 'comment_resolved' : 'comment_reopened')}`.execute(db);
}

/** Deletes a comment, its replies, and the reactions to all of them. */
export async function deleteComment(db: Database, id: string, userId: string): Promise<void> {
  await sql`
    with changed as (
      delete from comments where id = ${id}
      returning id, parent_id, space_id, change_request_id, ${userId}::text as user_id,
        (resolved_at is null)::int as was_open
    ), tally as (
      insert into space_tallies (space_id, comments, comments_resolved)
      select space_id, -was_open, was_open - 1 from changed where change_request_id is null
    ), counted as (
      update comment_counts there set open = there.open - was_open, resolved = there.resolved + was_open - 1
      from changed where there.change_request_id = changed.change_request_id
    ) ${insertCommentEvents('comment_deleted')}`.execute(db);
}
