import type { Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { captureRefusals } from '../../platform/api/refusals.ts';
import { lockChangeRequest, addContribution } from '../change-requests/index.ts';
import { type ContentRow, lockPrimary } from '../revisions/index.ts';
import { asUser } from '../users/index.ts';
import { findTarget, WHOLE } from './anchors/find-target.ts';
import type { CommentColumns, CommentRow, PostedColumns, ReplyColumns } from './policy.ts';
import { presentComment, presentReply, type Shown } from './present.ts';
import type { Body, NewComment, NewReply } from './schema.ts';
import { asReply, insertReplies } from './store/reply-store.ts';
import { asPosted, insertComments, type Place, type Written } from './store/store.ts';
import { markdownOf } from './read-body.ts';

/** The primary content of a space, or the proposed content of one of its change requests. */
export type CommentedContent = ContentRow & { readonly change_request_id?: string };

export const placeOf = (row: CommentedContent): Place => ({
  spaceId: row.space_id,
  changeRequestId: row.change_request_id ?? null,
});

export interface Post {
  readonly ctx: Context;
  readonly content: CommentedContent;
  readonly comment: Static<typeof NewComment>;
  /** The revision that its author looked at. */
  readonly seen: ContentRow | undefined;
  readonly shown: Shown;
}

export async function postComments(db: Database, place: Place, posts: readonly Post[]) {
  const held = posts.some(({ comment }) => comment.node !== undefined) ? await lockContent(db, place) : {};
  const rows: CommentColumns[] = [];
  const settled = await captureRefusals(posts, async ({ ctx, content: found, comment, seen, shown }) => {
    const { body, ...asked } = comment;
    const markdown = markdownOf(body as Body);
    const content = { ...found, ...held };
    const { target, tree } = await findTarget(ctx, content, asked, seen);
    const row = asPosted({ ...writtenBy(ctx, markdown), place, revisionId: content.revision_id, target });
    rows.push(row);
    return presentComment({ ...row, role: content.role }, shown, tree);
  });
  await insertComments(db, rows);
  await addContributions(db, rows);
  return settled;
}

/**
 * Locks the content until the transaction ends, so that the event of every revision is recorded either before the
 * comment or after it (`follow-anchors.ts`).
 */
async function lockContent(
  db: Database,
  { spaceId, changeRequestId }: Place,
): Promise<Pick<ContentRow, 'revision_id' | 'root'>> {
  const { revision_id, root } =
    changeRequestId === null ? await lockPrimary(db, spaceId) : await lockChangeRequest(db, changeRequestId);
  return { revision_id, root };
}

/** A comment that is part of a review, on the whole change request. */
export async function postWithReview(
  ctx: Context,
  review: { readonly id: string; readonly revisionId: string; readonly place: Place },
  body: Body,
): Promise<void> {
  const { id: reviewId, revisionId, place } = review;
  const row = asPosted({
    ...writtenBy(ctx, markdownOf(body)),
    place,
    revisionId,
    target: WHOLE,
    reviewId,
  });
  await insertComments(ctx.db, [row]);
  await addContributions(ctx.db, [row]);
}

export interface Answering {
  readonly ctx: Context;
  readonly role: CommentRow['role'];
  readonly reply: Static<typeof NewReply>;
  readonly shown: Shown;
}

export async function postReplies(db: Database, to: CommentRow, replies: readonly Answering[]) {
  const rows: ReplyColumns[] = [];
  const settled = await captureRefusals(replies, async ({ ctx, role, reply, shown }) => {
    const row = asReply(to, writtenBy(ctx, markdownOf(reply.body as Body)));
    rows.push(row);
    return presentReply({ ...row, role }, shown);
  });
  await insertReplies(db, to, rows);
  await addContributions(db, rows);
  return settled;
}

const writtenBy = ({ caller, now }: Context, markdown: string): Written => ({
  author: asUser(caller),
  postedAt: now(),
  markdown,
});

/** Adds them in one order, so that two transactions with the same authors do not deadlock. */
async function addContributions(db: Database, rows: readonly PostedColumns[]): Promise<void> {
  const authors = rows.flatMap(({ change_request_id: requestId, author_id: authorId }) =>
    requestId === null || authorId === null ? [] : [{ requestId, authorId }],
  );
  for (const { requestId, authorId } of authors.toSorted((a, b) => (a.authorId < b.authorId ? -1 : 1)))
    await addContribution(db, requestId, authorId, 'comment');
}
