import type { Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { captureRefusals } from '../../platform/api/refusals.ts';
import { lockChangeRequest, noteContribution } from '../change-requests/index.ts';
import type { ContentRow } from '../content/index.ts';
import { lockPrimary } from '../spaces/index.ts';
import { asUser } from '../users/index.ts';
import { aboutOf, NOTHING } from './about.ts';
import type { CommentColumns, CommentRow, PostedColumns, ReplyColumns } from './policy.ts';
import { presentComment, presentReply, type Shown } from './present.ts';
import type { Body, NewComment, NewReply } from './schema.ts';
import { asReply, insertReplies } from './reply-store.ts';
import { asPosted, insertComments, type Place, type Written } from './store.ts';
import { textOf } from './text.ts';

/** What a space shows, or what one of its change requests proposes. */
export type Discussed = ContentRow & { readonly change_request_id?: string };

export const placeOf = (row: Discussed): Place => ({
  spaceId: row.space_id,
  changeRequestId: row.change_request_id ?? null,
});

export interface Post {
  readonly ctx: Context;
  readonly content: Discussed;
  readonly comment: Static<typeof NewComment>;
  /** The revision in which its author saw what it is about. */
  readonly seen: ContentRow | undefined;
  readonly shown: Shown;
}

export async function postComments(db: Database, place: Place, posts: readonly Post[]) {
  const held = posts.some(({ comment }) => comment.node !== undefined) ? await holdContent(db, place) : {};
  const rows: CommentColumns[] = [];
  const settled = await captureRefusals(posts, async ({ ctx, content: found, comment, seen, shown }) => {
    const { body, ...asked } = comment;
    const markdown = textOf(body as Body);
    const content = { ...found, ...held };
    const { target, tree } = await aboutOf(ctx, content, asked, seen);
    const row = asPosted({ ...writtenBy(ctx, markdown), place, revisionId: content.revision_id, target });
    rows.push(row);
    return presentComment({ ...row, role: content.role }, shown, tree);
  });
  await insertComments(db, rows);
  await noteComments(db, rows);
  return settled;
}

/**
 * The content as it is now, and it stays so until the transaction ends: so every revision is told of either before a
 * comment on a block of it, or after it (`follow.ts`).
 */
async function holdContent(
  db: Database,
  { spaceId, changeRequestId }: Place,
): Promise<Pick<ContentRow, 'revision_id' | 'root'>> {
  const { revision_id, root } =
    changeRequestId === null ? await lockPrimary(db, spaceId) : await lockChangeRequest(db, changeRequestId);
  return { revision_id, root };
}

/** What is said with a review, about all that is proposed. */
export async function postWithReview(
  ctx: Context,
  review: { readonly id: string; readonly revisionId: string; readonly place: Place },
  body: Body,
): Promise<void> {
  const { id: reviewId, revisionId, place } = review;
  const row = asPosted({ ...writtenBy(ctx, textOf(body)), place, revisionId, target: NOTHING, reviewId });
  await insertComments(ctx.db, [row]);
  await noteComments(ctx.db, [row]);
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
    const row = asReply(to, writtenBy(ctx, textOf(reply.body as Body)));
    rows.push(row);
    return presentReply({ ...row, role }, shown);
  });
  await insertReplies(db, to, rows);
  await noteComments(db, rows);
  return settled;
}

const writtenBy = ({ caller, now }: Context, markdown: string): Written => ({
  author: asUser(caller),
  postedAt: now(),
  markdown,
});

/** In one order: of two who note the same people, neither waits for the other while that one waits too. */
async function noteComments(db: Database, rows: readonly PostedColumns[]): Promise<void> {
  const authors = rows.flatMap(({ change_request_id: requestId, author_id: authorId }) =>
    requestId === null || authorId === null ? [] : [{ requestId, authorId }],
  );
  for (const { requestId, authorId } of authors.toSorted((a, b) => (a.authorId < b.authorId ? -1 : 1)))
    await noteContribution(db, requestId, authorId, 'comment');
}
