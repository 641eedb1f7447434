import type { Static } from 'typebox';
import type { Context } from '../../platform/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { settleAll } from '../../platform/settle.ts';
import { noteContribution } from '../change-requests/index.ts';
import type { ContentRow } from '../content/index.ts';
import { aboutOf } from './about.ts';
import type { CommentColumns, CommentRow, PostedColumns } from './policy.ts';
import { presentComment, presentReply, type Shown } from './present.ts';
import type { Body, NewComment, NewReply } from './schema.ts';
import { asPosted, holdRevision, insertComments, insertReply, type Place, type Written } from './store.ts';
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

export async function postComments(db: Database, posts: readonly Post[]) {
  const rows: CommentColumns[] = [];
  const settled = await settleAll(posts, async ({ ctx, content, comment, seen, shown }) => {
    const { body, ...asked } = comment;
    const markdown = textOf(body as Body);
    const place = placeOf(content);
    const { target, tree } = await aboutOf(ctx, content, asked, seen);
    if (target.node) await holdRevision(ctx.db, place, content.revision_id);
    const written = writtenBy(ctx, markdown);
    const row = asPosted({ ...written, place, revisionId: content.revision_id, target });
    rows.push(row);
    return presentComment({ ...row, role: content.role }, shown, tree);
  });
  await insertComments(db, rows);
  for (const row of rows) await noteComment(db, row);
  return settled;
}

export async function postReply(
  ctx: Context,
  to: CommentRow,
  { body }: Static<typeof NewReply>,
  shown: Shown,
) {
  const row = await insertReply(ctx.db, to, writtenBy(ctx, textOf(body as Body)));
  await noteComment(ctx.db, row);
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

async function noteComment(
  db: Database,
  { change_request_id: requestId, author_id: authorId }: PostedColumns,
): Promise<void> {
  if (requestId !== null && authorId !== null) await noteContribution(db, requestId, authorId, 'comment');
}
