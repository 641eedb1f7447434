import type { Resource } from '../../platform/api/resource.ts';
import { atLeast, leastRole, resource, type Authorised, type Rule } from '../access/index.ts';
import { requestContent } from '../change-requests/index.ts';
import { primaryContent } from '../content/index.ts';
import { rowsInside } from '../spaces/index.ts';
import { USER, userOf, type UserColumns } from '../users/index.ts';

export interface ReactionColumns {
  readonly emoji: string;
  readonly reacted_at: string;
  readonly user: UserColumns | null;
}

/** A reaction as a list reads it: its user is added afterwards. */
export interface ListedReaction extends Omit<ReactionColumns, 'user'> {
  readonly user_id: string;
  user: UserColumns | null;
}

/** Who replied to a comment, how often, and when last. */
export interface ReplierColumns {
  readonly count: number;
  readonly updated_at: string;
  readonly user: UserColumns | null;
}

/** A replier of a list: the user is added afterwards. */
export interface ListedReplier extends Omit<ReplierColumns, 'user'> {
  readonly user_id: string | null;
  user: UserColumns | null;
}

/** The columns that comments and replies share. */
export interface PostedColumns {
  readonly space_id: string;
  /** The comment itself; for a reply, the comment that it replies to. */
  readonly comment_id: string;
  readonly change_request_id: string | null;
  readonly author_id: string | null;
  readonly author: UserColumns | null;
  readonly markdown: string;
  readonly version: number;
  readonly posted_at: Date;
  readonly edited_at: Date | null;
  readonly reactions: readonly ReactionColumns[] | null;
}

