import Type from 'typebox';
import type { Context } from '../../../platform/api/context.ts';
import { notFound } from '../../../platform/api/errors.ts';
import { on, operation } from '../../../platform/api/operation.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { setGitSync, spaces } from '../../spaces/index.ts';
import { connect, synchronize } from './connect.ts';
import { deleteConnection, findConnection, type ConnectionRow } from './connection-store.ts';
import { presentSync } from './present-sync.ts';
import * as schema from '../schema.ts';
import { findLastOperation } from '../operations/store.ts';

const common = {
  params: Type.Object({ spaceId: idOf(spaces, 'view') }),
  access: on(spaces)('triggerGitSync'),
} as const;

async function requireConnection({ db }: Context, spaceId: string): Promise<ConnectionRow> {
  const connection = await findConnection(db, spaceId);
  if (!connection) throw notFound('The connected repository of this space');
  return connection;
}

async function shown(ctx: Context, spaceId: string) {
  const last = await findLastOperation(ctx.db, ctx.caller.id, spaceId);
  return presentSync(ctx, await requireConnection(ctx, spaceId), last);
}

export const getGitSync = operation({
  ...common,
  method: 'GET',
  path: '/v1/spaces/{spaceId}/git/sync',
  summary: 'Get the connected repository of a space',
  description: 'With its state and last error. 404 if none is connected.',
  scope: 'space:read',
  status: 200,
  response: schema.GitSync,
  version: ({ space_id: id }) => id,
  handle: ({ ctx, target }) => shown(ctx, target.space_id),
});

export const putGitSync = operation({
  ...common,
  method: 'PUT',
  path: '/v1/spaces/{spaceId}/git/sync',
  summary: 'Connect a space to a Git repository',
  description:
    'From now on every push is imported and all new content is exported. The first synchronization starts at once. Set up the ' +
    'webhook of the response at the host of the repository; until it calls, the repository is polled.',
  scope: 'space:write',
  body: schema.PutGitSync,
  status: 200,
  response: schema.GitSync,
  handle: async ({ ctx, target, body }) => {
    await connect(ctx, target, body);
    return shown(ctx, target.space_id);
  },
});

export const deleteGitSync = operation({
  ...common,
  method: 'DELETE',
  path: '/v1/spaces/{spaceId}/git/sync',
  summary: 'Disconnect a space from its Git repository',
  description: 'Deletes the stored credential. The content of both sides stays as it is.',
  scope: 'space:write',
  status: 205,
  handle: async ({ ctx, target }) => {
    if (!(await deleteConnection(ctx.db, target.space_id)))
      throw notFound('The connected repository of this space');
    await setGitSync(ctx.db, target.space_id, null);
  },
});

export const retryGitSync = operation({
  ...common,
  method: 'POST',
  path: '/v1/spaces/{spaceId}/git/sync/retry',
  summary: 'Synchronize a connected repository now',
  description: 'Queues the operations that bring both sides together.',
  scope: 'space:write',
  status: 202,
  response: schema.GitSync,
  handle: async ({ ctx, target }) => {
    await synchronize(ctx, await requireConnection(ctx, target.space_id), 'repository');
    return shown(ctx, target.space_id);
  },
});
