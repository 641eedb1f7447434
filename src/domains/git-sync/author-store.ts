import type { Database } from '../../platform/database/connection.ts';
import type { Signature } from '../../platform/git/index.ts';

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
