import Type, { type Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { conflict } from '../../platform/api/errors.ts';
import { newId } from '../../platform/api/ids.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf, requireMay } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { newStandardSecret } from '../../platform/webhooks/signatures.ts';
import { organizations } from '../organizations/index.ts';
import { requireReachable } from './check-url.ts';
import { wakeDelivery } from './delivery/jobs.ts';
import { MAX_WEBHOOKS } from './limits.ts';
import { webhooks, type WebhookRow } from './policy.ts';
import { presentWebhook } from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';
import { sealWebhookSecret } from './webhook-secret.ts';

const organizationId = idOf(organizations, 'view');
const OrganizationPath = Type.Object({ organizationId });
const WebhookPath = Type.Object({ organizationId, webhookId: idOf(webhooks, 'view') });
const version = (webhook: WebhookRow) => webhook.version;

export const listWebhooks = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/webhooks',
  summary: 'List the webhooks of an organization',
  description:
    'Oldest first: all for its admins; for others those of the spaces and sites that they are admins of.',
  scope: 'webhook:read',
  params: OrganizationPath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.Webhook),
  access: on(organizations)('view'),
  handle: async ({ ctx, target, page }) =>
    presentList(await store.listWebhooks(ctx.db, ctx.caller.id, target.organization_id, page), (row) =>
      presentWebhook(row, ctx.addresses),
    ),
});

export const createWebhook = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/webhooks',
  summary: 'Create a webhook',
  description:
    'Sends events of the organization, of a space or of a site to a URL, signed as in Standard Webhooks. The caller must be an ' +
    'admin of the target. The response contains the secret, which is never shown again.',
  scope: 'webhook:write',
  params: OrganizationPath,
  body: schema.NewWebhook,
  status: 201,
  response: schema.Webhook,
  access: on(organizations)('view'),
  prepare: ({ ctx, body }) => requireReachable(ctx.outbound, body.url),
  handle: async ({ ctx, target, body, prepared: url }) => {
    if (body.target.type === 'organization')
      requireMay(organizations, 'admin', target, ctx.caller.id, 'create a webhook of this organization');
    const [id, secret] = [newId(), newStandardSecret()];
    const isInserted = await store.insertWebhook(ctx.db, {
      ...fieldsOf(body),
      id,
      url: url ?? body.url,
      organization_id: target.organization_id,
      space_id: 'space' in body.target ? body.target.space : null,
      site_id: 'site' in body.target ? body.target.site : null,
      secret_sealed: sealWebhookSecret(ctx.keys, id, secret),
      responsible_id: ctx.caller.id,
    });
    if (!isInserted)
      throw conflict(
        `The organization has ${MAX_WEBHOOKS} webhooks, the most it may have. Delete one first.`,
      );
    return presentStored(ctx, id, secret);
  },
});

const fieldsOf = ({
  description,
  enabled,
  eventTypes,
}: Static<typeof schema.WebhookPatch>): store.WebhookFields => ({
  ...(description === undefined ? {} : { description }),
  ...(enabled === undefined ? {} : { enabled }),
  ...(eventTypes === undefined ? {} : { event_types: eventTypes }),
});

const presentStored = async (ctx: Context, id: string, secret?: string) =>
  presentWebhook(await store.getWebhook(ctx.db, ctx.caller.id, id), ctx.addresses, secret);

export const getWebhook = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/webhooks/{webhookId}',
  summary: 'Get a webhook',
  scope: 'webhook:read',
  params: WebhookPath,
  status: 200,
  response: schema.Webhook,
  access: on(webhooks)('view'),
  version,
  handle: async ({ ctx, target }) => presentWebhook(target, ctx.addresses),
});

export const updateWebhook = operation({
  method: 'PATCH',
  path: '/v1/orgs/{organizationId}/webhooks/{webhookId}',
  summary: 'Update a webhook',
  description:
    'Makes the caller responsible for it: it sends what the caller may view. `enabled` also enables a webhook that the server ' +
    'has disabled; deliveries that wait are sent then.',
  scope: 'webhook:write',
  params: WebhookPath,
  body: schema.WebhookPatch,
  status: 200,
  response: schema.Webhook,
  access: on(webhooks)('admin'),
  version,
  prepare: async ({ ctx, body }) =>
    body.url === undefined ? undefined : requireReachable(ctx.outbound, body.url),
  handle: async ({ ctx, target, body, prepared: url }) => {
    const fields = { ...fieldsOf(body), ...(url === undefined ? {} : { url }) };
    if (Object.keys(fields).length === 0) return presentWebhook(target, ctx.addresses);
    await store.updateWebhook(ctx.db, target.webhook_id, ctx.caller.id, fields);
    await wakeDelivery(ctx.db);
    return presentStored(ctx, target.webhook_id);
  },
});

export const deleteWebhook = operation({
  method: 'DELETE',
  path: '/v1/orgs/{organizationId}/webhooks/{webhookId}',
  summary: 'Delete a webhook',
  description: 'Its deliveries are deleted, too.',
  scope: 'webhook:write',
  params: WebhookPath,
  status: 205,
  access: on(webhooks)('admin'),
  version,
  handle: async ({ ctx, target }) => {
    await store.deleteWebhook(ctx.db, target.webhook_id);
  },
});

export const rotateWebhookSecret = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/webhooks/{webhookId}/rotate-secret',
  summary: 'Rotate the secret of a webhook',
  description:
    'The response contains the new secret, which is never shown again. For 24 hours, requests are signed with the new secret and ' +
    'with the one before.',
  scope: 'webhook:write',
  params: WebhookPath,
  status: 200,
  response: schema.Webhook,
  access: on(webhooks)('admin'),
  version,
  handle: async ({ ctx, target }) => {
    const secret = newStandardSecret();
    const { webhook_id: id } = target;
    await store.rotateSecret(ctx.db, id, sealWebhookSecret(ctx.keys, id, secret));
    return presentStored(ctx, id, secret);
  },
});
