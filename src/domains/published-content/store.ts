import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { requestContent } from '../change-requests/index.ts';
import { revisions } from '../revisions/index.ts';
import { siteSpaces } from '../sites/index.ts';

/** The change request with this number, with its content. */
export const findRequestByNumber = (db: Database, callerId: string, spaceId: string, number: string) =>
  visibleRows(db, requestContent, callerId)
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('change_request_number', '=', number)
    .executeTakeFirst();

/** The change request with this id, with its content. */
export const findRequest = (db: Database, callerId: string, spaceId: string, id: string) =>
  visibleRows(db, requestContent, callerId)
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('change_request_id', '=', id)
    .executeTakeFirst();

export const findRevision = (db: Database, callerId: string, spaceId: string, id: string) =>
  visibleRows(db, revisions, callerId)
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('revision_id', '=', id)
    .executeTakeFirst();

/** The ids of the site spaces of a site that the caller may view. */
export async function listSiteSpaceIds(db: Database, callerId: string, siteId: string): Promise<string[]> {
  const rows = await visibleRows(db, siteSpaces, callerId)
    .select('site_space_id')
    .where('site_id', '=', siteId)
    .execute();
  return rows.map((row) => row.site_space_id);
}
