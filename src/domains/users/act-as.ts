import type { Context } from '../../platform/api/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { JobContext } from '../../platform/jobs/job.ts';
import { findCaller } from './store.ts';

/**
 * For a job that continues the request of a user: the context of that user, with all of their rights. The scopes of the
 * token were enforced when the request was made. Undefined: the user was deleted.
 */
export async function contextForUser(
  ctx: JobContext,
  db: Database,
  userId: string,
): Promise<Context | undefined> {
  const user = await findCaller(db, userId);
  return user && { ...ctx, db, caller: { ...user, tokenId: '', scopes: null } };
}
