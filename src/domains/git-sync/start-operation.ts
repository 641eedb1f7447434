import type { Context } from '../../platform/api/context.ts';
import { ApiError, badRequest } from '../../platform/api/errors.ts';
import { GitError, parseRemote, requireRef } from '../../platform/git/index.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import type { SpaceRow } from '../spaces/index.ts';
import { sealCredential } from './credentials.ts';
import { runGitOperations } from './jobs.ts';
import type { Direction, GitRequest } from './policy.ts';
import type { GitExport, GitImport } from './schema.ts';
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
  const { remote, request } = await readRequest(ctx, body);
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
    request,
    credential: sealCredential(ctx.keys, remote.credential),
    orderedAt: body.timestamp === undefined ? ctx.now() : new Date(body.timestamp),
  });
  await enqueue(ctx.db, runGitOperations, {});
}

/** The remote with its credentials, and the part of the request that is stored in clear text. */
async function readRequest(ctx: Context, body: GitImport | GitExport) {
  const { url, ref, repoProjectDirectory, timestamp: _timestamp, force = false, ...options } = body;
  try {
    await ctx.git.requireProgram();
    requireRef(ref);
    const { remote } = parseRemote(url);
    const directory = readDirectory(repoProjectDirectory ?? '');
    const request = { ...options, url: remote.url, ref, directory, force } as GitRequest;
    return { remote, request };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.reason === 'no-program') throw new ApiError(501, error.message);
    const path = error.reason === 'invalid-ref' ? 'body.ref' : 'body.url';
    throw badRequest(`${path}: ${error.message}`, [{ path, rule: error.message }]);
  }
}

/** A directory of the repository, without slashes at its ends. */
export function readDirectory(text: string): string {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  const isOutside = names.some((name) => name === '..' || /^\.git$/i.test(name));
  // eslint-disable-next-line no-control-regex
  if (!isOutside && !/[\u0000-\u001f\\]/.test(text)) return names.join('/');
  const rule = 'Send the path of a directory inside the repository, such as docs/handbook';
  throw badRequest(`body.repoProjectDirectory: ${rule}.`, [{ path: 'body.repoProjectDirectory', rule }]);
}
