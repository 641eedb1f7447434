import type { ContentRecord } from '../../content-engine/tree/index.ts';
import { leastRole, resource, type Authorised } from '../access/index.ts';
import { rowsInside, spaces } from '../spaces/index.ts';
import type { UserColumns } from '../users/index.ts';

export type RevisionType = 'edits' | 'merge' | 'rollback' | 'update' | 'computed';

/** A change request as it was when it was merged, without addresses: the configuration may change those. */
export interface MergedFrom {
  readonly id: string;
  readonly createdBy: UserColumns;
  readonly [member: string]: unknown;
}

export interface GitCommit {
  readonly oid: string;
  readonly message: string;
  readonly createdByService: boolean;
  readonly url?: string;
  readonly ref?: string;
}

/** A file of a repository: its object id, and its path from the root of the repository. */
export interface GitBlob {
  readonly oid: string;
  readonly path: string;
}

/** The file of an entry in the repository of its space. Undefined: it was changed since the last synchronization. */
export type BlobOf = (record: ContentRecord) => GitBlob | undefined;

/** A revision of a space, and where its content is stored. */
export interface ContentRow extends Authorised {
  readonly organization_id: string;
  readonly space_id: string;
  readonly store_id: string;
  readonly edit_mode: 'live' | 'locked';
  readonly revision_id: string;
  /** The revision that the space shows now. */
  readonly primary_revision_id: string;
  readonly parents: string[];
  readonly type: RevisionType;
  /** Null: it is empty. */
  readonly root: Buffer | null;
  readonly git: GitCommit | null;
  /** The change request of a merge as the API returns it, without its addresses. */
  readonly merged_from: MergedFrom | null;
  readonly revision_created_at: Date;
  /** When the space was synchronized with a Git repository last. */
  readonly git_synced_at: string | null;
}

export const CONTENT_COLUMNS = `
  s.store_id, s.edit_mode, s.revision_id as primary_revision_id, rv.id as revision_id, rv.parents, rv.type, rv.root, rv.git, rv.merged_from,
  rv.created_at as revision_created_at, s.git_sync ->> 'updatedAt' as git_synced_at`;

/** The least roles for content, whichever revision it is read from. */
export const contentNeeds = { view: leastRole.view, comment: leastRole.comment, edit: leastRole.edit };

export const contentCacheTags = (row: ContentRow) => [
  `organization:${row.organization_id}`,
  `space:${row.space_id}`,
];

/** Every revision that a space ever had. */
export const revisions = resource<ContentRow>()({
  name: 'Revision',
  key: 'revision_id',
  rows: rowsInside(CONTENT_COLUMNS, 'join revisions rv on rv.space_id = s.id'),
  match: 'rv.space_id = :within and rv.id = any(:ids)',
  within: spaces,
  needs: contentNeeds,
  cacheTags: contentCacheTags,
});
