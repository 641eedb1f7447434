import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';

/** Returns the number of reactions of all people. */
export async function addReactions(
  db: Database,
  id: string,
  userId: string,
  emoji: readonly string[],
): Promise<number> {
  await sql`
    insert into comment_reactions (comment_id, user_id, emoji)
    select ${id}, ${userId}, * from unnest(${[...new Set(emoji)].toSorted()}::text[])
    on conflict do nothing`.execute(db);
  const { count } = await db
    .selectFrom('comment_reactions')
    .select(sql<number>`count(*)`.as('count'))
    .where('comment_id', '=', id)
    .executeTakeFirstOrThrow();
  return count;
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
