import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';

/** Returns the number of reactions of all people, and of this one. */
export async function addReactions(
  db: Database,
  id: string,
  userId: string,
  emoji: readonly string[],
): Promise<{ readonly count: number; readonly own: number }> {
  await sql`
    insert into comment_reactions (comment_id, user_id, emoji)
    select ${id}, ${userId}, * from unnest(${[...new Set(emoji)].toSorted()}::text[])
    on conflict do nothing`.execute(db);
  return db
    .selectFrom('comment_reactions')
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number>`count(*) filter (where user_id = ${userId})`.as('own'),
    ])
    .where('comment_id', '=', id)
    .executeTakeFirstOrThrow();
}

export async function removeReactions(
  db: Database,
  id: string,
  userId: string,
  emoji: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('comment_reactions')
    .where('comment_id', '=', id)
    .where('user_id', '=', userId)
    .where('emoji', '=', sql<string>`any(${[...emoji]})`)
    .execute();
}
