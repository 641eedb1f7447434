import { inject } from 'vitest';
import { webhookDeliveries, webhooks } from '../../src/domains/webhooks/policy.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import { type Builder, post } from './builder.ts';

/** Of the organization, whose admins alone see it. */
const aWebhook: Builder = (test, side) =>
  post(test, side, '/webhooks', {
    body: {
      url: `http://${inject('source')}/hook`,
      description: `Of marker-${side.name}`,
      target: { type: 'organization' },
    },
  });

const aDelivery: Builder = (test, side, _caller, builtSoFar) =>
  post(test, side, `/webhooks/${builtSoFar.get(webhooks)}/test`, {});

export const webhooksBuilders: readonly (readonly [Resource, Builder])[] = [
  [webhooks, aWebhook],
  [webhookDeliveries, aDelivery],
];
