import { addToList } from '../../content-engine/add-to-list.ts';
import type { JSONDocument } from '../../content-engine/document/index.ts';
import { readableDocument } from '../../content-engine/evaluation/index.ts';
import { findPage, pathOf, type PageRecord, type Tree } from '../../content-engine/tree/index.ts';
import type { Addresses } from '../../platform/api/context.ts';
import { flags } from '../../platform/api/resource.ts';
import type { Authorised } from '../access/index.ts';
import { presentUser } from '../users/index.ts';
import {
  posted,
  type CommentColumns,
  type Posted,
  type PostedColumns,
  type ReactionColumns,
  type ReplyColumns,
  type TargetPage,
} from './policy.ts';

/** The caller, and the format they asked for. */
export interface Shown {
  readonly callerId: string;
  readonly addresses: Addresses;
  readonly format: 'markdown' | 'document';
  /** Documents that were parsed already, by their text. */
  readonly documents?: ReadonlyMap<string, JSONDocument>;
}

const FLAGS = ['view', 'edit', 'reply', 'delete'] as const;

/** `tree`: of the present content; not needed for comments on no page. */
export const presentComment = (row: CommentColumns & Authorised, shown: Shown, tree: Tree | undefined) => ({
  object: 'comment' as const,
  id: row.comment_id,
  ...presentPosted(row, pathOfComment(row), shown),
  replies: row.replies,
  repliers: (row.repliers ?? []).map(({ user, count, updated_at: updatedAt }) => ({
    user: presentUser(user, shown.addresses),
    count,
    updatedAt: new Date(updatedAt).toISOString(),
  })),
  status: row.resolved_at ? ('resolved' as const) : ('open' as const),
  resolvedAt: row.resolved_at?.toISOString(),
  resolvedBy: row.resolved_at ? presentUser(row.resolver, shown.addresses) : undefined,
  target: {
    space: row.space_id,
    revision: row.target_revision_id,
    changeRequest: row.change_request_id ?? undefined,
    review: row.review_id ?? undefined,
    page: row.page ? presentPageOf(row, row.page, tree) : undefined,
    node: row.node ?? undefined,
    tableCell: row.table_cell ?? undefined,
  },
});

export const presentReply = (row: ReplyColumns & Authorised, shown: Shown) => ({
  object: 'comment-reply' as const,
  id: row.comment_reply_id,
  ...presentPosted(row, `${pathOfComment(row)}/replies/${row.comment_reply_id}`, shown),
});

function pathOfComment({ space_id, change_request_id, comment_id }: PostedColumns): string {
  const request = change_request_id === null ? '' : `/change-requests/${change_request_id}`;
  return `/v1/spaces/${space_id}${request}/comments/${comment_id}`;
}

const presentPosted = (row: Posted, path: string, { callerId, addresses, format, documents }: Shown) => ({
  postedBy: presentUser(row.author, addresses),
  postedAt: row.posted_at.toISOString(),
  editedAt: row.edited_at?.toISOString(),
  reactions: presentReactions(row.reactions ?? [], addresses),
  body:
    format === 'document'
      ? { document: documents?.get(row.markdown) ?? readableDocument(row.markdown) }
      : { markdown: row.markdown },
  urls: { location: addresses.of(path) },
  permissions: flags(posted, FLAGS, row, callerId),
});

/** Emoji are in the order of their first use. */
function presentReactions(reactions: readonly ReactionColumns[], addresses: Addresses) {
  const byEmoji = new Map<string, ReactionColumns[]>();
  for (const reaction of reactions) {
    addToList(byEmoji, reaction.emoji, reaction);
  }
  return [...byEmoji].map(([emoji, same]) => ({
    emoji,
    count: same.length,
    users: same.map(({ user, reacted_at: reactedAt }) => ({
      user: presentUser(user, addresses),
      reactedAt: new Date(reactedAt).toISOString(),
    })),
  }));
}

/** The page as it is now, or its last state if it was deleted. */
function presentPageOf({ outdated }: CommentColumns, known: TargetPage, tree: Tree | undefined) {
  const page = tree && findPage(tree, known.id);
  return page ? { ...presentTargetPage(tree, page), outdated } : { ...known, outdated: true };
}

export const presentTargetPage = (tree: Tree, page: PageRecord): TargetPage => ({
  id: page.id,
  title: page.title,
  path: pathOf(tree, page.id) ?? '',
  emoji: page.emoji,
  icon: page.icon,
  createdAt: isoOf(page.createdAt),
  updatedAt: isoOf(page.updatedAt),
});

const isoOf = (moment: number | undefined) =>
  moment === undefined ? undefined : new Date(moment).toISOString();
