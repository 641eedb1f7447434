import Type from 'typebox';
import type { Context } from '../../../platform/api/context.ts';
import { conflict, forbidden } from '../../../platform/api/errors.ts';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { listOf } from '../../../platform/api/schema.ts';
import { organizations } from '../../organizations/index.ts';
import { deleteExpiredTokens, insertToken } from '../../users/index.ts';
import { sites } from '../../sites/index.ts';
import { spaces } from '../../spaces/index.ts';
import { integrations } from '../policy.ts';
import { presentIntegrations } from '../present-owners.ts';
import { Integration } from '../schema.ts';
import { findIntegrations } from '../store.ts';
import { install, uninstall, update } from './install.ts';
import { listOnContent } from './content-store.ts';
import { installations, installedIntegrations, type InstallationRow } from './policy.ts';
import { presentInstallation, statusOfInstallation } from './present.ts';
import { OWN_SCOPE } from './reach.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';

const integrationName = idOf(integrations, 'view');
const IntegrationPath = Type.Object({ integrationName });
const InstallationPath = Type.Object({ integrationName, installationId: idOf(installations, 'view') });
const organizationId = idOf(organizations, 'view');
const ContentList = listOf(Integration);
const mayOn = on(installations);
const reading = { scope: 'integration:installations:read', status: 200 } as const;
const writing = { scope: 'integration:installations:write' } as const;
const one = {
  path: '/v1/integrations/{integrationName}/installations/{installationId}',
  params: InstallationPath,
  version: (installation: InstallationRow) => installation.version,
} as const;
const TOKEN_HOURS = 1;

export const listIntegrationInstallations = operation({
  ...reading,
  method: 'GET',
  path: '/v1/integrations/{integrationName}/installations',
  summary: 'List the installations of an integration',
  description: 'For admins of its publisher. Oldest first.',
  params: IntegrationPath,
  query: schema.InstallationsQuery,
  response: listOf(schema.Installation),
  access: on(integrations)('admin'),
  handle: async ({ ctx, target, query, page }) => {
    const of = { integrationId: target.integration_id };
    const found = await store.listInstallations(ctx.db, ctx.caller.id, of, query, page);
    return presentList(found, (row) => presentInstallation(ctx, row));
  },
});

export const installIntegration = operation({
  ...writing,
  method: 'POST',
  path: '/v1/integrations/{integrationName}/installations',
  summary: 'Install an integration on an organization',
  description: 'Accepts the scopes that it asks for. It covers no space or site until they are selected.',
  params: IntegrationPath,
  body: schema.NewInstallation,
  status: 201,
  response: schema.Installation,
  access: on(integrations)('install'),
  handle: async ({ ctx, target, body }) =>
    presentInstallation(ctx, await install(ctx, target, body.organization)),
});

export const getIntegrationInstallationById = operation({
  ...reading,
  ...one,
  method: 'GET',
  summary: 'Get an installation',
  response: schema.Installation,
  access: mayOn('view'),
  handle: async ({ ctx, target }) => presentInstallation(ctx, target),
});

export const updateIntegrationInstallation = operation({
  ...writing,
  ...one,
  method: 'PATCH',
  summary: 'Update an installation',
  description:
    'A new version of the integration with more scopes gets them when an admin accepts them here. With its own token, an ' +
    'installation updates its `configuration` and `externalIds`.',
  body: schema.InstallationPatch,
  status: 200,
  response: schema.Installation,
  access: mayOn('configure'),
  handle: async ({ ctx, target, body }) => {
    const { configuration: _configuration, externalIds: _externalIds, ...ofAdmins } = body;
    if (target.role !== 'admin' && Object.keys(ofAdmins).length > 0)
      throw forbidden('Only an admin of the organization may change what an installation covers.');
    return presentInstallation(ctx, await update(ctx, target, body));
  },
});

export const uninstallIntegration = operation({
  ...writing,
  ...one,
  method: 'DELETE',
  summary: 'Uninstall an integration',
  description: 'Its tokens end at once. What it wrote remains.',
  status: 205,
  access: mayOn('admin'),
  handle: ({ ctx, target }) => uninstall(ctx.db, target),
});

