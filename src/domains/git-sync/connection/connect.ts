import type { Context } from '../../../platform/api/context.ts';
import { badRequest } from '../../../platform/api/errors.ts';
import { newId } from '../../../platform/api/ids.ts';
import type { SpaceRow } from '../../spaces/index.ts';
import { findConnection, putConnection, type ConnectionRow } from './connection-store.ts';
import { sealCredential } from '../credentials.ts';
import { readRemote } from '../read-remote.ts';
import type { PutGitSync } from '../schema.ts';
import { startConnected } from './start-connected.ts';
import { findState } from '../operations/state-store.ts';

/** Connects a space to a branch, or changes how it is connected, and starts a synchronization. */
export async function connect(
  ctx: Context,
  { space_id: spaceId }: SpaceRow,
  body: PutGitSync,
): Promise<void> {
  const { remote, directory } = await readRemote(ctx, body, {
    directory: body.directory,
    path: 'body.directory',
  });
  if (remote.credential)
    throw badRequest('body.url: Send the user name and password as `credential`, not in the URL.', [
      { path: 'body.url', rule: 'No user name and password' },
    ]);
  const before = await findConnection(ctx.db, spaceId);
  await putConnection(ctx.db, spaceId, {
    user_id: ctx.caller.id,
    url: remote.url,
    ref: body.ref,
    directory,
    credential: credentialOf(ctx, body, before?.url === remote.url ? before : undefined),
    direction: body.direction ?? 'both',
    provider: body.provider ?? null,
    tree_url: body.repoTreeURL ?? null,
    commit_url: body.repoCommitURL ?? null,
    pull_requests: body.pullRequests ?? false,
    nonce: before?.nonce ?? newId(),
  });
  const connection = await findConnection(ctx.db, spaceId);
  if (connection) await synchronize(ctx, connection, body.precedence ?? 'repository');
}

function credentialOf(
  { keys }: Context,
  { credential }: PutGitSync,
  before: ConnectionRow | undefined,
): Buffer | null {
  if (credential === undefined) return before?.credential ?? null;
  if (credential === null) return null;
  return (
    sealCredential(keys, { username: credential.username ?? 'git', password: credential.password }) ?? null
  );
}

/** `precedence` decides at the first synchronization only: later ones are merges. */
export async function synchronize(
  { db, now }: Pick<Context, 'db' | 'now'>,
  connection: ConnectionRow,
  precedence: 'repository' | 'space',
): Promise<void> {
  const isFirst = !(await findState(db, connection.space_id, connection));
  const isExported =
    connection.direction === 'export' ||
    (connection.direction === 'both' && isFirst && precedence === 'space');
  const direction = isExported ? 'export' : 'import';
  await startConnected(db, connection, { direction, cause: 'api', now: now() });
  // An import merges what was pushed; what only the space has is exported after it.
  if (connection.direction === 'both' && !isExported && !isFirst)
    await startConnected(db, connection, { direction: 'export', cause: 'content', now: now() });
}
