import Type from 'typebox';
import { listQuery, named, Timestamp, Uri } from '../../platform/api/schema.ts';
import { Body, Comment, format } from '../comments/index.ts';
import { User } from '../users/index.ts';

const Status = Type.Enum(['approved', 'changes-requested']);
export const Review = named('ChangeRequestReview', {
  object: Type.Literal('change-request-review'),
  id: Type.String(),
  revision: Type.String({ description: 'Id of the reviewed revision' }),
  reviewer: User,
  requestedBy: Type.Optional(User),
  status: Status,
  outdated: Type.Boolean({ description: 'The content of the change request has changed since the review' }),
  comment: Type.Optional(Comment),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  urls: Type.Object({ location: Uri }),
});

export const NewReview = Type.Object({ status: Status, comment: Type.Optional(Body) });

export const ReviewsQuery = Type.Object({
  ...listQuery,
  format,
  outdated: Type.Optional(
    Type.Boolean({ description: 'Only outdated (`true`) or only current (`false`) reviews' }),
  ),
});

export const ReviewQuery = Type.Object({ format });
