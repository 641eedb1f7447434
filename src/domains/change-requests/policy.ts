import { atLeast, leastRole, resource, type Authorised } from '../access/index.ts';
import { CONTENT_COLUMNS, contentNeeds, type ContentRow } from '../revisions/index.ts';
import type { ChangeRequestStatus } from '../events/index.ts';
import { rowsInside, spaces } from '../spaces/index.ts';
import { userOf, type UserColumns } from '../users/index.ts';

export interface ChangeRequestRow extends Authorised {
  readonly organization_id: string;
  readonly space_id: string;
  readonly change_request_id: string;
  readonly change_request_number: string;
  readonly number: number;
  readonly status: ChangeRequestStatus;
  readonly subject: string;
  readonly description: object | null;
  readonly author_id: string | null;
  readonly author: UserColumns | null;
  readonly request_revision_id: string;
  readonly initial_revision_id: string;
  readonly ancestor_revision_id: string;
  readonly merged_revision_id: string | null;
  readonly primary_revision_id: string;
  readonly open_comments: number;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = `
  cr.id as change_request_id, cr.number::text as change_request_number, cr.number, cr.status, cr.subject,
  cr.description, cr.author_id, ${userOf('cr.author_id')} as author, cr.revision_id as request_revision_id,
  cr.initial_revision_id, cr.ancestor_revision_id, cr.merged_revision_id, s.revision_id as primary_revision_id,
  cr.version, cr.created_at, cr.updated_at,
  coalesce((select n.open from comment_counts n where n.change_request_id = cr.id), 0) as open_comments`;

const JOINED = 'join change_requests cr on cr.space_id = s.id';

const isOwn = (row: ChangeRequestRow, callerId: string): boolean => row.author_id === callerId;

export const changeRequests = resource<ChangeRequestRow>()({
  name: 'Change request',
  key: 'change_request_id',
  alias: 'change_request_number',
  rows: rowsInside(COLUMNS, JOINED),
  match: 'cr.space_id = :within and (cr.id = any(:ids) or cr.number::text = any(:ids))',
  within: spaces,
  needs: {
    view: leastRole.view,
    comment: leastRole.comment,
    edit: leastRole.edit,
    /** Its author may always withdraw it. */
    archive: (row, callerId) => isOwn(row, callerId) || atLeast(row.role, leastRole.edit),
    review: leastRole.review,
    requestReview: (row, callerId) =>
      atLeast(row.role, isOwn(row, callerId) ? leastRole.edit : leastRole.review),
    merge: leastRole.merge,
  },
});

/** Begins with the revision, so that the ETag of the request is valid for editing and reviewing its content, too. */
export const versionOf = (row: ChangeRequestRow): string => `${row.request_revision_id}-${row.version}`;

export interface RequestContentRow extends ContentRow {
  readonly change_request_id: string;
  readonly change_request_number: string;
  readonly author_id: string | null;
  readonly request_status: ChangeRequestStatus;
  readonly ancestor_revision_id: string;
}

/** The proposed content, to be read and edited. */
export const requestContent = resource<RequestContentRow>()({
  name: 'Change request',
  key: 'change_request_id',
  alias: 'change_request_number',
  rows: rowsInside(
    `cr.id as change_request_id, cr.number::text as change_request_number, cr.author_id, cr.status as request_status,
     cr.ancestor_revision_id,
     ${CONTENT_COLUMNS}`,
    'join change_requests cr on cr.space_id = s.id join revisions rv on rv.id = cr.revision_id',
  ),
  match: 'cr.space_id = :within and (cr.id = any(:ids) or cr.number::text = any(:ids))',
  within: spaces,
  needs: contentNeeds,
  cacheTags: (row) => [
    `organization:${row.organization_id}`,
    `space:${row.space_id}`,
    `change-request:${row.change_request_id}`,
  ],
});
