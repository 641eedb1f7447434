import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { organizations } from '../organizations/index.ts';
import { requireClaimsSchema } from './check-schema.ts';
import { adaptiveSites } from './policy.ts';
import { presentSchema, schemaOf } from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';
import { templateConditions } from './template-conditions.ts';

const SitePath = Type.Object({
  organizationId: idOf(organizations, 'view'),
  siteId: idOf(adaptiveSites, 'view'),
});
const mayOnSite = on(adaptiveSites);

export const getSiteAdaptiveSchema = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/adaptive-schema',
  summary: 'Get the schema of the claims of visitors',
  description: 'Without claims if none was set.',
  scope: 'site:read',
  params: SitePath,
  status: 200,
  response: schema.AdaptiveSchema,
  access: mayOnSite('view'),
  version: (site) => site.schema_version,
  handle: async ({ target }) =>
    presentSchema(schemaOf(target), target.schema_updated_at ?? target.created_at),
});

export const updateSiteAdaptiveSchema = operation({
  method: 'PUT',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/adaptive-schema',
  summary: 'Update the schema of the claims of visitors',
  description:
    'It documents the claims for authors of conditions. It does not restrict the claims that a visitor can have.',
  scope: 'site:write',
  params: SitePath,
  body: schema.NewAdaptiveSchema,
  bodyLimit: 64 * 1024,
  status: 200,
  response: schema.AdaptiveSchema,
  access: mayOnSite('admin'),
  version: (site) => site.schema_version,
  handle: async ({ ctx, target, body: { jsonSchema } }) => {
    requireClaimsSchema(jsonSchema);
    await store.putSchema(ctx.db, target.site_id, jsonSchema, ctx.now());
    return presentSchema(jsonSchema, ctx.now());
  },
});

export const listSiteAdaptiveTemplateConditions = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/adaptive-schema/template-conditions',
  summary: 'List conditions on the declared claims',
  description: 'One for each value that a claim of the schema can have.',
  scope: 'site:read',
  params: SitePath,
  status: 200,
  response: schema.TemplateConditions,
  access: mayOnSite('view'),
  handle: async ({ target }) => ({ items: [...templateConditions(schemaOf(target))] }),
});
