import { inject } from 'vitest';
import { webhookDeliveries, webhooks } from '../../src/domains/webhooks/policy.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import { type Builder, post } from './builder.ts';

/** A loop over all operations creates more than an organization may have. */
const MAX_KEPT = 20;

/** Of the organization, whose admins alone see it. */
const aWebhook: Builder = async (test, side) => {
  await test.sql(
    `delete from webhooks where organization_id = $1 and id not in (
       select id from webhooks where organization_id = $1 order by created_at desc limit ${MAX_KEPT})`,
    [side.organizationId],
  );
  return post(test, side, '/webhooks', {
    body: {
      url: `http://${inject('source')}/hook`,
      description: `Of marker-${side.name}`,
      target: { type: 'organization' },
    },
  });
};

const aDelivery: Builder = (test, side, _caller, builtSoFar) =>
  post(test, side, `/webhooks/${builtSoFar.get(webhooks)}/test`, {});

export const webhooksBuilders: readonly (readonly [Resource, Builder])[] = [
  [webhooks, aWebhook],
  [webhookDeliveries, aDelivery],
];
