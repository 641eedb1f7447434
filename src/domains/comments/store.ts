import { sql } from 'kysely';
import { LATER } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visible } from '../../platform/database/visible.ts';
import { newId } from '../../platform/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/pagination.ts';
import type { Authorised } from '../../platform/resource.ts';
import type { Role } from '../../platform/roles.ts';
import { members, type MemberRow } from '../members/index.ts';
import {
  COMMENT_COLUMNS,
  COMMENT_PEOPLE,
  REPLY_COLUMNS,
  REPLY_PEOPLE,
  type CommentColumns,
  type Person,
  type ReplyColumns,
  type TargetCell,
  type TargetNode,
  type TargetPage,
} from './policy.ts';

/** Where comments are: on a space, or in one of its change requests. */
export interface Place {
  readonly spaceId: string;
  readonly changeRequestId: string | null;
}

/** What a comment is about, but for the space or change request itself. */
export interface Target {
  readonly page: TargetPage | null;
  readonly node: TargetNode | null;
  readonly table_cell: TargetCell | null;
  readonly outdated: boolean;
}

/** Who writes it, and when: what the transaction knows without asking. */
export interface Written {
  readonly author: Person;
  readonly postedAt: Date;
  readonly markdown: string;
}

export interface NewComment extends Written {
  readonly place: Place;
  readonly revisionId: string;
  readonly target: Target;
  /** The review that it is said with. */
  readonly reviewId?: string;
}

/** How a new comment will be read: what is about to be written is not asked for. */
export const asPosted = (comment: NewComment): CommentColumns => ({
  ...comment.target,
  ...asWritten(comment.place, comment),
  comment_id: newId(),
  review_id: comment.reviewId ?? null,
  target_revision_id: comment.revisionId,
  resolved_at: null,
  resolver: null,
  replies: 0,
});

/** One statement, and no row that another comment writes: however many post at once, nobody waits. */
export async function insertComments(db: Database, comments: readonly CommentColumns[]): Promise<void> {
  if (comments.length === 0) return;
  await sql`${LATER}
    with new as (
      select * from jsonb_to_recordset(${JSON.stringify(comments)}::jsonb) as new (comment_id text, space_id text,
        change_request_id text, author_id text, markdown text, target_revision_id text, page jsonb, node jsonb,
        table_cell jsonb, outdated boolean, review_id text)
    ), tally as (
      insert into space_tallies (space_id, comments)
      select space_id, count(*) from new where change_request_id is null group by space_id
    ), posted as (
      insert into comments (id, space_id, change_request_id, author_id, markdown, revision_id, page, node, table_cell,
        outdated, review_id)
      select * from new
    )
    insert into events (organization_id, space_id, type, data)
    select s.organization_id, s.id, 'comment_posted',
      jsonb_build_object('commentId', new.comment_id, 'changeRequestId', new.change_request_id)
    from new join spaces s on s.id = new.space_id`.execute(db);
}

/**
 * The content stays at this revision until the transaction ends, so that whoever makes the next one finds the comment
 * and takes it along. Where it has moved on meanwhile nothing is found, and all is tried again.
 */
export async function holdRevision(db: Database, place: Place, revisionId: string): Promise<void> {
  await db
    .selectFrom(place.changeRequestId === null ? 'spaces' : 'change_requests')
    .select('id')
    .where('id', '=', place.changeRequestId ?? place.spaceId)
    .where('revision_id', '=', revisionId)
    .forShare()
    .executeTakeFirstOrThrow();
}

export async function insertReply(db: Database, to: CommentColumns, written: Written): Promise<ReplyColumns> {
  const id = newId();
  await sql`${LATER}
    insert into comments (id, parent_id, space_id, change_request_id, author_id, markdown, revision_id)
    values (${id}, ${to.comment_id}, ${to.space_id}, ${to.change_request_id}, ${written.author.id}, ${written.markdown},
      ${to.target_revision_id})`.execute(db);
  const place = { spaceId: to.space_id, changeRequestId: to.change_request_id };
  return { ...asWritten(place, written), comment_id: to.comment_id, comment_reply_id: id };
}

const asWritten = (place: Place, { author, markdown, postedAt }: Written) => ({
  space_id: place.spaceId,
  change_request_id: place.changeRequestId,
  author_id: author.id,
  author,
  markdown,
  version: 1,
  posted_at: postedAt,
  edited_at: null,
  reactions: null,
});

/** For a caller with this role on the place: that is their role on each of them. */
const comments = (db: Database, role: Role | null) =>
  db.selectFrom(
    sql<CommentColumns & Authorised>`(
      select ${role}::text as role, k.space_id, ${sql.raw(COMMENT_COLUMNS)} from comments k ${sql.raw(COMMENT_PEOPLE)}
      where k.parent_id is null)`.as('row'),
  );

