import type { Database } from '../../../platform/database/connection.ts';
import type { Signature } from '../../../platform/git/index.ts';

/** A line for the commit of a revision: the change request that was merged, if it is one. */
export async function findSummary(db: Database, revisionId: string): Promise<string> {
  const row = await db
    .selectFrom('revisions')
    .select('merged_from')
    .where('id', '=', revisionId)
    .executeTakeFirst();
  const merged = row?.merged_from as
    | { readonly subject?: string; readonly number?: number }
    | null
    | undefined;
  if (!merged) return 'Update documentation';
  return `${merged.subject === '' ? 'Update documentation' : merged.subject} (#${merged.number})`;
}

/** Who made a revision; undefined if that is not known any more. */
export async function findAuthor(db: Database, revisionId: string): Promise<Signature | undefined> {
  const row = await db
    .selectFrom('revisions as rv')
    .innerJoin('users as u', 'u.id', 'rv.author_id')
    .select(['u.display_name', 'u.email'])
    .where('rv.id', '=', revisionId)
    .executeTakeFirst();
  return row && { name: row.display_name, email: row.email };
}
