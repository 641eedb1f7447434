import { resource, type Authorised, type Resource } from '../../platform/resource.ts';
import { rowsInside, spaces } from '../spaces/index.ts';

/** A revision of a space, and where its content lies. */
export interface ContentRow extends Authorised {
  readonly organization_id: string;
  readonly space_id: string;
  readonly store_id: string;
  readonly edit_mode: 'live' | 'locked';
  readonly revision_id: string;
  readonly parents: string[];
  readonly type: 'edits' | 'merge' | 'rollback' | 'update' | 'computed';
  /** Null: it holds nothing. */
  readonly root: Buffer | null;
  readonly git: GitCommit | null;
  readonly revision_created_at: Date;
}

export interface GitCommit {
  readonly oid: string;
  readonly message: string;
  readonly createdByService: boolean;
  readonly url?: string;
  readonly ref?: string;
}

const COLUMNS = `
  rv.id as revision_id, rv.parents, rv.type, rv.root, rv.git, rv.created_at as revision_created_at`;

const { needs } = spaces;

/** The primary content of a space: its id is the space's. */
export const primaryContent = resource<ContentRow>()({
  name: 'Space',
  key: 'space_id',
  rows: rowsInside(COLUMNS, 'join revisions rv on rv.id = s.revision_id'),
  match: 's.id = any(:ids)',
  needs: needs as unknown as Resource<ContentRow, keyof typeof needs>['needs'],
  cacheTags: (row) => [`organization:${row.organization_id}`, `space:${row.space_id}`],
});

/** Every revision a space ever had, while it is there. Immutable, so it may be kept. */
export const revisions = resource<ContentRow>()({
  name: 'Revision',
  key: 'revision_id',
  rows: rowsInside(COLUMNS, 'join revisions rv on rv.space_id = s.id'),
  match: 'rv.space_id = :within and rv.id = any(:ids)',
  within: spaces,
  needs: primaryContent.needs,
  cacheTags: (row) => [`organization:${row.organization_id}`, `space:${row.space_id}`],
});
