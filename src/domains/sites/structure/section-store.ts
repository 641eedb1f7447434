import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import { newId } from '../../../platform/api/ids.ts';

/** Rows of sections and groups, regardless of the caller. All of it is called under the lock of the site. */

export interface LevelItem {
  readonly id: string;
  readonly position: string;
  readonly kind: 'section' | 'group';
}

/** The sections and groups of a group, or of the root, in their order. */
export async function listLevel(db: Database, siteId: string, groupId: string | null): Promise<LevelItem[]> {
  const { rows } = await sql<LevelItem>`
    select id, position, 'section' as kind from site_sections
    where site_id = ${siteId} and group_id is not distinct from ${groupId}
    union all
    select id, position, 'group' from site_section_groups
    where site_id = ${siteId} and parent_id is not distinct from ${groupId}
    order by position`.execute(db);
  return rows;
}

export async function listSectionPaths(db: Database, siteId: string): Promise<Set<string>> {
  const rows = await db.selectFrom('site_sections').select('path').where('site_id', '=', siteId).execute();
  return new Set(rows.map((row) => row.path.toLowerCase()));
}

export async function insertSection(
  db: Database,
  siteId: string,
  section: {
    readonly title: string;
    readonly path: string;
    readonly icon: string | null;
    readonly position: string;
  },
): Promise<string> {
  const id = newId();
  await db
    .insertInto('site_sections')
    .values({ id, site_id: siteId, ...section })
    .execute();
  return id;
}

interface SectionColumns {
  readonly title?: string;
  readonly path?: string;
  readonly description?: string | null;
  readonly icon?: string | null;
  readonly condition?: string | null;
}

export async function updateSection(db: Database, id: string, columns: SectionColumns): Promise<void> {
  await db
    .updateTable('site_sections')
    .set({ ...columns, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function placeSection(
  db: Database,
  id: string,
  place: { readonly groupId: string | null; readonly position: string },
): Promise<void> {
  await sql`
    update site_sections set group_id = ${place.groupId}, position = ${place.position}, version = version + 1
    where id = ${id} and (group_id is distinct from ${place.groupId} or position <> ${place.position})`.execute(
    db,
  );
}

/** The unique index allows no second default in between. */
export async function setDefaultSection(db: Database, siteId: string, id: string): Promise<void> {
  await sql`
    update site_sections set is_default = false where site_id = ${siteId} and is_default and id <> ${id}`.execute(
    db,
  );
  await sql`update site_sections set is_default = true where id = ${id} and not is_default`.execute(db);
}

export const deleteSection = (db: Database, id: string) =>
  db.deleteFrom('site_sections').where('id', '=', id).execute();

export async function insertGroup(
  db: Database,
  siteId: string,
  group: {
    readonly title: string;
    readonly icon: string | null;
    readonly parentId: string | null;
    readonly position: string;
  },
): Promise<string> {
  const id = newId();
  const { parentId, ...columns } = group;
  await db
    .insertInto('site_section_groups')
    .values({ id, site_id: siteId, parent_id: parentId, ...columns })
    .execute();
  return id;
}

export async function updateGroup(
  db: Database,
  id: string,
  columns: { readonly title?: string; readonly icon?: string | null },
): Promise<void> {
  await db
    .updateTable('site_section_groups')
    .set({ ...columns, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function placeGroup(
  db: Database,
  id: string,
  place: { readonly groupId: string | null; readonly position: string },
): Promise<void> {
  await sql`
    update site_section_groups set parent_id = ${place.groupId}, position = ${place.position}, version = version + 1
    where id = ${id} and (parent_id is distinct from ${place.groupId} or position <> ${place.position})`.execute(
    db,
  );
}

export const deleteGroup = (db: Database, id: string) =>
  db.deleteFrom('site_section_groups').where('id', '=', id).execute();

/** The ids of the groups around a group and its own; none at the root. */
export async function getGroupPath(db: Database, id: string | null): Promise<readonly string[]> {
  if (id === null) return [];
  const row = await db
    .selectFrom('site_section_groups')
    .select('path')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.path;
}

/** How many levels of groups there are in a group. */
export async function heightOf(db: Database, id: string): Promise<number> {
  const { rows } = await sql<{ height: number }>`
    select coalesce(max(cardinality(path) - array_position(path, ${id})), 0) as height
    from site_section_groups where path @> array[${id}]
      and site_id = (select site_id from site_section_groups where id = ${id})`.execute(db);
  return rows[0]?.height ?? 0;
}

/** Where a section or group is now: the lock was taken after the caller was authorised. */
export async function getGroupOf(
  db: Database,
  item: { readonly kind: 'section' | 'group'; readonly id: string },
): Promise<string | null> {
  const row =
    item.kind === 'section'
      ? await db
          .selectFrom('site_sections')
          .select('group_id')
          .where('id', '=', item.id)
          .executeTakeFirstOrThrow()
      : await db
          .selectFrom('site_section_groups')
          .select('parent_id as group_id')
          .where('id', '=', item.id)
          .executeTakeFirstOrThrow();
  return row.group_id;
}
