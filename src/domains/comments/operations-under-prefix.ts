import Type, { type Static, type TObject, type TProperties } from 'typebox';
import type { Tree } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { on, operation, type Access } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { readTree } from '../content-store/index.ts';
import { revisions, type ContentRow } from '../revisions/index.ts';
import { countSpacesAndSites, Member, presentMember } from '../members/index.ts';
import { deleteComment } from './store/update-store.ts';
import type { CommentColumns, comments, replies } from './policy.ts';
import { placeOf, postComments, postReplies, type CommentedContent } from './post.ts';
import { documentsOf } from './documents.ts';
import { presentComment, presentReply, type Shown } from './present.ts';
import { deleteReply, getReply, listReplies } from './store/reply-store.ts';
import * as schema from './schema.ts';
import { listCommenters, listComments } from './store/list-store.ts';
import * as store from './store/store.ts';
import { update } from './update.ts';

/** The subject of comments: a space or a change request. */
interface Prefix<P extends TProperties> {
  readonly prefix: string;
  readonly params: P;
  /** The queue key of requests that lock the subject. */
  readonly queue: (ids: Static<TObject<P>>) => string;
  /** Completes "… on" in summaries. */
  readonly of: string;
  readonly mayOnContent: (action: 'view' | 'comment') => Access<CommentedContent>;
  readonly comments: typeof comments;
  readonly replies: typeof replies;
  /** The public API returns replies as documents under one of the two prefixes only. */
  readonly replyQuery: TObject;
}

const version = (row: { readonly version: number }) => row.version;

const shownTo = (ctx: Context, format: Shown['format'] = 'markdown'): Shown => ({
  callerId: ctx.caller.id,
  addresses: ctx.addresses,
  format,
});

/** Shows a list. Its documents are read first, because that takes long. */
function shownTogether(
  ctx: Context,
  format: Shown['format'] | undefined,
  rows: readonly { readonly markdown: string }[],
): Shown {
  const shown = shownTo(ctx, format);
  if (format !== 'document') return shown;
  const texts = rows.map(({ markdown }) => markdown);
  return { ...shown, documents: documentsOf(ctx, texts) };
}

/** The tree of the content, where one of the comments is on a page. */
const treeFor = async (
  ctx: Context,
  { store_id: storeId, root }: Pick<ContentRow, 'store_id' | 'root'>,
  rows: readonly CommentColumns[],
): Promise<Tree | undefined> =>
  rows.some(({ page }) => page) ? readTree(ctx, { store_id: storeId, root }) : undefined;

