import type { Context } from '../../../platform/api/context.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import type { SpaceRow } from '../../spaces/index.ts';
import { sealCredential } from '../credentials.ts';
import { runGitOperations } from './jobs.ts';
import type { Direction, GitRequest } from '../policy.ts';
import { readRemote } from '../read-remote.ts';
import type { GitExport, GitImport } from '../schema.ts';
import { countUnfinished, insertOperation } from './store.ts';

/** More unfinished operations of one space: a client repeats itself. */
const MAX_UNFINISHED = 20;

/** Inserts an operation and its job. All that can be checked without a connection to the remote is refused here. */
export async function startOperation(
  ctx: Context,
  { space_id: spaceId }: SpaceRow,
  direction: Direction,
  body: GitImport | GitExport,
): Promise<void> {
  const { url: _url, ref, repoProjectDirectory, timestamp, force = false, ...options } = body;
  const place = { directory: repoProjectDirectory, path: 'body.repoProjectDirectory' };
  const { remote, directory } = await readRemote(ctx, body, place);
  if ((await countUnfinished(ctx.db, spaceId)) >= MAX_UNFINISHED) {
    throw new ApiError(
      429,
      `The space has ${MAX_UNFINISHED} unfinished Git operations. Wait until one ends (GET …/git/operations).`,
      { headers: { 'retry-after': '30' } },
    );
  }
  await insertOperation(ctx.db, {
    spaceId,
    userId: ctx.caller.id,
    direction,
    cause: 'api',
    request: { ...options, url: remote.url, ref, directory, force } as GitRequest,
    credential: sealCredential(ctx.keys, remote.credential),
    orderedAt: timestamp === undefined ? ctx.now() : new Date(timestamp),
  });
  await enqueue(ctx.db, runGitOperations, {});
}
