import { type Authorised, effectiveRole, resource, SPACE } from '../access/index.ts';
import { CONTENT_COLUMNS, contentCacheTags, contentNeeds, type ContentRow } from '../revisions/index.ts';
import { rowsInside } from '../spaces/index.ts';

/** The primary content of a space: the revision that it shows now. Its id is that of the space. */
export const primaryContent = resource<ContentRow>()({
  name: 'Space',
  key: 'space_id',
  rows: rowsInside(CONTENT_COLUMNS, 'join revisions rv on rv.id = s.revision_id'),
  match: 's.id = any(:ids)',
  needs: contentNeeds,
  cacheTags: contentCacheTags,
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
