import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import Type from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { badRequest, conflict, notFound } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import { OutboundError, parseUrl } from '../../platform/outbound/index.ts';
import { organizations } from '../organizations/index.ts';
import { readSpecs } from './jobs.ts';
import { MAX_SPECIFICATION } from './limits.ts';
import { openapiSpecs, specVersions, type SpecRow } from './policy.ts';
import { presentSpec, presentVersion, publicUrl, versionUrl } from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';

const organizationId = idOf(organizations, 'view');
const OrganizationPath = Type.Object({ organizationId });
const SpecPath = Type.Object({ organizationId, specSlug: idOf(openapiSpecs, 'view') });
const VersionPath = Type.Object({ ...SpecPath.properties, versionId: idOf(specVersions, 'view') });
const mayOnOrganization = on(organizations);
const mayOnSpec = on(openapiSpecs);
const mayOnVersion = on(specVersions);
/** A text, escaped as JSON. */
const BODY_LIMIT = 2 * MAX_SPECIFICATION;

export const listOpenAPISpecs = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/openapi',
  summary: 'List the OpenAPI specifications of an organization',
  description: 'Oldest first.',
  scope: 'openapi:read',
  params: OrganizationPath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.OpenAPISpec),
  access: mayOnOrganization('listOpenAPISpecs'),
  handle: async ({ ctx, target, page }) =>
    presentList(await store.listSpecs(ctx.db, ctx.caller.id, target.organization_id, page), (row) =>
      presentSpec(ctx, row),
    ),
});

export const createOpenAPISpec = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/openapi',
  summary: 'Add an OpenAPI specification',
  description:
    'Versions 2.0, 3.0, 3.1 and 3.2, in JSON or YAML, from a URL or as a text. It is read in the background: poll ' +
    '`processingState` until it is `complete`. A URL is read again every 6 hours.',
  scope: 'openapi:write',
  params: OrganizationPath,
  body: schema.NewSpec,
  bodyLimit: BODY_LIMIT,
  status: 201,
  response: schema.OpenAPISpec,
  access: mayOnOrganization('createOpenAPISpec'),
  handle: async ({ ctx, target, body: { slug, source } }) => {
    requireUrl(source);
    if (!(await store.insertSpec(ctx.db, target.organization_id, slug, source)))
      throw conflict(
        `The organization has an OpenAPI specification "${slug}" already. Replace it, or choose another slug.`,
      );
    return presentQueued(ctx, target.organization_id, slug);
  },
});

export const createOrUpdateOpenAPISpecBySlug = operation({
  method: 'PUT',
  path: '/v1/orgs/{organizationId}/openapi/{specSlug}',
  summary: 'Add or replace an OpenAPI specification',
  description:
    'Reads the specification from this source, and from the same one again. It keeps its versions and its visibility; the last ' +
    'version stays until the source has been read. With `If-None-Match: *`, an existing one is not replaced.',
  scope: 'openapi:write',
  params: Type.Object({ organizationId, specSlug: schema.SlugParam }),
  body: schema.PutSpec,
  bodyLimit: BODY_LIMIT,
  status: 200,
  response: schema.OpenAPISpec,
  access: mayOnOrganization('createOpenAPISpec'),
  handle: async ({ ctx, target, params: { specSlug: slug }, body: { source } }) => {
    requireUrl(source);
    if (!(await store.insertSpec(ctx.db, target.organization_id, slug, source)))
      await store.updateSource(ctx.db, target.organization_id, slug, source);
    return presentQueued(ctx, target.organization_id, slug);
  },
});

async function presentQueued(ctx: Context, organization: string, slug: string) {
  await enqueue(ctx.db, readSpecs, {});
  return presentSpec(ctx, await store.getSpec(ctx.db, ctx.caller.id, organization, slug));
}

/** Whether its host is public is known when it is read. */
function requireUrl(source: store.Source): void {
  if (!('url' in source)) return;
  try {
    parseUrl(source.url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw badRequest(error.message, [{ path: 'body.source.url', rule: 'url' }]);
  }
}

export const getOpenAPISpecBySlug = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/openapi/{specSlug}',
  summary: 'Get an OpenAPI specification',
  scope: 'openapi:read',
  params: SpecPath,
  status: 200,
  response: schema.OpenAPISpec,
  access: mayOnSpec('view'),
  version: (spec) => spec.version,
  handle: async ({ ctx, target }) => presentSpec(ctx, target),
});

