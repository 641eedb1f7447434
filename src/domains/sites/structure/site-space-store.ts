import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import { newId } from '../../../platform/api/ids.ts';

/** Rows of site spaces, regardless of the caller. All of it is called under the lock of the site. */

export interface SiteSpaceItem {
  readonly id: string;
  readonly position: string;
  readonly path: string;
  readonly spaceId: string;
  readonly isDefault: boolean;
  readonly isHidden: boolean;
}

/** The site spaces of a section, or of the root, in their order. */
export const listSectionItems = (
  db: Database,
  siteId: string,
  sectionId: string | null,
): Promise<SiteSpaceItem[]> =>
  db
    .selectFrom('site_spaces')
    .select(['id', 'position', 'path', 'space_id as spaceId'])
    .select(['is_default as isDefault', 'space_deleted as isHidden'])
    .where('site_id', '=', siteId)
    .where(sql<boolean>`section_id is not distinct from ${sectionId}`)
    .orderBy('position')
    .execute();

export async function insertSiteSpace(
  db: Database,
  site: { readonly organization_id: string; readonly site_id: string },
  row: {
    readonly sectionId: string | null;
    readonly spaceId: string;
    readonly path: string;
    readonly position: string;
  },
): Promise<string> {
  const id = newId();
  await db
    .insertInto('site_spaces')
    .values({
      id,
      organization_id: site.organization_id,
      site_id: site.site_id,
      section_id: row.sectionId,
      space_id: row.spaceId,
      path: row.path,
      position: row.position,
    })
    .execute();
  return id;
}

interface SiteSpaceColumns {
  readonly path?: string;
  readonly condition?: string | null;
  readonly space_id?: string;
}

export async function updateSiteSpace(db: Database, id: string, columns: SiteSpaceColumns): Promise<void> {
  await db
    .updateTable('site_spaces')
    .set({ ...columns, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function placeSiteSpace(
  db: Database,
  id: string,
  place: { readonly sectionId: string | null; readonly position: string },
): Promise<void> {
  await sql`
    update site_spaces set section_id = ${place.sectionId}, position = ${place.position}, version = version + 1
    where id = ${id} and (section_id is distinct from ${place.sectionId} or position <> ${place.position})`.execute(
    db,
  );
}

/** The first section takes over the site spaces of the root. */
export async function moveRootToSection(db: Database, siteId: string, sectionId: string): Promise<void> {
  await db
    .updateTable('site_spaces')
    .set({ section_id: sectionId })
    .where('site_id', '=', siteId)
    .where('section_id', 'is', null)
    .execute();
}

/** The default of its section, or of the root. The unique index allows no second default in between. */
export async function setDefaultSiteSpace(db: Database, id: string): Promise<void> {
  await sql`
    update site_spaces other set is_default = false from site_spaces v
    where v.id = ${id} and other.site_id = v.site_id and other.section_id is not distinct from v.section_id
      and other.is_default and other.id <> v.id`.execute(db);
  await sql`update site_spaces set is_default = true where id = ${id} and not is_default`.execute(db);
}

export const deleteSiteSpace = (db: Database, id: string) =>
  db.deleteFrom('site_spaces').where('id', '=', id).execute();

/** Where a site space is now: the lock was taken after the caller was authorised. */
export async function getSectionOf(db: Database, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('site_spaces')
    .select('section_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.section_id;
}

/** Undefined: the site has no section. */
export async function findDefaultSection(db: Database, siteId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('site_sections')
    .select('id')
    .where('site_id', '=', siteId)
    .where('is_default', '=', true)
    .executeTakeFirst();
  return row?.id;
}

export interface StructureCounts {
  readonly sections: number;
  readonly groups: number;
  readonly siteSpaces: number;
}

export async function countStructure(db: Database, siteId: string): Promise<StructureCounts> {
  const { rows } = await sql<StructureCounts>`
    select (select count(*)::int from site_sections where site_id = ${siteId}) as sections,
      (select count(*)::int from site_section_groups where site_id = ${siteId}) as groups,
      (select count(*)::int from site_spaces where site_id = ${siteId}) as "siteSpaces"`.execute(db);
  return rows[0] ?? { sections: 0, groups: 0, siteSpaces: 0 };
}
