import {
  COLLECTION,
  effectiveRole,
  resource,
  shownDefault,
  type Authorised,
  type Role,
} from '../access/index.ts';

export interface CollectionRow extends Authorised {
  readonly organization_id: string;
  readonly collection_id: string;
  readonly parent_id: string | null;
  readonly path: string[];
  readonly title: string;
  readonly description: string | null;
  readonly default_level: Role | null;
  readonly position: string;
  /** Its path in the tree of the organization: sorts after the collection that contains it. */
  readonly place: string;
  readonly version: number;
  readonly created_at: Date;
}

export const collections = resource<CollectionRow>()({
  name: 'Collection',
  key: 'collection_id',
  rows: `
    select c.organization_id, c.id as collection_id, c.parent_id, c.path, c.title, c.description,
      ${shownDefault(COLLECTION)} as default_level, c.position, c.place, c.version, c.created_at, r.role
    from members mine
    join organizations o on o.id = mine.organization_id
    join collections c on c.organization_id = mine.organization_id
    cross join lateral (select ${effectiveRole(COLLECTION)} as role) r
    where mine.user_id = caller.id and not mine.disabled and r.role is not null`,
  match: 'c.id = any(:ids)',
  needs: { view: 'read', create: 'create', admin: 'admin', viewInviteLinks: 'admin' },
  cacheTags: (row) => [`organization:${row.organization_id}`],
});
