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

/** The path of operations on the proposed content. */
export const ContentPath = Type.Object({
  spaceId: idOf(spaces, 'view'),
  changeRequestId: idOf(requestContent, 'view'),
});

const Subject = line(0, 100);

export const ChangeRequest = named('ChangeRequest', {
  object: Type.Literal('change-request'),
  id: Type.String(),
  number: Type.Number({ description: 'Sequential number within the space' }),
  status: Type.Enum(['draft', 'open', 'archived', 'merged']),
  subject: Subject,
  description: Type.Optional(JsonDocument),
  createdBy: User,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  space: Type.String(),
  revision: Type.String({ description: 'Id of the revision with the proposed content' }),
  revisionInitial: Type.String({
    description: 'Id of the revision of the space that the change request was created from',
  }),
  revisionMergedAncestor: Type.Optional(
    Type.String({
      description: 'Id of the revision of the space that the change request was last updated from',
    }),
  ),
  revisionMerged: Type.Optional(Type.String({ description: 'Id of the revision that the merge created' })),
  comments: Type.Number({ description: 'Number of open comments' }),
  outdated: Type.Boolean({
    description: 'Whether the space has changed since the change request was last updated from it',
  }),
  urls: Type.Object({ app: Uri, location: Uri }),
});

export const NewChangeRequest = Type.Object({
  subject: Type.Optional(Subject),
  agentTaskId: Type.Optional(
    Type.String({ maxLength: 200, description: 'Stored for compatibility; has no effect' }),
  ),
});

export const ChangeRequestPatch = Type.Object({
  subject: Type.Optional(Subject),
  description: Type.Optional(nullable(JsonDocument)),
  status: Type.Optional(Type.Enum(['draft', 'open', 'archived'], { examples: [undefined] })),
});

/**
 * An author as a filter. The list is limited to what the caller may view, and the author may have left, so the id is
 * not resolved.
 */
export const authorId = Type.String({ maxLength: 64, description: 'User id', examples: [undefined] });

const statusFilter = Type.Optional(
  Type.Array(Type.Enum(['draft', 'open', 'archived', 'merged']), {
    default: ['open'],
    minItems: 1,
    maxItems: 4,
    description: 'Repeat the parameter to match several statuses',
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
  description: 'User id of the requested reviewer',
  [ENTRY]: 'reviewer',
});

export const conflictId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9]+$',
  description: 'Conflict id',
  [ENTRY]: 'conflict',
});

/**
 * Two changes that exclude each other. The three versions are texts of blocks, values of fields, positions or records.
 */
export const Conflict = named('ChangeRequestConflict', {
  object: Type.Literal('change-request-conflict'),
  id: Type.String(),
  kind: Type.Enum(['block', 'field', 'position', 'delete']),
  entry: Type.String({ description: 'Id of the page, file or reusable content' }),
  page: Type.Optional(Type.String({ description: 'Id of the page, if the entry is a page' })),
  field: Type.Optional(Type.String()),
  member: Type.Optional(Type.String()),
  block: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
  moved: Type.Optional(
    Type.Boolean({
      description:
        'Both sides moved the block to different positions; each version appears at its own position',
    }),
  ),
  ancestor: Type.Optional(Type.Unknown({ description: 'Version of the common ancestor' })),
  primary: Type.Optional(Type.Unknown({ description: 'Version of the space' })),
  proposed: Type.Optional(Type.Unknown({ description: 'Version of the change request' })),
});

export const Resolution = Type.Object({
  use: Type.Enum(['primary', 'proposed', 'both'], {
    description:
      'Keep the version of the space, of the change request, or both. Where only one version is possible, `both` keeps the current one.',
  }),
});
