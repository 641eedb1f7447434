import type { Repository } from '../../../platform/git/index.ts';
import { setCommit } from '../../revisions/index.ts';
import { commitInfo } from '../operations/commit-info.ts';
import { findPushed } from './pushed-store.ts';
import { putState } from '../operations/state-store.ts';
import type { Work } from '../operations/work.ts';

/**
 * The end of a process, or a lost response, can interrupt an export after the remote accepted the commit. Read as a commit of
 * others, its new pages would be added to the space a second time.
 */
export async function confirmPush(work: Work, repository: Repository, head: string): Promise<void> {
  const { ctx, operation, log } = work;
  const { space_id: spaceId, request } = operation;
  const pushed = await findPushed(ctx.db, spaceId, request);
  if (!pushed) return;
  const last = await repository.readCommit(head);
  if (pushed.commit !== head && !last.parents.includes(pushed.commit)) return;
  await ctx.db.transaction().execute(async (db) => {
    await putState(db, spaceId, request, pushed, operation.ordered_at);
    if (pushed.commit === head)
      await setCommit(db, pushed.revisionId, commitInfo(ctx.addresses, request, last));
  });
  log.info(`The branch has commit ${pushed.commit.slice(0, 8)} of an interrupted export.`);
}
