import type { Database } from '../../platform/database/connection.ts';

export interface SpaceRow {
  readonly id: string;
  readonly organization_id: string;
}

/** Links of the kind `openapi` are those of entries and of blocks. */
const withSpecs = (db: Database) =>
  db
    .selectFrom('spaces as s')
    .innerJoin('link_targets as t', 't.space_id', 's.id')
    .select(['s.id', 's.organization_id'])
    .distinct()
    .where('t.kind', '=', 'openapi')
    .where('s.deleted_at', 'is', null);

/** Which of these spaces show a specification. */
export const listSpacesWithSpecs = (db: Database, spaceIds: readonly string[]): Promise<SpaceRow[]> =>
  withSpecs(db).where('s.id', 'in', spaceIds).execute();

/** The spaces that show a specification of their organization. */
export const listSpacesOf = (
  db: Database,
  { organizationId, slug }: { readonly organizationId: string; readonly slug: string },
): Promise<SpaceRow[]> =>
  withSpecs(db).where('s.organization_id', '=', organizationId).where('t.target_id', '=', slug).execute();

/** Undefined: it was deleted. */
export const findSpace = (db: Database, spaceId: string): Promise<SpaceRow | undefined> =>
  db
    .selectFrom('spaces')
    .select(['id', 'organization_id'])
    .where('id', '=', spaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
