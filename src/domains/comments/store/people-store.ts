import type { Database } from '../../../platform/database/connection.ts';
import { findUsers } from '../../users/index.ts';
import type { Listed, PostedColumns } from '../policy.ts';

/** Adds authors, resolvers, and those who reacted or replied. Each user is read once. */
export async function addPeople(db: Database, rows: readonly Listed<PostedColumns>[]): Promise<void> {
  const ids = new Set<string | null>();
  for (const row of rows) {
    ids.add(row.author_id).add(row.resolved_by ?? null);
    for (const { user_id: userId } of [...(row.reactions ?? []), ...(row.repliers ?? [])]) ids.add(userId);
  }
  const people = await findUsers(db, [...ids]);
  // Assigned, because copies of 50 rows take longer than reading them.
  for (const row of rows) {
    row.author = people.get(row.author_id ?? '') ?? null;
    row.resolver = people.get(row.resolved_by ?? '') ?? null;
    for (const reaction of row.reactions ?? []) reaction.user = people.get(reaction.user_id) ?? null;
    for (const replier of row.repliers ?? []) replier.user = people.get(replier.user_id ?? '') ?? null;
  }
}
