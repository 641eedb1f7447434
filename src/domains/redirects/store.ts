import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { containing, visibleRows } from '../../platform/database/visible-rows.ts';
import { newId } from '../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import { SEGMENTS } from '../spaces/index.ts';
import { siteRedirects, type SiteRedirectRow } from './policy.ts';
import type { Destination } from './schema.ts';

const columnsOf = (destination: Destination) => ({
  section_id: destination.kind === 'site-section' ? destination.siteSectionId : null,
  site_space_id: destination.kind === 'site-section' ? null : destination.siteSpaceId,
  page_id: destination.kind === 'site-page' ? destination.pageId : null,
});

const COLUMNS = [
  'id as site_redirect_id',
  'source',
  'section_id',
  'site_space_id',
  'page_id',
  'created_at',
] as const;

export interface RedirectColumns {
  readonly source: string;
  readonly sourceKey: string;
  readonly destination: Destination;
}

export const listRedirects = (
  db: Database,
  callerId: string,
  siteId: string,
  search: string | undefined,
  page: PageRequest,
) => {
  let rows = visibleRows(db, siteRedirects, callerId).selectAll().where('site_id', '=', siteId);
  if (search) rows = rows.where('source', 'ilike', containing(search));
  return fetchPage(rows, page, {
    by: ['created_at', 'site_redirect_id'],
    direction: 'asc',
    key: (row: SiteRedirectRow) => [row.created_at.toISOString(), row.site_redirect_id],
  });
};

export const getRedirect = (db: Database, callerId: string, id: string): Promise<SiteRedirectRow> =>
  visibleRows(db, siteRedirects, callerId)
    .selectAll()
    .where('site_redirect_id', '=', id)
    .executeTakeFirstOrThrow();

export async function insertRedirect(
  db: Database,
  siteId: string,
  { source, sourceKey, destination }: RedirectColumns,
): Promise<string> {
  const id = newId();
  await db
    .insertInto('site_redirects')
    .values({ id, site_id: siteId, source, source_key: sourceKey, ...columnsOf(destination) })
    .execute();
  return id;
}

export async function updateRedirect(
  db: Database,
  id: string,
  { source, sourceKey, destination }: Partial<RedirectColumns>,
): Promise<void> {
  await db
    .updateTable('site_redirects')
    .set({
      version: sql`version + 1`,
      ...(source && sourceKey ? { source, source_key: sourceKey } : {}),
      ...(destination ? columnsOf(destination) : {}),
    })
    .where('id', '=', id)
    .execute();
}

export const deleteRedirect = (db: Database, id: string) =>
  db.deleteFrom('site_redirects').where('id', '=', id).execute();

export interface PutRedirect extends FoundRedirect {
  readonly status: 'created' | 'updated' | 'unchanged';
}

/** Inserts redirects, or updates those with the same source. In the order of the request. */
export async function putRedirects(
  db: Database,
  siteId: string,
  redirects: readonly RedirectColumns[],
): Promise<PutRedirect[]> {
  const given = redirects.map(({ source, sourceKey, destination }) => ({
    id: newId(),
    source,
    source_key: sourceKey,
    ...columnsOf(destination),
  }));
  const { rows: written } = await sql<{ id: string; version: number }>`
    insert into site_redirects as r (id, site_id, source, source_key, section_id, site_space_id, page_id)
    select g.id, ${siteId}, g.source, g.source_key, g.section_id, g.site_space_id, g.page_id
    from json_to_recordset(${JSON.stringify(given)}) as g (id text, source text, source_key text, section_id text,
      site_space_id text, page_id text) order by g.source_key
    on conflict (site_id, source_key) do update
      set source = excluded.source, section_id = excluded.section_id, site_space_id = excluded.site_space_id,
        page_id = excluded.page_id, version = r.version + 1
      where (r.source, r.section_id, r.site_space_id, r.page_id)
        is distinct from (excluded.source, excluded.section_id, excluded.site_space_id, excluded.page_id)
    returning id, version`.execute(db);
  const versions = new Map(written.map(({ id, version }) => [id, version]));
  const stored = await db
    .selectFrom('site_redirects')
    .select([...COLUMNS, 'source_key'])
    .where('site_id', '=', siteId)
    .where('source_key', '=', sql<string>`any(${given.map((each) => each.source_key)})`)
    .execute();
  const byKey = new Map(stored.map((row) => [row.source_key, row]));
  return given.map(({ source_key: key }) => {
    const row = byKey.get(key);
    if (!row) throw new Error(`the redirect from ${key} was not stored`);
    const version = versions.get(row.site_redirect_id);
    return { ...row, status: version === undefined ? 'unchanged' : version === 1 ? 'created' : 'updated' };
  });
}

export type FoundRedirect = Pick<
  SiteRedirectRow,
  'site_redirect_id' | 'source' | 'section_id' | 'site_space_id' | 'page_id' | 'created_at'
>;

/** Finds a redirect for readers: they see its destination only if they may read that. */
export const findRedirect = (
  db: Database,
  siteId: string,
  sourceKey: string,
): Promise<FoundRedirect | undefined> =>
  db
    .selectFrom('site_redirects')
    .select(COLUMNS)
    .where('site_id', '=', siteId)
    .where('source_key', '=', sourceKey)
    .executeTakeFirst();

export const findVisibleRedirect = (
  db: Database,
  callerId: string,
  siteId: string,
  sourceKey: string,
): Promise<SiteRedirectRow | undefined> =>
  visibleRows(db, siteRedirects, callerId)
    .selectAll()
    .where('site_id', '=', siteId)
    .where('source_key', '=', sourceKey)
    .executeTakeFirst();

/** Whether one of the sources has a redirect that the caller may not view. */
export async function hasHiddenRedirect(
  db: Database,
  callerId: string,
  siteId: string,
  sourceKeys: readonly string[],
): Promise<boolean> {
  const keys = sql<string>`any(${[...sourceKeys]}::text[])`;
  const visible = visibleRows(db, siteRedirects, callerId)
    .select('site_redirect_id')
    .where('site_id', '=', siteId)
    .where('source_key', '=', keys);
  const hidden = await db
    .selectFrom('site_redirects')
    .select('id')
    .where('site_id', '=', siteId)
    .where('source_key', '=', keys)
    .where('id', 'not in', visible)
    .executeTakeFirst();
  return hidden !== undefined;
}

/** Where a destination is on its site: the space that it shows, and the segments of its path. */
export interface Place {
  readonly space_id: string;
  readonly segments: readonly string[];
}

/** Undefined: the section shows no space, or the space is deleted. */
export async function findPlace(
  db: Database,
  { section_id, site_space_id }: Pick<FoundRedirect, 'section_id' | 'site_space_id'>,
): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select v.space_id, ${sql.raw(SEGMENTS)} as segments
    from site_spaces v left join site_sections sec on sec.id = v.section_id
    where not v.space_deleted and (v.id = ${site_space_id} or v.section_id = ${section_id} and v.is_default)`.execute(
    db,
  );
  return rows[0];
}

/** Whether a share link of the site has the key, and is active. */
export async function hasShareKey(db: Database, siteId: string, keyHash: string): Promise<boolean> {
  const found = await db
    .selectFrom('share_links')
    .select('id')
    .where('site_id', '=', siteId)
    .where('key_hash', '=', keyHash)
    .where('active', '=', true)
    .executeTakeFirst();
  return found !== undefined;
}
