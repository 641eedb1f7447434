import { sql } from 'kysely';
import { PIPELINED } from '../../../platform/database/client.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { newId } from '../../../platform/api/ids.ts';
import type { Authorised, Role } from '../../access/index.ts';
import { insertEvents } from '../../events/index.ts';
import type { UserColumns } from '../../users/index.ts';
import { addPeople } from './people-store.ts';
import {
  COMMENT_COLUMNS,
  LISTED_COMMENT_COLUMNS,
  type CommentColumns,
  type ListedComment,
  type TargetCell,
  type TargetNode,
  type TargetPage,
} from '../policy.ts';

/** The space that is commented on, or one of its change requests. */
export interface Place {
  readonly spaceId: string;
  readonly changeRequestId: string | null;
}

/** The part of it that a comment is on. */
export interface Target {
  readonly page: TargetPage | null;
  readonly node: TargetNode | null;
  readonly table_cell: TargetCell | null;
  readonly outdated: boolean;
}

/** The values of a new comment that need no query. */
export interface Written {
  readonly author: UserColumns;
  readonly postedAt: Date;
  readonly markdown: string;
}

export interface NewComment extends Written {
  readonly place: Place;
  readonly revisionId: string;
  readonly target: Target;
  /** The review that it is part of. */
  readonly reviewId?: string;
}

/** A new comment as it will be read: rows that are about to be written are not queried. */
export const asPosted = (comment: NewComment): CommentColumns => ({
  ...comment.target,
  ...asWritten(comment.place, comment),
  comment_id: newId(),
  review_id: comment.reviewId ?? null,
  target_revision_id: comment.revisionId,
  resolved_at: null,
  resolver: null,
  replies: 0,
  repliers: null,
});

const COMMENT_POSTED = insertEvents('comment_posted', {
  organizationId: sql`s.organization_id`,
  spaceId: sql`s.id`,
  data: {
    commentId: sql`new.comment_id`,
    changeRequestId: sql`new.change_request_id`,
    userId: sql`new.author_id`,
  },
  from: sql`from new join spaces s on s.id = new.space_id`,
});

/**
 * Inserts with one statement. On a space, comments share no row, so that concurrent ones do not wait for each other. In a change
 * request they share its count.
 */
export async function insertComments(db: Database, comments: readonly CommentColumns[]): Promise<void> {
  if (comments.length === 0) return;
  await sql`${PIPELINED}
    with new as (
      select * from jsonb_to_recordset(${JSON.stringify(comments)}::jsonb) as new (comment_id text, space_id text,
        change_request_id text, author_id text, markdown text, target_revision_id text, page jsonb, node jsonb,
        table_cell jsonb, outdated boolean, review_id text)
    ), tally as (
      insert into space_tallies (space_id, comments)
      select space_id, count(*) from new where change_request_id is null group by space_id
    ), counted as (
      insert into comment_counts as there (change_request_id, open)
      select change_request_id, count(*) from new where change_request_id is not null group by change_request_id
      on conflict (change_request_id) do update set open = there.open + excluded.open
    ), announced as (
      ${COMMENT_POSTED} returning id, data ->> 'commentId' as comment_id
    )
    insert into comments (id, space_id, change_request_id, author_id, markdown, revision_id, page, node, table_cell,
      outdated, review_id, followed_to, store_id)
    select new.*, announced.id, s.store_id
    from new join announced using (comment_id) join spaces s on s.id = new.space_id`.execute(db);
}

/** The columns that new comments and new replies share. */
export const asWritten = (place: Place, { author, markdown, postedAt }: Written) => ({
  space_id: place.spaceId,
  change_request_id: place.changeRequestId,
  author_id: author.user_id,
  author,
  markdown,
  version: 1,
  posted_at: postedAt,
  edited_at: null,
  reactions: null,
});

/** Comments for a caller with this role, which applies to each of them. */
const comments = <Row extends object>(db: Database, role: Role | null, columns: string) =>
  db.selectFrom(
    sql<Row & Authorised>`(
      select ${role}::text as role, k.space_id, ${sql.raw(columns)} from comments k
      where k.parent_id is null)`.as('row'),
  );

export const getComment = (db: Database, role: Role | null, id: string) =>
  comments<CommentColumns>(db, role, COMMENT_COLUMNS)
    .selectAll()
    .where('comment_id', '=', id)
    .executeTakeFirstOrThrow();

/** The comments of reviews, by the ids of the reviews. The caller knows the role. */
export async function getReviewComments(
  db: Database,
  reviewIds: readonly string[],
): Promise<Map<string, CommentColumns>> {
  if (reviewIds.length === 0) return new Map();
  const rows = await comments<ListedComment>(db, null, LISTED_COMMENT_COLUMNS)
    .selectAll()
    .where('review_id', '=', sql<string>`any(${[...reviewIds]})`)
    .execute();
  await addPeople(db, rows);
  return new Map(rows.map((row) => [row.review_id ?? '', row]));
}
