import Type from 'typebox';
import { describeEmbed } from '../../content-engine/render/html/index.ts';
import { notFound } from '../../platform/api/errors.ts';
import { anyone, on, operation, signedIn } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { parseWebUrl } from '../../platform/api/value-checks.ts';
import { organizations } from '../organizations/index.ts';
import { presentSite, presentStructure, readStructure, sites } from '../sites/index.ts';
import { Embed, EMBED_DESCRIPTION, EmbedQuery } from '../spaces/index.ts';
import { readCustomizations } from './customizations.ts';
import { resolveContent } from './resolve-content.ts';
import { resolvePublished } from './resolve-published.ts';
import * as schema from './schema.ts';
import { listSiteSpaceIds } from './store.ts';

const DESCRIPTION =
  'Returns the site, section, site space and space at a URL, if a visitor with this share key and these tokens may read ' +
  'them, and a token that reads what this visitor may read. A page that moved returns a redirect. Previews of change requests ' +
  'and revisions are returned to callers who may view them. Their token reads what is published: send your own.';

/** Larger than any URL, token and claims that are accepted. */
const MAX_BODY = 64 * 1024;

export const resolvePublishedContentByUrl = operation({
  method: 'POST',
  isReadOnly: true,
  path: '/v1/urls/published',
  summary: 'Resolve the URL of published content',
  description: DESCRIPTION,
  scope: 'site:read',
  body: schema.PublishedUrl,
  bodyLimit: MAX_BODY,
  status: 200,
  response: schema.PublishedContent,
  access: anyone,
  handle: ({ ctx, turn, body: { url, redirectOnError = false, visitor = {} } }) =>
    resolvePublished(ctx, turn, {
      url,
      path: 'body.url',
      redirectOnError,
      jwtToken: visitor.jwtToken,
      unsignedClaims: visitor.unsignedClaims ?? {},
    }),
});

export const getPublishedContentByUrl = operation({
  method: 'GET',
  path: '/v1/urls/published',
  summary: 'Get what is published at a URL',
  description: `Deprecated: use \`POST /v1/urls/published\`. ${DESCRIPTION}`,
  scope: 'site:read',
  query: schema.PublishedUrlQuery,
  status: 200,
  response: schema.PublishedContent,
  access: anyone,
  handle: ({ ctx, turn, query: { url, visitorAuthToken, redirectOnError = false } }) =>
    resolvePublished(ctx, turn, {
      url,
      path: 'query.url',
      redirectOnError,
      jwtToken: visitorAuthToken,
      unsignedClaims: {},
    }),
});

export const getContentByUrl = operation({
  method: 'GET',
  path: '/v1/urls/content',
  summary: 'Get the content at a URL',
  description:
    'Returns the collection, or the space, change request and page, that the URL of an object (`urls.app`) or of a published ' +
    'page leads to. Only what you may view is found.',
  scope: 'space:read',
  query: schema.UrlQuery,
  status: 200,
  response: schema.Content,
  access: signedIn,
  handle: async ({ ctx, query }) => resolveContent(ctx, query.url),
});

export const getEmbedByUrl = operation({
  method: 'GET',
  path: '/v1/urls/embed',
  summary: 'Get the embed of a URL',
  description: EMBED_DESCRIPTION,
  scope: 'space:read',
  query: EmbedQuery,
  status: 200,
  response: Embed,
  access: signedIn,
  handle: async ({ query }) => describeEmbed(parseWebUrl(query.url, 'query.url')),
});

export const getPublishedContentSite = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/published',
  summary: 'Get a published site',
  description:
    'Its structure and its settings, for a program that shows it. A site that is not published returns 404.',
  scope: 'site:read',
  params: Type.Object({ organizationId: idOf(organizations, 'view'), siteId: idOf(sites, 'view') }),
  query: schema.PublishedSiteQuery,
  status: 200,
  response: schema.PublishedSite,
  access: on(sites)('view'),
  version: (site) => site.config_version,
  handle: async ({ ctx, target, query }) => {
    if (!target.published_at) throw notFound('Published site');
    const shown = await listSiteSpaceIds(ctx.db, ctx.caller.id, target.site_id);
    return {
      object: 'published-content-site' as const,
      site: presentSite(target, ctx),
      structure: presentStructure(await readStructure(ctx, target, query.shareKey)),
      customizations: await readCustomizations(ctx, target.site_id, shown),
      // Integrations, which add them, do not exist yet.
      scripts: [],
    };
  },
});
