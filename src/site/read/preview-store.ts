import { requestContent } from '../../domains/change-requests/index.ts';
import { revisions } from '../../domains/revisions/index.ts';
import { sites } from '../../domains/sites/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';

export async function mayViewSite(db: Database, userId: string, siteId: string): Promise<boolean> {
  const row = await visibleRows(db, sites, userId)
    .select('site_id')
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  return row !== undefined;
}

export interface PreviewedRevision {
  readonly revision_id: string;
  readonly root: Buffer | null;
}

/** The content of a change request, by its number, or of a revision: if the user may view it. */
export function findPreviewed(
  db: Database,
  userId: string,
  spaceId: string,
  kind: 'changes' | 'revisions',
  id: string,
): Promise<PreviewedRevision | undefined> {
  return kind === 'changes'
    ? visibleRows(db, requestContent, userId)
        .select(['revision_id', 'root'])
        .where('space_id', '=', spaceId)
        .where('change_request_number', '=', id)
        .executeTakeFirst()
    : visibleRows(db, revisions, userId)
        .select(['revision_id', 'root'])
        .where('space_id', '=', spaceId)
        .where('revision_id', '=', id)
        .executeTakeFirst();
}