/** The operations on comments, the same under each prefix. */
export function commentOperations<P extends TProperties>(under: Prefix<P>) {
  const { prefix, of } = under;
  const commentId = idOf(under.comments, 'view');
  const params = Type.Object(under.params);
  const commentParams = Type.Object({ ...under.params, commentId });
  const replyParams = Type.Object({
    ...under.params,
    commentId,
    commentReplyId: idOf(under.replies, 'view'),
  });
  const mayOnComment = on(under.comments);
  const mayOnReply = on(under.replies);
  const comment = `${prefix}/comments/{commentId}`;
  const reply = `${comment}/replies/{commentReplyId}`;
  return {
    list: operation({
      method: 'GET',
      path: `${prefix}/comments`,
      summary: `List the comments on ${of}`,
      description: 'Newest first unless `order` is `asc`. Replies are listed per comment.',
      scope: 'space:read',
      params,
      query: schema.CommentsQuery,
      status: 200,
      response: listOf(schema.Comment),
      access: under.mayOnContent('view'),
      handle: async ({ ctx, target, query, page }) => {
        const filter = {
          order: query.order ?? 'desc',
          status: query.status ?? 'all',
          targetPage: query.targetPage,
          authorIds: query.authors,
        };
        const found = await listComments(ctx.db, target.role, placeOf(target), filter, page);
        const tree = await treeFor(ctx, target, found.rows);
        const shown = shownTogether(ctx, query.format, found.rows);
        return presentList(found, (row) => presentComment(row, shown, tree));
      },
    }),
    post: operation({
      method: 'POST',
      path: `${prefix}/comments`,
      summary: `Comment on ${of}`,
      description: 'Comments on the whole, on a page (`page`), or on a block of a page (`node`).',
      scope: 'space:write',
      params,
      body: schema.NewComment,
      status: 200,
      response: schema.Comment,
      access: under.mayOnContent('comment'),
      queue: under.queue,
      handleAll: (requests) =>
        postComments(
          requests[0].ctx.db,
          placeOf(requests[0].target),
          requests.map(({ ctx, target: content, body: comment, refs }) => ({
            ctx,
            content,
            comment,
            seen: comment.revision === undefined ? undefined : refs.of(revisions, comment.revision),
            shown: shownTo(ctx),
          })),
        ),
    }),
    get: operation({
      method: 'GET',
      path: comment,
      summary: `Get a comment on ${of}`,
      scope: 'space:read',
      params: commentParams,
      query: schema.FormatQuery,
      status: 200,
      response: schema.Comment,
      access: mayOnComment('view'),
      version,
      handle: async ({ ctx, target, query }) =>
        presentComment(target, shownTo(ctx, query.format), await treeFor(ctx, target, [target])),
    }),
    update: operation({
      method: 'PUT',
      path: comment,
      summary: `Update a comment on ${of}`,
      description:
        'The author may edit the text. The author and reviewers may resolve or reopen it. Anyone who may comment may react.',
      scope: 'space:write',
      params: commentParams,
      body: schema.CommentChange,
      status: 200,
      response: schema.Comment,
      access: mayOnComment('view'),
      version,
      handle: async ({ ctx, target, body }) => {
        await update(ctx, { posting: 'comment', id: target.comment_id }, target, body);
        const row = await store.getComment(ctx.db, target.role, target.comment_id);
        return presentComment(row, shownTo(ctx), await treeFor(ctx, target, [row]));
      },
    }),
    delete: operation({
      method: 'DELETE',
      path: comment,
      summary: `Delete a comment on ${of}`,
      description: 'Deletes its replies too.',
      scope: 'space:write',
      params: commentParams,
      status: 205,
      access: mayOnComment('delete'),
      version,
      handle: ({ ctx, target }) => deleteComment(ctx.db, target.comment_id, ctx.caller.id),
    }),
    listReplies: operation({
      method: 'GET',
      path: `${comment}/replies`,
      summary: `List the replies to a comment on ${of}`,
      description: 'Oldest first.',
      scope: 'space:read',
      params: commentParams,
      query: schema.RepliesQuery,
      status: 200,
      response: listOf(schema.CommentReply),
      access: mayOnComment('view'),
      handle: async ({ ctx, target, query, page }) => {
        const found = await listReplies(ctx.db, target.role, target.comment_id, page);
        const shown = shownTogether(ctx, query.format, found.rows);
        return presentList(found, (row) => presentReply(row, shown));
      },
    }),
    postReply: operation({
      method: 'POST',
      path: `${comment}/replies`,
      summary: `Reply to a comment on ${of}`,
      scope: 'space:write',
      params: commentParams,
      query: under.replyQuery,
      body: schema.NewReply,
      status: 200,
      response: schema.CommentReply,
      access: mayOnComment('reply'),
      queue: (ids) => `comment:${Object.values(ids).join('/')}`,
      handleAll: (requests) =>
        postReplies(
          requests[0].ctx.db,
          requests[0].target,
          requests.map(({ ctx, target, body, query }) => ({
            ctx,
            role: target.role,
            reply: body,
            shown: shownTo(ctx, (query as Partial<Shown>).format),
          })),
        ),
    }),
    getReply: operation({
      method: 'GET',
      path: reply,
      summary: `Get a reply to a comment on ${of}`,
      scope: 'space:read',
      params: replyParams,
      query: schema.FormatQuery,
      status: 200,
      response: schema.CommentReply,
      access: mayOnReply('view'),
      version,
      handle: async ({ ctx, target, query }) => presentReply(target, shownTo(ctx, query.format)),
    }),
    updateReply: operation({
      method: 'PUT',
      path: reply,
      summary: `Update a reply to a comment on ${of}`,
      description: 'The author may edit the text. Anyone who may comment may react.',
      scope: 'space:write',
      params: replyParams,
      body: schema.ReplyChange,
      status: 200,
      response: schema.CommentReply,
      access: mayOnReply('view'),
      version,
      handle: async ({ ctx, target, body }) => {
        await update(ctx, { posting: 'reply', id: target.comment_reply_id }, target, body);
        const row = await getReply(ctx.db, target.role, target.comment_reply_id);
        return presentReply(row, shownTo(ctx));
      },
    }),
    deleteReply: operation({
      method: 'DELETE',
      path: reply,
      summary: `Delete a reply to a comment on ${of}`,
      scope: 'space:write',
      params: replyParams,
      status: 205,
      access: mayOnReply('delete'),
      version,
      handle: ({ ctx, target }) => deleteReply(ctx.db, target.comment_reply_id, ctx.caller.id),
    }),
    commenters: operation({
      method: 'GET',
      path: `${prefix}/commenters`,
      summary: `List the commenters on ${of}`,
      description:
        'Lists the members who wrote a comment or a reply, ordered by when they joined the organization.',
      scope: 'space:read',
      params,
      query: ListQuery,
      status: 200,
      response: listOf(Member),
      access: under.mayOnContent('view'),
      handle: async ({ ctx, target, page }) => {
        const { organization_id: organizationId } = target;
        const found = await listCommenters(ctx.db, ctx.caller.id, organizationId, placeOf(target), page);
        const rows = await countSpacesAndSites(ctx.db, found.rows);
        return presentList({ ...found, rows }, (row) => presentMember(row, ctx.addresses));
      },
    }),
  };
}
