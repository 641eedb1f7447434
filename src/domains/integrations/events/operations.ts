import Type from 'typebox';
import { badRequest } from '../../../platform/api/errors.ts';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../../platform/api/schema.ts';
import { OutboundError, parseUrl } from '../../../platform/outbound/index.ts';
import { integrations } from '../policy.ts';
import { openIntegrationSecret } from '../secrets.ts';
import { integrationEvents } from './policy.ts';
import { presentEvent } from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';

const params = Type.Object({ integrationName: idOf(integrations, 'view') });
const mayAdminister = on(integrations)('admin');
const development = {
  path: '/v1/integrations/{integrationName}/dev',
  params,
  access: mayAdminister,
} as const;

export const listIntegrationEvents = operation({
  method: 'GET',
  path: '/v1/integrations/{integrationName}/events',
  summary: 'List the events of an integration',
  description: 'The latest first. They are kept for 30 days.',
  scope: 'integration:installations:read',
  params,
  query: ListQuery,
  status: 200,
  response: listOf(schema.IntegrationEvent),
  access: mayAdminister,
  handle: async ({ ctx, target, page }) =>
    presentList(await store.listEvents(ctx.db, ctx.caller.id, target.integration_id, page), presentEvent),
});

export const getIntegrationEvent = operation({
  method: 'GET',
  path: '/v1/integrations/{integrationName}/events/{eventId}',
  summary: 'Get an event of an integration, and its deliveries',
  scope: 'integration:installations:read',
  params: Type.Object({ ...params.properties, eventId: idOf(integrationEvents, 'view') }),
  status: 200,
  response: schema.TracedEvent,
  access: on(integrationEvents)('view'),
  handle: async ({ target }) => ({ event: presentEvent(target), trace: { logs: [...target.logs] } }),
});

export const getIntegrationDevelopmentMode = operation({
  ...development,
  method: 'GET',
  summary: 'Get the development mode of an integration',
  scope: 'integration:publish',
  status: 200,
  response: schema.DevelopmentMode,
  handle: async ({ ctx, target }) => {
    const tunnel = await store.getTunnel(ctx.db, target.integration_id);
    return {
      ...(tunnel.tunnel_url !== null && { tunnelUrl: tunnel.tunnel_url }),
      all: tunnel.tunnel_all,
      signingSecret: openIntegrationSecret(ctx.keys, target.integration_name, tunnel.signing_secret_sealed),
    };
  },
});

export const setIntegrationDevelopmentMode = operation({
  ...development,
  method: 'PUT',
  summary: 'Update the development mode of an integration',
  description:
    'Each event is sent to the URL of the tunnel as JSON, and up to three times again if it does not answer with 2xx.',
  scope: 'integration:publish',
  body: schema.Tunnel,
  status: 204,
  handle: async ({ ctx, target, body: { tunnelUrl, all = false } }) => {
    requireUrl(tunnelUrl);
    await store.setTunnel(ctx.db, target.integration_id, tunnelUrl, all);
  },
});

/** Whether its host is public is known when an event is sent. */
function requireUrl(url: string): void {
  try {
    parseUrl(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw badRequest(error.message, [{ path: 'body.tunnelUrl', rule: 'url' }]);
  }
}

export const disableIntegrationDevelopmentMode = operation({
  ...development,
  method: 'DELETE',
  summary: 'Delete the development mode of an integration',
  scope: 'integration:publish',
  status: 205,
  handle: async ({ ctx, target }) => {
    await store.setTunnel(ctx.db, target.integration_id, null, false);
  },
});
