import type { Context } from '../../platform/api/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { JobContext } from '../../platform/jobs/job.ts';
import { findCaller } from './store.ts';

/**
 * The context of a user, with all of their rights, for a job that continues their request. The scopes of the
 * token were enforced when the request was made. Undefined: the user was deleted or disabled.
 */
export async function contextForUser(
  ctx: JobContext,
  db: Database,
  userId: string,
): Promise<Context | undefined> {
  const user = await findCaller(db, userId);
  return user && { ...ctx, db, caller: { ...user, tokenId: '', scopes: null } };
}
