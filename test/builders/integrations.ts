import { integrations, publishers } from '../../src/domains/integrations/policy.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import { anIntegration } from '../integrations.ts';
import type { Builder } from './builder.ts';

export const integrationsBuilders: readonly (readonly [Resource, Builder])[] = [
  [publishers, async (_test, side) => ({ id: side.organizationId })],
  [integrations, async (test, side) => ({ id: await anIntegration(test, side) })],
];