/** A page as it was when the comment was posted: shown if the page was deleted. */
export interface TargetPage {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly emoji?: string | undefined;
  readonly icon?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** A block by its present key, and its text; if it was deleted, the last ones. */
export interface TargetNode {
  readonly id: string;
  readonly preview: string;
}

export interface TargetCell {
  readonly record: string;
  readonly definition: string;
}

export type Posted = PostedColumns & Authorised;

export interface CommentColumns extends PostedColumns {
  readonly review_id: string | null;
  readonly target_revision_id: string;
  readonly page: TargetPage | null;
  readonly node: TargetNode | null;
  readonly table_cell: TargetCell | null;
  /** The block was deleted. Whether the page was is determined from the tree. */
  readonly outdated: boolean;
  readonly resolved_at: Date | null;
  readonly resolver: UserColumns | null;
  readonly replies: number;
  /** Those who replied first are first. Null: there is no reply. */
  readonly repliers: readonly ReplierColumns[] | null;
}

export interface ReplyColumns extends PostedColumns {
  readonly comment_reply_id: string;
}

/** A comment or a reply as a list reads it: its people are added afterwards. */
export type Listed<Columns extends PostedColumns> = Omit<
  Columns,
  'author' | 'resolver' | 'reactions' | 'repliers'
> & {
  readonly resolved_by?: string | null;
  author: UserColumns | null;
  resolver: UserColumns | null;
  readonly reactions: readonly ListedReaction[] | null;
  readonly repliers?: readonly ListedReplier[] | null;
};

export type ListedComment = Listed<CommentColumns> & { readonly repliers: readonly ListedReplier[] | null };

/** The present content that the comment is on. */
interface About extends Authorised {
  readonly organization_id: string;
  readonly store_id: string;
  readonly root: Buffer | null;
}

export type CommentRow = CommentColumns & About;
export type ReplyRow = ReplyColumns & About;

/** Most have none: an index lookup says so, without a join and a sort for each comment. */
const reactionsWith = (user: string, joined: string) => `
  case when exists (select from comment_reactions x where x.comment_id = k.id) then (
    select json_agg(json_build_object('emoji', x.emoji, 'reacted_at', x.reacted_at, ${user})
      order by x.reacted_at, x.emoji, x.user_id)
    from comment_reactions x ${joined} where x.comment_id = k.id) end`;

const REPLIES_OF = '(select n.replies from reply_counts n where n.comment_id = k.id)';

const repliersWith = (user: string) => `
  case when ${REPLIES_OF} > 0 then (
    select json_agg(json_build_object('count', p.count, 'updated_at', p.updated_at, ${user}) order by p.first, p.author_id)
    from (select a.author_id, count(*) as count, min(a.posted_at) as first,
        max(coalesce(a.edited_at, a.posted_at)) as updated_at
      from comments a where a.parent_id = k.id group by a.author_id) p) end`;

interface PeopleColumns {
  readonly author: string;
  readonly resolver: string;
  readonly reactions: string;
  readonly repliers: string;
}

const WITH_PEOPLE: PeopleColumns = {
  author: userOf('k.author_id'),
  resolver: userOf('k.resolved_by'),
  reactions: reactionsWith(`'user', ${USER}`, 'join users u on u.id = x.user_id'),
  repliers: repliersWith(`'user', ${userOf('p.author_id')}`),
};

/** A list reads people once, not for every comment and reaction. */
const WITHOUT_PEOPLE: PeopleColumns = {
  author: 'null',
  resolver: 'null',
  reactions: reactionsWith(`'user_id', x.user_id`, ''),
  repliers: repliersWith(`'user_id', p.author_id`),
};

const postedWith = ({ author, reactions }: PeopleColumns) => `
  k.change_request_id, k.author_id, k.markdown, k.version, k.posted_at, k.edited_at, ${author} as author,
  ${reactions} as reactions`;

/** Columns of a comment `k` without joins, so that counting needs an index only. */
const commentWith = (people: PeopleColumns) => `
  k.id as comment_id, ${postedWith(people)}, k.review_id, k.revision_id as target_revision_id, k.page, k.node,
  k.table_cell, k.outdated, k.resolved_at, ${people.resolver} as resolver,
  coalesce(${REPLIES_OF}, 0) as replies, ${people.repliers} as repliers`;

const replyWith = (people: PeopleColumns) =>
  `k.parent_id as comment_id, k.id as comment_reply_id, ${postedWith(people)}`;

export const COMMENT_COLUMNS = commentWith(WITH_PEOPLE);
export const REPLY_COLUMNS = replyWith(WITH_PEOPLE);
export const LISTED_COMMENT_COLUMNS = `${commentWith(WITHOUT_PEOPLE)}, k.resolved_by`;
export const LISTED_REPLY_COLUMNS = replyWith(WITHOUT_PEOPLE);

/**
 * The size of the reactions to a comment in a response, where each has its user. 400: the names of the fields, the
 * addresses and the name.
 */
export const reactionBytes = (commentId: string): string => `
  (select coalesce(sum(400 + octet_length(x.emoji) + coalesce(octet_length(u.photo_url), 0)), 0)
   from comment_reactions x join users u on u.id = x.user_id where x.comment_id = ${commentId})`;

/** The approximate size of the repliers of a comment. */
export const replierBytes = (commentId: string): string => `
  (select coalesce(sum(400 + coalesce(octet_length(u.photo_url), 0)), 0)
   from (select distinct a.author_id from comments a where a.parent_id = ${commentId}) p
   left join users u on u.id = p.author_id)`;

const isOwn = ({ author_id: authorId }: PostedColumns, callerId: string): boolean => authorId === callerId;

type Action = 'view' | 'reply' | 'edit' | 'delete' | 'resolve';

/** Authors may always edit and delete their own comments; only they may edit them. */
const needs: Readonly<Record<Action, Rule<Posted>>> = {
  view: leastRole.view,
  reply: leastRole.comment,
  edit: isOwn,
  delete: (row, callerId) => isOwn(row, callerId) || atLeast(row.role, leastRole.admin),
  resolve: (row, callerId) => isOwn(row, callerId) || atLeast(row.role, leastRole.review),
};

const inSpace = (columns: string, which: string) =>
  rowsInside(
    `s.store_id, rv.root, ${columns}`,
    `join revisions rv on rv.id = s.revision_id
     join comments k on k.space_id = s.id and k.change_request_id is null ${which}`,
  );

const inRequest = (columns: string, which: string) =>
  rowsInside(
    `cr.number::text as change_request_number, s.store_id, rv.root, ${columns}`,
    `join change_requests cr on cr.space_id = s.id
     join revisions rv on rv.id = cr.revision_id
     join comments k on k.change_request_id = cr.id ${which}`,
  );

const COMMENTS = 'and k.parent_id is null';
const REPLIES = 'and k.parent_id is not null';

/** Comments on a space, without those in its change requests. */
export const comments = resource<CommentRow>()({
  name: 'Comment',
  key: 'comment_id',
  rows: inSpace(COMMENT_COLUMNS, COMMENTS),
  match: 'k.space_id = :within and k.id = any(:ids)',
  within: primaryContent,
  needs,
});

export const replies = resource<ReplyRow>()({
  name: 'Reply',
  key: 'comment_reply_id',
  rows: inSpace(REPLY_COLUMNS, REPLIES),
  match: 'k.parent_id = :within and k.id = any(:ids)',
  within: comments,
  needs,
});

export const requestComments = resource<CommentRow>()({
  name: 'Change request comment',
  key: 'comment_id',
  rows: inRequest(COMMENT_COLUMNS, COMMENTS),
  match: '(cr.id = :within or cr.number::text = :within) and k.id = any(:ids)',
  within: requestContent,
  needs,
});

export const requestReplies = resource<ReplyRow>()({
  name: 'Change request reply',
  key: 'comment_reply_id',
  rows: inRequest(REPLY_COLUMNS, REPLIES),
  match: 'k.parent_id = :within and k.id = any(:ids)',
  within: requestComments,
  needs,
});

/** A comment or a reply: the same rules apply to both. */
export const posted = comments as unknown as Resource<Posted, Action>;
