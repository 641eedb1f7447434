import { sql } from 'kysely';
import { requestContent } from '../../domains/change-requests/index.ts';
import { revisions } from '../../domains/revisions/index.ts';
import { sites } from '../../domains/sites/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import type { Previewer } from './visitor.ts';

/**
 * Whether the user may view the site, is not disabled, and their token, whose scopes never change, is still
 * valid.
 */
export async function mayPreview(
  db: Database,
  { userId, tokenId }: Previewer,
  siteId: string,
): Promise<boolean> {
  const row = await visibleRows(db, sites, userId)
    .innerJoin('tokens', (on) => on.on('tokens.id', '=', tokenId).on('tokens.user_id', '=', userId))
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select('site_id')
    .where('site_id', '=', siteId)
    .where('users.disabled_at', 'is', null)
    .where(sql<boolean>`(tokens.expires_at is null or tokens.expires_at > now())`)
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