export const createIntegrationInstallationToken = operation({
  method: 'POST',
  path: `${one.path}/tokens`,
  summary: 'Create a token of an installation',
  description:
    'For admins of its publisher. The token is valid for an hour. It has the scopes that the organization accepted, on what the ' +
    'installation covers.',
  scope: 'integration:installations:write',
  params: InstallationPath,
  status: 200,
  response: schema.Token,
  access: mayOn('issueTokens'),
  handle: async ({ ctx, target }) => {
    // It may be paused, or lose scopes, at the same time.
    await store.lockInstallation(ctx.db, target.installation_id);
    const present = await store.getInstallation(ctx.db, ctx.caller.id, target.installation_id);
    if (present.is_paused)
      throw conflict('The installation is paused. An admin of its organization can resume it.');
    await deleteExpiredTokens(ctx.db, target.user_id);
    const expiresAt = new Date(ctx.now().getTime() + TOKEN_HOURS * 3_600_000).toISOString();
    const scopes = [OWN_SCOPE, ...present.scopes];
    const { token } = await insertToken(ctx.db, target.user_id, { label: 'Installation', expiresAt, scopes });
    return { token };
  },
});

export const listOrganizationInstallations = operation({
  ...reading,
  method: 'GET',
  path: '/v1/orgs/{organizationId}/installations',
  summary: 'List what is installed on an organization',
  description: 'Each with its integration. Oldest first.',
  params: Type.Object({ organizationId }),
  query: schema.SearchQuery,
  response: listOf(schema.Installed),
  access: on(organizations)('listInstallations'),
  handle: async ({ ctx, target, query, page }) => {
    const of = { organizationId: target.organization_id };
    const found = await store.listInstallations(ctx.db, ctx.caller.id, of, query, page);
    const rows = await withIntegrations(ctx, found.rows);
    return presentList({ ...found, rows }, ([row, integration]) => ({
      installation: presentInstallation(ctx, row),
      integration,
    }));
  },
});

/** Each with its integration, which those who see an installation may view. */
async function withIntegrations(ctx: Context, rows: readonly InstallationRow[]) {
  const ids = rows.map((row) => row.integration_id);
  const shown = await presentIntegrations(ctx, await findIntegrations(ctx.db, ctx.caller.id, ids));
  return rows.flatMap((row) => {
    const integration = shown.find(({ name }) => name === row.integration_name);
    return integration ? [[row, integration] as const] : [];
  });
}

export const listOrganizationIntegrationsStatus = operation({
  ...reading,
  method: 'GET',
  path: '/v1/orgs/{organizationId}/integrations/installations-status',
  summary: 'List the statuses of the integrations of an organization',
  description: 'Oldest installation first.',
  params: Type.Object({ organizationId }),
  query: schema.StatusesQuery,
  response: listOf(schema.StatusOfIntegration),
  access: on(organizations)('listInstallations'),
  handle: async ({ ctx, target, query: { target: of = 'organization' }, page }) => {
    const found = await store.listInstalledOn(ctx.db, ctx.caller.id, target.organization_id, of, page);
    const rows = await withIntegrations(ctx, found.rows);
    return presentList({ ...found, rows }, ([row, integration]) => ({
      status: statusOfInstallation(row),
      integration,
      target: { type: 'organization' as const, organizationId: row.organization_id },
    }));
  },
});

export const getOrganizationIntegrationStatus = operation({
  ...reading,
  method: 'GET',
  path: '/v1/orgs/{organizationId}/integrations/{integrationName}/installation_status',
  summary: 'Get the status of an integration on an organization',
  params: Type.Object({ organizationId, integrationName: idOf(installedIntegrations, 'view') }),
  response: Type.Object({ status: schema.Status }),
  access: on(installedIntegrations)('view'),
  handle: async ({ target }) => ({ status: statusOfInstallation(target) }),
});

export const listSpaceIntegrations = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/integrations',
  summary: 'List the integrations that are installed on a space',
  description: 'Those on all spaces, too. By name.',
  scope: 'integration:read',
  params: Type.Object({ spaceId: idOf(spaces, 'view') }),
  query: schema.SearchQuery,
  status: 200,
  response: ContentList,
  access: on(spaces)('view'),
  handle: async ({ ctx, target, query: { search }, page }) => {
    const { space_id: id, organization_id: organization } = target;
    const found = await listOnContent(ctx.db, ctx.caller.id, 'space', { id, organization }, search, page);
    return presentList({ ...found, rows: await presentIntegrations(ctx, found.rows) }, (item) => item);
  },
});

export const listSiteIntegrations = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/integrations',
  summary: 'List the integrations that are installed on a site',
  description: 'Those on all sites, too. By name.',
  scope: 'integration:read',
  params: Type.Object({ organizationId, siteId: idOf(sites, 'view') }),
  query: schema.SearchQuery,
  status: 200,
  response: ContentList,
  access: on(sites)('view'),
  handle: async ({ ctx, target, query: { search }, page }) => {
    const { site_id: id, organization_id: organization } = target;
    const found = await listOnContent(ctx.db, ctx.caller.id, 'site', { id, organization }, search, page);
    return presentList({ ...found, rows: await presentIntegrations(ctx, found.rows) }, (item) => item);
  },
});
