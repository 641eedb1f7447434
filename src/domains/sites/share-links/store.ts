import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../../platform/database/connection.ts';
import { visibleRows } from '../../../platform/database/visible-rows.ts';
import { newId } from '../../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../../platform/api/pagination.ts';
import { shareLinks, type ShareLinkRow } from '../policy.ts';
import type { ShareLinkPatch } from './schema.ts';

export async function insertShareLink(
  db: Database,
  siteId: string,
  link: { readonly name: string; readonly hash: string; readonly sealed: Buffer },
): Promise<string> {
  const id = newId();
  await db
    .insertInto('share_links')
    .values({ id, site_id: siteId, name: link.name, key_hash: link.hash, key_sealed: link.sealed })
    .execute();
  return id;
}

export async function updateShareLink(
  db: Database,
  id: string,
  { active, name }: Static<typeof ShareLinkPatch>,
): Promise<void> {
  if (active === undefined && name === undefined) return;
  await db
    .updateTable('share_links')
    .set({
      version: sql`version + 1`,
      ...(active === undefined ? {} : { active }),
      ...(name === undefined ? {} : { name }),
    })
    .where('id', '=', id)
    .execute();
}

export const deleteShareLink = (db: Database, id: string) =>
  db.deleteFrom('share_links').where('id', '=', id).execute();

export const getShareLink = (db: Database, callerId: string, id: string): Promise<ShareLinkRow> =>
  visibleRows(db, shareLinks, callerId).selectAll().where('share_link_id', '=', id).executeTakeFirstOrThrow();

export const listShareLinks = (db: Database, callerId: string, siteId: string, page: PageRequest) =>
  fetchPage(visibleRows(db, shareLinks, callerId).selectAll().where('site_id', '=', siteId), page, {
    by: ['created_at', 'share_link_id'],
    direction: 'asc',
    key: (row: ShareLinkRow) => [row.created_at.toISOString(), row.share_link_id],
  });

export async function countShareLinks(db: Database, siteId: string): Promise<number> {
  const row = await db
    .selectFrom('share_links')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  return row?.count ?? 0;
}
