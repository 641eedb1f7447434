import Type from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { conflict } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { listOf } from '../../platform/api/schema.ts';
import { organizations } from '../organizations/index.ts';
import { insertTest, replayDeliveries } from './delivery/insert-store.ts';
import { wakeDelivery } from './delivery/jobs.ts';
import { composeMessage } from './messages/compose-message.ts';
import { webhookDeliveries, webhooks } from './policy.ts';
import { presentDelivery, presentDetails } from './present.ts';
import * as schema from './schema.ts';
import { getDelivery, listDeliveries } from './store.ts';

const WebhookPath = Type.Object({
  organizationId: idOf(organizations, 'view'),
  webhookId: idOf(webhooks, 'view'),
});
const DeliveryPath = Type.Object({
  ...WebhookPath.properties,
  deliveryId: idOf(webhookDeliveries, 'view'),
});

export const testWebhook = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/webhooks/{webhookId}/test',
  summary: 'Send a test event to a webhook',
  description:
    'Queues a message of type `test`. The result is in the deliveries. 409 while the webhook is disabled.',
  scope: 'webhook:write',
  params: WebhookPath,
  status: 202,
  response: schema.WebhookDelivery,
  access: on(webhooks)('admin'),
  handle: async ({ ctx, target }) => {
    requireEnabled(target.enabled);
    const id = await insertTest(ctx.db, target.webhook_id, ctx.now());
    await wakeDelivery(ctx.db);
    return presentStored(ctx, id);
  },
});

function requireEnabled(enabled: boolean): void {
  if (!enabled) throw conflict('This webhook is disabled, and sends nothing. Enable it first.');
}

const presentStored = async ({ db, caller, addresses }: Context, id: string) =>
  presentDelivery(await getDelivery(db, caller.id, id), addresses);

export const listWebhookDeliveries = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries',
  summary: 'List the deliveries of a webhook',
  description: 'The latest event first. They are deleted after 30 days.',
  scope: 'webhook:read',
  params: WebhookPath,
  query: schema.ListDeliveries,
  status: 200,
  response: listOf(schema.WebhookDelivery),
  access: on(webhooks)('view'),
  handle: async ({ ctx, target, query: { status, eventType: type }, page }) => {
    const filter = { webhookId: target.webhook_id, status, type };
    return presentList(await listDeliveries(ctx.db, ctx.caller.id, filter, page), (row) =>
      presentDelivery(row, ctx.addresses),
    );
  },
});

export const getWebhookDelivery = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}',
  summary: 'Get a delivery of a webhook',
  description: 'With its payload, as the caller may view it, and its attempts.',
  scope: 'webhook:read',
  params: DeliveryPath,
  status: 200,
  response: schema.WebhookDeliveryDetails,
  access: on(webhookDeliveries)('view'),
  version: ({ attempt_count: count }) => count,
  handle: async ({ ctx, target }) => presentDetails(target, ctx.addresses, await composeMessage(ctx, target)),
});

export const replayWebhookDelivery = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  summary: 'Send a delivery again',
  description:
    'With the same id, also one that was delivered. One that waits for a retry is sent at once. 409 while the webhook is disabled.',
  scope: 'webhook:write',
  params: DeliveryPath,
  status: 202,
  response: schema.WebhookDelivery,
  access: on(webhookDeliveries)('admin'),
  handle: async ({ ctx, target }) => {
    requireEnabled(target.webhook_enabled);
    await replayDeliveries(ctx.db, target.webhook_id, { id: target.webhook_delivery_id });
    await wakeDelivery(ctx.db);
    return presentStored(ctx, target.webhook_delivery_id);
  },
});

export const replayFailedWebhookDeliveries = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/webhooks/{webhookId}/replay-failed',
  summary: 'Send failed deliveries again',
  description: 'Those of events since a time, in the order of the events. 409 while the webhook is disabled.',
  scope: 'webhook:write',
  params: WebhookPath,
  body: schema.ReplayFailed,
  status: 202,
  response: schema.Replayed,
  access: on(webhooks)('admin'),
  handle: async ({ ctx, target, body }) => {
    requireEnabled(target.enabled);
    const count = await replayDeliveries(ctx.db, target.webhook_id, { failedSince: new Date(body.since) });
    if (count > 0) await wakeDelivery(ctx.db);
    return { count };
  },
});