const replies = (db: Database, role: Role | null) =>
  db.selectFrom(
    sql<ReplyColumns & Authorised>`(
      select ${role}::text as role, k.space_id, ${sql.raw(REPLY_COLUMNS)} from comments k ${sql.raw(REPLY_PEOPLE)}
      where k.parent_id is not null)`.as('row'),
  );

export const getComment = (db: Database, role: Role | null, id: string) =>
  comments(db, role).selectAll().where('comment_id', '=', id).executeTakeFirstOrThrow();

/** What was said with reviews, by their ids. Whoever shows it knows the caller's role. */
export async function getReviewComments(
  db: Database,
  reviewIds: readonly string[],
): Promise<Map<string, CommentColumns>> {
  if (reviewIds.length === 0) return new Map();
  const rows = await comments(db, null)
    .selectAll()
    .where('review_id', '=', sql<string>`any(${[...reviewIds]})`)
    .execute();
  return new Map(rows.map((row) => [row.review_id ?? '', row]));
}

export const getReply = (db: Database, role: Role | null, id: string) =>
  replies(db, role).selectAll().where('comment_reply_id', '=', id).executeTakeFirstOrThrow();

export interface CommentFilter {
  readonly order: 'asc' | 'desc';
  readonly status: 'all' | 'open' | 'resolved';
  readonly targetPage: string | undefined;
  readonly authorIds: readonly string[] | undefined;
}

export function listComments(
  db: Database,
  role: Role | null,
  place: Place,
  filter: CommentFilter,
  page: PageRequest,
) {
  let rows = comments(db, role).selectAll().where('space_id', '=', place.spaceId);
  rows =
    place.changeRequestId === null
      ? rows.where('change_request_id', 'is', null)
      : rows.where('change_request_id', '=', place.changeRequestId);
  if (filter.status !== 'all')
    rows = rows.where('resolved_at', filter.status === 'open' ? 'is' : 'is not', null);
  if (filter.targetPage !== undefined) rows = rows.where(sql<boolean>`page ->> 'id' = ${filter.targetPage}`);
  if (filter.authorIds) rows = rows.where('author_id', '=', sql<string>`any(${[...filter.authorIds]})`);
  return fetchPage(rows, page, {
    by: ['posted_at', 'comment_id'],
    direction: filter.order,
    key: (row: CommentColumns) => [row.posted_at.toISOString(), row.comment_id],
  });
}

/** In the order in which they were said. */
export const listReplies = (db: Database, role: Role | null, commentId: string, page: PageRequest) =>
  fetchPage(replies(db, role).selectAll().where('comment_id', '=', commentId), page, {
    by: ['posted_at', 'comment_reply_id'],
    direction: 'asc',
    key: (row: ReplyColumns) => [row.posted_at.toISOString(), row.comment_reply_id],
  });

/** Whoever wrote a comment or a reply there, of those whom the caller may see as members. */
export function listCommenters(
  db: Database,
  callerId: string,
  organizationId: string,
  place: Place,
  page: PageRequest,
) {
  const rows = visible(db, members, callerId).selectAll().where('organization_id', '=', organizationId)
    .where(sql<boolean>`exists (
      select from comments k where k.author_id = row.user_id and k.space_id = ${place.spaceId}
        and k.change_request_id is not distinct from ${place.changeRequestId})`);
  return fetchPage(rows, page, {
    by: ['joined_at', 'user_id'],
    direction: 'asc',
    key: (row: MemberRow) => [row.joined_at.toISOString(), row.user_id],
  });
}

/** Of a comment or a reply. */
export async function setText(db: Database, id: string, markdown: string): Promise<void> {
  await db
    .updateTable('comments')
    .set({ markdown, edited_at: sql`now()`, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Counted is what is open; whoever finds it as they want it changes nothing, and counts nothing. */
export async function setResolved(
  db: Database,
  id: string,
  userId: string,
  resolved: boolean,
): Promise<void> {
  await sql`
    with changed as (
      update comments set version = version + 1,
        resolved_at = case when ${resolved} then now() end, resolved_by = case when ${resolved} then ${userId} end
      where id = ${id} and (resolved_at is not null) <> ${resolved} returning space_id, change_request_id
    )
    insert into space_tallies (space_id, comments)
    select space_id, ${resolved ? -1 : 1}::int from changed where change_request_id is null`.execute(db);
}

/** With its replies, and the reactions to all of them. */
export async function deleteComment(db: Database, id: string): Promise<void> {
  await sql`
    with gone as (
      delete from comments where id = ${id} returning space_id, change_request_id, resolved_at
    )
    insert into space_tallies (space_id, comments)
    select space_id, -1 from gone where change_request_id is null and resolved_at is null`.execute(db);
}

export async function deleteReply(db: Database, id: string): Promise<void> {
  await db.deleteFrom('comments').where('id', '=', id).execute();
}

/** Answers how many there are then, of all people. */
