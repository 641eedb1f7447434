import { effectiveRole, resource, SPACE, type Authorised } from '../access/index.ts';
import {
  leastRole,
  rowsInside,
  spaces,
  type GitCommit,
  type MergedFrom,
  type RevisionType,
} from '../spaces/index.ts';

/** A revision of a space, and where its content lies. */
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
  /** Null: it holds nothing. */
  readonly root: Buffer | null;
  readonly git: GitCommit | null;
  /** Of a merge: the change request, as answers show it, without its addresses. */
  readonly merged_from: MergedFrom | null;
  readonly revision_created_at: Date;
}

export const CONTENT_COLUMNS = `
  s.store_id, s.edit_mode, s.revision_id as primary_revision_id, rv.id as revision_id, rv.parents, rv.type, rv.root, rv.git, rv.merged_from,
  rv.created_at as revision_created_at`;

const needs = { view: leastRole.view, comment: leastRole.comment, edit: leastRole.edit };

const cacheTags = (row: ContentRow) => [`organization:${row.organization_id}`, `space:${row.space_id}`];

/** What a space shows now. Its id is the space's. */
export const primaryContent = resource<ContentRow>()({
  name: 'Space',
  key: 'space_id',
  rows: rowsInside(CONTENT_COLUMNS, 'join revisions rv on rv.id = s.revision_id'),
  match: 's.id = any(:ids)',
  needs,
  cacheTags,
});

/** Every revision that a space ever had. */
export const revisions = resource<ContentRow>()({
  name: 'Revision',
  key: 'revision_id',
  rows: rowsInside(CONTENT_COLUMNS, 'join revisions rv on rv.space_id = s.id'),
  match: 'rv.space_id = :within and rv.id = any(:ids)',
  within: spaces,
  needs: primaryContent.needs,
  cacheTags,
});

/** Organizations with the highest role that the caller has in them: their own, or on any space. */
export const uploadTargets = resource<Authorised & { readonly organization_id: string }>()({
  name: 'Organization',
  key: 'organization_id',
  rows: `
    select mine.organization_id, greatest(mine.role, (
      select max(${effectiveRole(SPACE)}) from spaces s left join collections c on c.id = s.parent_id
      where s.organization_id = mine.organization_id and s.deleted_at is null)) as role
    from members mine where mine.user_id = caller.id and not mine.disabled`,
  match: 'mine.organization_id = any(:ids)',
  needs: { view: 'guest', upload: 'edit' },
});
