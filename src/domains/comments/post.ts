import type { Static } from 'typebox';
import type { Context } from '../../platform/context.ts';
import { noteContribution } from '../change-requests/index.ts';
import type { ContentRow } from '../content/index.ts';
import { aboutOf } from './about.ts';
import type { CommentRow } from './policy.ts';
import { presentComment, presentReply, type Shown } from './present.ts';
import type { Body, NewComment, NewReply } from './schema.ts';
import { holdRevision, insertComment, insertReply, type Place, type Written } from './store.ts';
import { textOf } from './text.ts';

/** What a space shows, or what one of its change requests proposes. */
export type Discussed = ContentRow & { readonly change_request_id?: string };

export const placeOf = (row: Discussed): Place => ({
  spaceId: row.space_id,
  changeRequestId: row.change_request_id ?? null,
});

/** `seen`: the revision in which its author saw what it is about. */
export async function postComment(
  ctx: Context,
  content: Discussed,
  { body, ...asked }: Static<typeof NewComment>,
  seen: ContentRow | undefined,
  shown: Shown,
) {
  const markdown = textOf(body as Body);
  const place = placeOf(content);
  const { target, tree } = await aboutOf(ctx, content, asked, seen);
  if (target.node) await holdRevision(ctx.db, place, content.revision_id);
  const row = await insertComment(ctx.db, {
    ...writtenBy(ctx, markdown),
    place,
    revisionId: content.revision_id,
    target,
  });
  await noteComment(ctx, place);
  return presentComment({ ...row, role: content.role }, shown, tree);
}

export async function postReply(
  ctx: Context,
  to: CommentRow,
  { body }: Static<typeof NewReply>,
  shown: Shown,
) {
  const row = await insertReply(ctx.db, to, writtenBy(ctx, textOf(body as Body)));
  await noteComment(ctx, { spaceId: to.space_id, changeRequestId: to.change_request_id });
  return presentReply({ ...row, role: to.role }, shown);
}

export const writtenBy = ({ caller, now }: Context, markdown: string): Written => ({
  author: {
    id: caller.id,
    display_name: caller.displayName,
    email: caller.email,
    photo_url: caller.photoUrl,
  },
  postedAt: now(),
  markdown,
});

async function noteComment(ctx: Context, { changeRequestId }: Place): Promise<void> {
  if (changeRequestId !== null) await noteContribution(ctx.db, changeRequestId, ctx.caller.id, 'comment');
}
