import Type from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { line, listQuery, named, nullable, Timestamp, Uri } from '../../platform/api/schema.ts';
import { ENTRY, JsonDocument } from '../revisions/index.ts';
import { members } from '../members/index.ts';
import { spaces } from '../spaces/index.ts';
import { User } from '../users/index.ts';
import { changeRequests, requestContent } from './policy.ts';

export const RequestPath = Type.Object({
  spaceId: idOf(spaces, 'view'),
  changeRequestId: idOf(changeRequests, 'view'),
});

/** For operations on the proposed content. */
export const ContentPath = Type.Object({
  spaceId: idOf(spaces, 'view'),
  changeRequestId: idOf(requestContent, 'view'),
});

const Subject = line(0, 100);

export const ChangeRequest = named('ChangeRequest', {
  object: Type.Literal('change-request'),
  id: Type.String(),
  number: Type.Number({ description: '1, 2, 3, … in its space' }),
  status: Type.Enum(['draft', 'open', 'archived', 'merged']),
  subject: Subject,
  description: Type.Optional(JsonDocument),
  createdBy: User,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  space: Type.String(),
  revision: Type.String({ description: 'What it proposes' }),
  revisionInitial: Type.String({ description: 'What the space showed when it was made' }),
  revisionMergedAncestor: Type.Optional(
    Type.String({ description: 'What the space showed when that was last merged into it' }),
  ),
  revisionMerged: Type.Optional(Type.String({ description: 'What the merge made of the space' })),
  comments: Type.Number({ description: 'How many are open' }),
  outdated: Type.Boolean({ description: 'The space shows something that is not in it yet' }),
  urls: Type.Object({ app: Uri, location: Uri }),
});

export const NewChangeRequest = Type.Object({
  subject: Type.Optional(Subject),
  agentTaskId: Type.Optional(Type.String({ maxLength: 200, description: 'Kept, without effect' })),
});

export const ChangeRequestPatch = Type.Object({
  subject: Type.Optional(Subject),
  description: Type.Optional(nullable(JsonDocument)),
  status: Type.Optional(Type.Enum(['draft', 'open', 'archived'], { examples: [undefined] })),
});

/**
 * The author of something. It filters what the caller may view anyway, and the author may have left: it is not looked
 * up.
 */
export const authorId = Type.String({ maxLength: 64, description: 'User id', examples: [undefined] });

const statusFilter = Type.Optional(
  Type.Array(Type.Enum(['draft', 'open', 'archived', 'merged']), {
    default: ['open'],
    minItems: 1,
    maxItems: 4,
    description: 'Give it several times for several of them',
  }),
);

export const ChangeRequestsQuery = Type.Object({
  ...listQuery,
  status: statusFilter,
  creator: Type.Optional(authorId),
  contributor: Type.Optional(authorId),
  requestedReviewer: Type.Optional(authorId),
});

export const OrganizationChangeRequestsQuery = Type.Object({
  ...ChangeRequestsQuery.properties,
  space: Type.Optional(idOf(spaces, 'view')),
});

export const MergeResult = Type.Object({
  revision: Type.String(),
  result: Type.Enum(['merge', 'update', 'conflicts']),
});

export const Contributor = Type.Object({
  updatedAt: Timestamp,
  count: Type.Integer(),
  user: User,
  actionType: Type.Enum(['edit', 'comment']),
});

export const RequestedReviewer = named('ChangeRequestRequestedReviewer', {
  object: Type.Literal('change-request-requested-reviewer'),
  revision: Type.String(),
  requestedBy: User,
  createdAt: Timestamp,
  kind: Type.Literal('user'),
  user: User,
});

export const NewReviewers = Type.Object({
  users: Type.Array(idOf(members, 'view'), { minItems: 1, maxItems: 100 }),
  subject: Type.Optional(Subject),
  description: Type.Optional(JsonDocument),
});

export const RequestedReviewers = Type.Object({ users: Type.Array(RequestedReviewer) });

/** Looked up among the requested reviewers of the request. */
export const reviewerId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'User id',
  [ENTRY]: 'reviewer',
});

export const conflictId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9]+$',
  description: 'id of a conflict',
  [ENTRY]: 'conflict',
});

/**
 * Two changes that exclude each other. The three versions are texts of blocks, values of fields, positions or records.
 */
export const Conflict = named('ChangeRequestConflict', {
  object: Type.Literal('change-request-conflict'),
  id: Type.String(),
  kind: Type.Enum(['block', 'field', 'position', 'delete']),
  entry: Type.String({ description: 'The id of the page, file or reusable content' }),
  page: Type.Optional(Type.String({ description: 'The same, where it is a page' })),
  field: Type.Optional(Type.String()),
  member: Type.Optional(Type.String()),
  block: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
  moved: Type.Optional(
    Type.Boolean({
      description: 'Both sides moved the block, to different places; each version is in its own place',
    }),
  ),
  ancestor: Type.Optional(Type.Unknown({ description: 'The version that both sides changed' })),
  primary: Type.Optional(Type.Unknown({ description: 'The version of the space' })),
  proposed: Type.Optional(Type.Unknown({ description: 'The version of the change request' })),
});

export const Resolution = Type.Object({
  use: Type.Enum(['primary', 'proposed', 'both'], {
    description:
      'What the space has, what the request has, or both; where only one can stand, both leaves what does',
  }),
});
