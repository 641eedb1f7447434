import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../platform/database/connection.ts';
import { containing, visibleRows } from '../../platform/database/visible-rows.ts';
import { newId } from '../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import { sites, type SiteRow, type SiteVisibility } from './policy.ts';
import type { SitePatch } from './schema.ts';

interface NewSiteRow {
  readonly organizationId: string;
  readonly type: string | undefined;
  readonly title: string;
  readonly visibility: SiteVisibility | undefined;
  readonly basename: string;
}

/** Undefined where another site took the basename meanwhile. */
export async function insertSite(db: Database, site: NewSiteRow): Promise<string | undefined> {
  const inserted = await db
    .insertInto('sites')
    .values({
      id: newId(),
      organization_id: site.organizationId,
      title: site.title,
      basename: site.basename,
      ...(site.type ? { type: site.type } : {}),
      ...(site.visibility ? { visibility: site.visibility } : {}),
    })
    .onConflict((conflict) => conflict.expression(sql`lower(basename)`).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

/** The basenames that begin like this one, in lower case. */
export async function listBasenamesLike(db: Database, basename: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('sites')
    .select(sql<string>`lower(basename)`.as('basename'))
    .where(sql<boolean>`starts_with(lower(basename), ${basename})`)
    .execute();
  return new Set(rows.map((row) => row.basename));
}

type SiteColumns = Omit<Static<typeof SitePatch>, 'defaultSiteSpace' | 'defaultSiteSection'>;

export async function updateSite(db: Database, id: string, patch: SiteColumns): Promise<void> {
  const { title, visibility, basename, adaptiveContent, agentsContext, proxy } = patch;
  await db
    .updateTable('sites')
    .set({
      version: sql`version + 1`,
      ...(title === undefined ? {} : { title }),
      ...(visibility === undefined ? {} : { visibility }),
      ...(basename === undefined ? {} : { basename }),
      ...(adaptiveContent === undefined ? {} : { adaptive_content: adaptiveContent.enabled }),
      ...(agentsContext === undefined ? {} : { agents_context: agentsContext }),
      ...(proxy === undefined ? {} : { proxy_origin: proxy }),
    })
    .where('id', '=', id)
    .execute();
}

/** Publishing a published site changes nothing. */
export async function setPublished(db: Database, id: string, isPublished: boolean): Promise<void> {
  await db
    .updateTable('sites')
    .set({ published_at: isPublished ? sql`now()` : null, version: sql`version + 1` })
    .where('id', '=', id)
    .where('published_at', isPublished ? 'is' : 'is not', null)
    .execute();
}

export const deleteSite = (db: Database, id: string) => db.deleteFrom('sites').where('id', '=', id).execute();

/** Operations that lock a site wait under this key. */
export const queueOfSite = ({ siteId }: { readonly siteId: string }): string => `site:${siteId}`;

/**
 * Changes of the structure of one site are serialised: each decides on the state that it finds after this. Where the
 * site was deleted meanwhile, it is not found, and the operation is retried.
 */
export async function lockSite(db: Database, id: string): Promise<void> {
  await db.selectFrom('sites').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

export const getSite = (db: Database, callerId: string, id: string): Promise<SiteRow> =>
  visibleRows(db, sites, callerId).selectAll().where('site_id', '=', id).executeTakeFirstOrThrow();

interface SiteFilter {
  readonly organizationId: string;
  readonly spaceId: string | undefined;
  readonly title: string | undefined;
  readonly published: boolean | undefined;
  readonly type: readonly string[] | undefined;
}

export function listSites(db: Database, callerId: string, filter: SiteFilter, page: PageRequest) {
  let rows = visibleRows(db, sites, callerId)
    .selectAll()
    .where('organization_id', '=', filter.organizationId);
  if (filter.title) rows = rows.where('title', 'ilike', containing(filter.title));
  if (filter.published !== undefined)
    rows = rows.where('published_at', filter.published ? 'is not' : 'is', null);
  if (filter.type && filter.type.length > 0)
    rows = rows.where('type', '=', sql<string>`any(${[...filter.type]})`);
  if (filter.spaceId) {
    rows = rows.where(
      sql<boolean>`exists (select from site_spaces v where v.site_id = row.site_id and v.space_id = ${filter.spaceId})`,
    );
  }
  return fetchPage(rows, page, {
    by: ['created_at', 'site_id'],
    direction: 'asc',
    key: (row: SiteRow) => [row.created_at.toISOString(), row.site_id],
  });
}
