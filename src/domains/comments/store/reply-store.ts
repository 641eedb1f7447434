import { sql } from 'kysely';
import { PIPELINED } from '../../../platform/database/client.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { newId } from '../../../platform/api/ids.ts';
import { fetchPage, type Page, type PageRequest } from '../../../platform/api/pagination.ts';
import type { Authorised, Role } from '../../access/index.ts';
import { insertReplyEvents } from './event-store.ts';
import { addPeople } from './people-store.ts';
import {
  LISTED_REPLY_COLUMNS,
  REPLY_COLUMNS,
  reactionBytes,
  type CommentColumns,
  type Listed,
  type ReplyColumns,
} from '../policy.ts';
import { asWritten, type Written } from './store.ts';

/** A new reply as it will be read. */
export const asReply = (to: CommentColumns, written: Written): ReplyColumns => ({
  ...asWritten({ spaceId: to.space_id, changeRequestId: to.change_request_id }, written),
  comment_id: to.comment_id,
  comment_reply_id: newId(),
});

/** Replies to one comment, in their order. */
export async function insertReplies(
  db: Database,
  to: CommentColumns,
  replies: readonly ReplyColumns[],
): Promise<void> {
  if (replies.length === 0) return;
  await sql`${PIPELINED}
    with changed as (
      insert into comments (id, parent_id, space_id, change_request_id, author_id, markdown, revision_id, store_id)
      select comment_reply_id, comment_id, space_id, change_request_id, author_id, markdown, ${to.target_revision_id},
        s.store_id
      from jsonb_to_recordset(${JSON.stringify(replies)}::jsonb) as new (comment_reply_id text, comment_id text,
        space_id text, change_request_id text, author_id text, markdown text)
        join spaces s on s.id = space_id
      returning id, parent_id, space_id, change_request_id, author_id as user_id
    ), counted as (
      insert into reply_counts as there (comment_id, replies) values (${to.comment_id}, ${replies.length})
      on conflict (comment_id) do update set replies = there.replies + excluded.replies
    ) ${insertReplyEvents('comment_reply_posted')}`.execute(db);
}

/** Replies for a caller with this role, which applies to each of them. */
const replies = <Row extends object>(db: Database, role: Role | null, columns: string) =>
  db.selectFrom(
    sql<Row & Authorised>`(
      select ${role}::text as role, k.space_id, ${sql.raw(columns)} from comments k
      where k.parent_id is not null)`.as('row'),
  );

export const getReply = (db: Database, role: Role | null, id: string) =>
  replies<ReplyColumns>(db, role, REPLY_COLUMNS)
    .selectAll()
    .where('comment_reply_id', '=', id)
    .executeTakeFirstOrThrow();

const POSTED_BYTES = `
  octet_length(markdown) + case when reactions is null then 0 else ${reactionBytes('row.comment_reply_id')} end`;

/** Lists replies in the order of their posting. */
export async function listReplies(
  db: Database,
  role: Role | null,
  commentId: string,
  page: PageRequest,
): Promise<Page<ReplyColumns & Authorised>> {
  const rows = replies<Listed<ReplyColumns>>(db, role, LISTED_REPLY_COLUMNS)
    .selectAll()
    .where('comment_id', '=', commentId);
  const listed = await fetchPage(rows, page, {
    by: ['posted_at', 'comment_reply_id'],
    direction: 'asc',
    key: (row) => [row.posted_at.toISOString(), row.comment_reply_id],
    size: { db, of: sql.raw(POSTED_BYTES) },
  });
  await addPeople(db, listed.rows);
  return listed;
}

/** If it was deleted already, nothing is counted. */
export async function deleteReply(db: Database, id: string, userId: string): Promise<void> {
  await sql`
    with changed as (
      delete from comments where id = ${id}
      returning id, parent_id, space_id, change_request_id, ${userId}::text as user_id
    ), counted as (
      update reply_counts there set replies = there.replies - 1
      from changed where there.comment_id = changed.parent_id
    ) ${insertReplyEvents('comment_reply_deleted')}`.execute(db);
}
