import Type from 'typebox';
import { notFound, tooLarge } from '../../platform/api/errors.ts';
import { on, operation, signedIn } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import {
  effectiveCustomization,
  findSiteCustomization,
  listOverrides,
  sizeOfOverrides,
} from '../customization/index.ts';
import { organizations } from '../organizations/index.ts';
import { presentSite, presentStructure, readStructure, sites } from '../sites/index.ts';
import { issueReadToken } from './read-token.ts';
import { resolveContent } from './resolve-content.ts';
import { resolvePublished } from './resolve-published.ts';
import * as schema from './schema.ts';
import { listSiteSpaceIds } from './store.ts';

const DESCRIPTION =
  'Returns the site, section, site space and space at a URL, if a visitor with this share key and these tokens may read ' +
  'them; previews of change requests and revisions, if you may view them. A page that moved returns a redirect.';

export const resolvePublishedContentByUrl = operation({
  method: 'POST',
  path: '/v1/urls/published',
  summary: 'Resolve the URL of published content',
  description: DESCRIPTION,
  scope: 'site:read',
  body: schema.PublishedUrl,
  status: 200,
  response: schema.PublishedContent,
  access: signedIn,
  // Outside of the transaction: what is read of sites is cached, also for other requests.
  prepare: ({ ctx, body: { url, redirectOnError = false, visitor = {} } }) =>
    resolvePublished(ctx, {
      url,
      path: 'body.url',
      redirectOnError,
      jwtToken: visitor.jwtToken,
      unsignedClaims: visitor.unsignedClaims ?? {},
    }),
  handle: async ({ ctx, prepared }) => {
    if (!prepared) throw notFound('Content at this URL');
    return 'target' in prepared ? prepared : { ...prepared, apiToken: await issueReadToken(ctx) };
  },
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
  access: signedIn,
  handle: async ({ ctx, query: { url, visitorAuthToken, redirectOnError = false } }) => {
    const resolved = await resolvePublished(ctx, {
      url,
      path: 'query.url',
      redirectOnError,
      jwtToken: visitorAuthToken,
      unsignedClaims: {},
    });
    return 'target' in resolved ? resolved : { ...resolved, apiToken: await issueReadToken(ctx) };
  },
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

/** Of all site spaces of a site: parsed, they take several times as much memory. */
const MAX_OVERRIDES_BYTES = 16 * 1024 * 1024;

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
    const { settings } = await findSiteCustomization(ctx.db, target.site_id);
    if ((await sizeOfOverrides(ctx.db, target.site_id)) > MAX_OVERRIDES_BYTES)
      throw tooLarge(
        'The customizations of the site spaces of this site exceed 16 MB. Get them one by one: ' +
          '`GET /v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization`.',
      );
    const overrides = await listOverrides(ctx.db, target.site_id);
    const ofSite = effectiveCustomization(settings);
    const customizationOf = (siteSpaceId: string) => {
      const own = overrides.get(siteSpaceId);
      return own ? effectiveCustomization(settings, own) : ofSite;
    };
    const shown = await listSiteSpaceIds(ctx.db, ctx.caller.id, target.site_id);
    return {
      object: 'published-content-site' as const,
      site: presentSite(target, ctx),
      structure: presentStructure(await readStructure(ctx, target, query.shareKey)),
      customizations: {
        site: ofSite,
        siteSpaces: Object.fromEntries(shown.map((id) => [id, customizationOf(id)])),
      },
      // Integrations, which add them, do not exist yet.
      scripts: [],
    };
  },
});
