import Type from 'typebox';
import { on, operation, signedIn } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { listOf } from '../../platform/api/schema.ts';
import { organizations } from '../organizations/index.ts';
import { narrowInstallations } from './installations/cover.ts';
import { MAX_PUBLICATION } from './limits.ts';
import { integrations, publishers } from './policy.ts';
import { presentIntegrations, presentOne } from './present-owners.ts';
import { publish } from './publish.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';

const IntegrationPath = Type.Object({ integrationName: idOf(integrations, 'view') });
const mayOn = on(integrations);

export const listIntegrations = operation({
  method: 'GET',
  path: '/v1/integrations',
  summary: 'List integrations',
  description: 'Public ones, and those of organizations that you are a member of. By name.',
  scope: 'integration:read',
  query: schema.IntegrationQuery,
  status: 200,
  response: listOf(schema.Integration),
  access: signedIn,
  handle: async ({ ctx, query, page }) => {
    const found = await store.listIntegrations(ctx.db, ctx.caller.id, query, page);
    return presentList({ ...found, rows: await presentIntegrations(ctx, found.rows) }, (item) => item);
  },
});

export const listOrganizationIntegrations = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/integrations',
  summary: 'List the integrations that an organization can install',
  description: 'Public ones, and its own. By name.',
  scope: 'integration:read',
  params: Type.Object({ organizationId: idOf(organizations, 'view') }),
  query: schema.IntegrationQuery,
  status: 200,
  response: listOf(schema.Integration),
  access: on(organizations)('listIntegrations'),
  handle: async ({ ctx, query, page, target }) => {
    const { organization_id: organizationId } = target;
    const found = await store.listIntegrations(ctx.db, ctx.caller.id, query, page, organizationId);
    return presentList({ ...found, rows: await presentIntegrations(ctx, found.rows) }, (item) => item);
  },
});

export const getIntegrationByName = operation({
  method: 'GET',
  path: '/v1/integrations/{integrationName}',
  summary: 'Get an integration',
  scope: 'integration:read',
  params: IntegrationPath,
  status: 200,
  response: schema.Integration,
  access: mayOn('view'),
  version: (integration) => integration.version,
  handle: ({ ctx, target }) => presentOne(ctx, target),
});

export const publishIntegration = operation({
  method: 'POST',
  path: '/v1/integrations/{integrationName}',
  summary: 'Publish an integration, or a new version of it',
  description:
    'Replaces everything that the version before had. Without `visibility`, it is `private`. The script is stored; it ' +
    'does not run.',
  scope: 'integration:publish',
  params: Type.Object({ integrationName: schema.NameParam }),
  body: schema.Publication,
  bodyLimit: MAX_PUBLICATION,
  status: 200,
  response: schema.Integration,
  access: signedIn,
  handle: async ({ ctx, params: { integrationName: name }, body, refs }) => {
    const { organization_id: organizationId } = refs.of(publishers, body.organization);
    await narrowInstallations(ctx.db, await publish(ctx, name, organizationId, body));
    return presentOne(ctx, await store.getIntegration(ctx.db, ctx.caller.id, name));
  },
});

export const unpublishIntegration = operation({
  method: 'DELETE',
  path: '/v1/integrations/{integrationName}',
  summary: 'Unpublish an integration',
  description: 'Its versions, installations and their tokens are deleted.',
  scope: 'integration:delete',
  params: IntegrationPath,
  status: 204,
  access: mayOn('admin'),
  version: (integration) => integration.version,
  handle: async ({ ctx, target }) => {
    await store.deleteIntegration(ctx.db, target.integration_id);
  },
});
