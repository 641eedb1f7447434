import { sql } from 'kysely';
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

export interface StoredCustomizations {
  readonly site: PartialCustomization | undefined;
  /** By the id of the site space. */
  readonly siteSpaces: ReadonlyMap<string, PartialCustomization>;
}

/** What a site and its site spaces set, for its pages. */
export async function findCustomizations(db: Database, siteId: string): Promise<StoredCustomizations> {
  const { rows } = await sql<{ site_space_id: string | null; settings: PartialCustomization }>`
    select null as site_space_id, settings from site_customizations where site_id = ${siteId}
    union all select site_space_id, settings from site_space_customizations where site_id = ${siteId}`.execute(
    db,
  );
  return {
    site: rows.find((row) => row.site_space_id === null)?.settings,
    siteSpaces: new Map(
      rows.flatMap((row) => (row.site_space_id === null ? [] : [[row.site_space_id, row.settings]])),
    ),
  };
}