export const updateOpenAPISpecBySlug = operation({
  method: 'PATCH',
  path: '/v1/orgs/{organizationId}/openapi/{specSlug}',
  summary: 'Update the visibility of an OpenAPI specification',
  scope: 'openapi:write',
  params: SpecPath,
  body: schema.SpecPatch,
  status: 200,
  response: schema.OpenAPISpec,
  access: mayOnSpec('edit'),
  version: (spec) => spec.version,
  handle: async ({ ctx, target, body }) => {
    await store.updateVisibility(ctx.db, target.spec_id, body.visibility);
    return presentSpec(
      ctx,
      await store.getSpec(ctx.db, ctx.caller.id, target.organization_id, target.spec_slug),
    );
  },
});

export const deleteOpenAPISpecBySlug = operation({
  method: 'DELETE',
  path: '/v1/orgs/{organizationId}/openapi/{specSlug}',
  summary: 'Delete an OpenAPI specification',
  description: 'Its versions are deleted, too.',
  scope: 'openapi:write',
  params: SpecPath,
  status: 205,
  access: mayOnSpec('edit'),
  version: (spec) => spec.version,
  handle: async ({ ctx, target }) => {
    await store.deleteSpec(ctx.db, target.spec_id);
  },
});

export const listOpenAPISpecVersions = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/openapi/{specSlug}/versions',
  summary: 'List the versions of an OpenAPI specification',
  description: 'The latest first. A version is made when the content has changed; the last 100 are kept.',
  scope: 'openapi:read',
  params: SpecPath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.OpenAPISpecVersion),
  access: mayOnSpec('view'),
  handle: async ({ ctx, target, page }) =>
    presentList(await store.listVersions(ctx.db, ctx.caller.id, target, page), (row) =>
      presentVersion(ctx, row),
    ),
});

export const getLatestOpenAPISpecVersion = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/openapi/{specSlug}/versions/latest',
  summary: 'Get the latest version of an OpenAPI specification',
  scope: 'openapi:read',
  params: SpecPath,
  status: 200,
  response: schema.OpenAPISpecVersion,
  access: mayOnSpec('view'),
  version: (spec) => spec.last_version_id ?? 'none',
  handle: async ({ ctx, target }) =>
    presentVersion(ctx, await store.getVersion(ctx.db, ctx.caller.id, latestOf(target))),
});

export const getLatestOpenAPISpecVersionContent = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/openapi/{specSlug}/versions/latest/content',
  summary: 'Get the content of the latest version',
  scope: 'openapi:read',
  params: SpecPath,
  status: 200,
  response: schema.OpenAPISpecContent,
  access: mayOnSpec('view'),
  isHeavy: true,
  handle: ({ ctx, target }) => contentOf(ctx, latestOf(target), target),
});

function latestOf({ last_version_id: id, spec_slug: slug }: SpecRow): string {
  if (id === null)
    throw notFound(`A version of the OpenAPI specification "${slug}", which has not been read yet,`);
  return id;
}

export const getOpenAPISpecVersionById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}',
  summary: 'Get a version of an OpenAPI specification',
  scope: 'openapi:read',
  params: VersionPath,
  status: 200,
  response: schema.OpenAPISpecVersion,
  access: mayOnVersion('view'),
  version: (version) => version.openapi_version_id,
  handle: async ({ ctx, target }) => presentVersion(ctx, target),
});

export const getOpenAPISpecVersionContentById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content',
  summary: 'Get the content of a version',
  scope: 'openapi:read',
  params: VersionPath,
  status: 200,
  response: schema.OpenAPISpecContent,
  access: mayOnVersion('view'),
  isHeavy: true,
  handle: ({ ctx, target }) => contentOf(ctx, target.openapi_version_id, target),
});

/** In the form of `@scalar/openapi-parser`, which renderers use. */
async function contentOf(ctx: Context, versionId: string, spec: Parameters<typeof publicUrl>[1]) {
  const document = await store.findDocument(ctx.db, versionId);
  if (!document) throw notFound(`Version "${versionId}"`);
  const json = await promisify(gunzip)(document);
  return {
    filesystem: [
      {
        dir: './',
        filename: 'openapi.json',
        isEntrypoint: true,
        references: [],
        specification: JSON.parse(json.toString()) as Record<string, unknown>,
      },
    ],
    url: versionUrl(ctx, versionId),
    urls: { source: versionUrl(ctx, versionId), public: publicUrl(ctx, spec) ?? null },
  };
}
