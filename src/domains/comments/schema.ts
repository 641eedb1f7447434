import Type from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { line, listQuery, named, Timestamp, Uri } from '../../platform/api/schema.ts';
import { authorId } from '../change-requests/index.ts';
import { JsonDocument, pageId, revisions } from '../revisions/index.ts';
import { User } from '../users/index.ts';

const Reaction = Type.Object({
  emoji: Type.String(),
  count: Type.Number(),
  users: Type.Array(Type.Object({ user: User, reactedAt: Timestamp })),
});

const posted = {
  id: Type.String(),
  postedBy: User,
  postedAt: Timestamp,
  editedAt: Type.Optional(Timestamp),
  reactions: Type.Array(Reaction),
  body: Type.Object({
    markdown: Type.Optional(Type.String()),
    document: Type.Optional(JsonDocument),
  }),
  urls: Type.Object({ location: Uri }),
  permissions: Type.Object({
    view: Type.Boolean(),
    edit: Type.Boolean(),
    reply: Type.Boolean({ description: 'Whether the caller may reply and react' }),
    delete: Type.Boolean(),
  }),
};

const TableCell = Type.Object({ record: Type.String(), definition: Type.String() });

export const Comment = named('Comment', {
  object: Type.Literal('comment'),
  ...posted,
  replies: Type.Number({ description: 'Number of replies' }),
  repliers: Type.Array(Type.Object({ user: User, count: Type.Number(), updatedAt: Timestamp }), {
    description: 'Who replied, how often, and when last',
  }),
  status: Type.Enum(['open', 'resolved']),
  resolvedAt: Type.Optional(Timestamp),
  resolvedBy: Type.Optional(User),
  target: Type.Object({
    space: Type.String(),
    revision: Type.String({ description: 'Id of the revision that the comment was posted on' }),
    changeRequest: Type.Optional(Type.String()),
    review: Type.Optional(Type.String()),
    page: Type.Optional(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        path: Type.String(),
        emoji: Type.Optional(Type.String()),
        icon: Type.Optional(Type.String()),
        createdAt: Type.Optional(Timestamp),
        updatedAt: Type.Optional(Timestamp),
        outdated: Type.Boolean({ description: 'The page or the block no longer exists' }),
      }),
    ),
    node: Type.Optional(Type.Object({ id: Type.String(), preview: Type.String() })),
    tableCell: Type.Optional(TableCell),
  }),
});

export const CommentReply = named('CommentReply', { object: Type.Literal('comment-reply'), ...posted });

export const format = Type.Optional(
  Type.Enum(['markdown', 'document'], {
    default: 'markdown',
    description: 'Format of comments in the response',
  }),
);

export const FormatQuery = Type.Object({ format });

export const CommentsQuery = Type.Object({
  ...listQuery,
  format,
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { default: 'desc', description: 'Order by time of posting' }),
  ),
  status: Type.Optional(
    Type.Enum(['all', 'open', 'resolved'], { default: 'all', description: 'Only comments with this status' }),
  ),
  targetPage: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Id of a page: only comments on it or on its blocks, existing or deleted',
    }),
  ),
  authors: Type.Optional(
    Type.Array(authorId, {
      maxItems: 100,
      description: 'Only comments by these users; repeat the parameter',
    }),
  ),
});

export const RepliesQuery = Type.Object({ ...listQuery, format });

export const Body = Type.Union(
  [
    // If both were sent, it would be ambiguous which one is meant.
    Type.Object({ markdown: Type.String() }, { not: { required: ['document'] } }),
    Type.Object({ document: JsonDocument }, { not: { required: ['markdown'] } }),
    Type.Object({}, { additionalProperties: false }),
  ],
  {
    examples: [{ markdown: 'Is *this* so?' }],
    description: 'Markdown or a document; not empty, at most 100 kB',
  },
);
export type Body = { readonly markdown?: string; readonly document?: object };

export const NewComment = Type.Object({
  body: Body,
  page: Type.Optional(pageId),
  node: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Key of a block in the document of the page',
      examples: [undefined],
    }),
  ),
  tableCell: Type.Optional({
    ...TableCell,
    description: 'A cell, if the block is a table',
    examples: [undefined],
  }),
  revision: Type.Optional(
    Type.Unsafe<string>({
      ...idOf(revisions, 'view'),
      description: 'Id of the revision that `node` was read from; default: the current revision',
      examples: [undefined],
    }),
  ),
});

export const NewReply = Type.Object({ body: Body });

const reactions = () => Type.Optional(Type.Array(line(1, 50), { maxItems: 20, examples: [['👍']] }));

export const ReplyChange = Type.Object({
  body: Type.Optional(Body),
  addedReactions: reactions(),
  removedReactions: reactions(),
});

export const CommentChange = Type.Object({
  resolved: Type.Optional(Type.Boolean()),
  ...ReplyChange.properties,
});
