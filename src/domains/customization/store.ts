import { sql } from 'kysely';
import { sizeOfJson } from '../../platform/api/pagination.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { PartialCustomization } from './schema.ts';

/** Settings that are equal to the stored ones change nothing, not even the version. */
export async function putSiteCustomization(
  db: Database,
  siteId: string,
  settings: PartialCustomization,
): Promise<void> {
  const stored = JSON.stringify(settings);
  await sql`
    insert into site_customizations as c (site_id, settings)
    select ${siteId}, ${stored}::jsonb
    where ${stored}::jsonb <> '{}' or exists (select from site_customizations where site_id = ${siteId})
    on conflict (site_id) do update set settings = excluded.settings, version = c.version + 1
    where c.settings <> excluded.settings`.execute(db);
}

/** Waits for other changes of the same settings, so that none is lost. */
export async function lockOverrides(db: Database, siteSpaceId: string): Promise<PartialCustomization> {
  // Two statements: the second one sees what the first one waited for.
  await sql`select from site_spaces where id = ${siteSpaceId} for no key update`.execute(db);
  const { rows } = await sql<{ settings: PartialCustomization }>`
    select settings from site_space_customizations where site_space_id = ${siteSpaceId}`.execute(db);
  return rows[0]?.settings ?? {};
}

export async function putOverrides(
  db: Database,
  { site_id, site_space_id }: { readonly site_id: string; readonly site_space_id: string },
  settings: PartialCustomization,
): Promise<void> {
  await sql`
    insert into site_space_customizations as c (site_space_id, site_id, settings)
    values (${site_space_id}, ${site_id}, ${JSON.stringify(settings)})
    on conflict (site_space_id) do update set settings = excluded.settings, version = c.version + 1`.execute(
    db,
  );
}

export async function deleteOverrides(db: Database, siteSpaceId: string): Promise<void> {
  await db.deleteFrom('site_space_customizations').where('site_space_id', '=', siteSpaceId).execute();
}

export interface SiteCustomization {
  readonly settings: PartialCustomization;
  /** The ids of the site spaces with settings of their own. */
  readonly siteSpaces: readonly string[];
}

/** The settings of a site, for its pages. */
export async function findSiteCustomization(db: Database, siteId: string): Promise<SiteCustomization> {
  const { rows } = await sql<{ settings: PartialCustomization | null; site_spaces: string[] }>`
    select (select settings from site_customizations where site_id = ${siteId}) as settings,
      array(select site_space_id from site_space_customizations where site_id = ${siteId}) as site_spaces`.execute(
    db,
  );
  return { settings: rows[0]?.settings ?? {}, siteSpaces: rows[0]?.site_spaces ?? [] };
}

export interface StoredOverrides {
  readonly settings: PartialCustomization;
  /** The approximate size in bytes. */
  readonly size: number;
}

/** The size of the settings of all site spaces of a site, in bytes, about. */
export async function sizeOfOverrides(db: Database, siteId: string): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select coalesce(sum(${sizeOfJson('settings')}), 0) as size
    from site_space_customizations where site_id = ${siteId}`.execute(db);
  return rows[0]?.size ?? 0;
}

/** The settings of the site spaces of a site, by their ids. All at once: their size has to be known. */
export async function listOverrides(
  db: Database,
  siteId: string,
): Promise<Map<string, PartialCustomization>> {
  const { rows } = await sql<{ site_space_id: string; settings: PartialCustomization }>`
    select site_space_id, settings from site_space_customizations where site_id = ${siteId}`.execute(db);
  return new Map(rows.map((row) => [row.site_space_id, row.settings]));
}

/** The settings of a site space, for its pages. */
export async function findOverrides(db: Database, siteSpaceId: string): Promise<StoredOverrides> {
  const { rows } = await sql<StoredOverrides>`
    select settings, ${sizeOfJson('settings')} as size
    from site_space_customizations where site_space_id = ${siteSpaceId}`.execute(db);
  return rows[0] ?? { settings: {}, size: 0 };
}
