import Type from 'typebox';
import { nullable, named, Uri } from '../../platform/api/schema.ts';
import { ChangeRequest } from '../change-requests/index.ts';
import { Collection } from '../collections/index.ts';
import { Customization } from '../customization/index.ts';
import { Page } from '../revisions/index.ts';
import { shareKey, Space } from '../spaces/index.ts';
import { Site, SiteStructure } from '../sites/index.ts';

/** The longest token of a visitor: longer ones do not fit into the headers of a request, either. */
const MAX_TOKEN = 8192;

const ResolvableUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Absolute URL, with `http` or `https`',
  examples: ['https://docs.example.org/guides/setup'],
});

const redirectOnError = Type.Optional(
  Type.Boolean({
    description:
      'Whether a visitor whose JWT is not valid is redirected to the fallback URL of the site, as one without a JWT is. Default: 404',
    examples: [false],
  }),
);

export const UrlQuery = Type.Object({ url: ResolvableUrl });

export const PublishedUrlQuery = Type.Object({
  url: ResolvableUrl,
  visitorAuthToken: Type.Optional(
    Type.String({ maxLength: MAX_TOKEN, description: 'JWT of the visitor', examples: [undefined] }),
  ),
  redirectOnError,
});

export const PublishedUrl = Type.Object({
  url: ResolvableUrl,
  redirectOnError,
  visitor: Type.Optional(
    Type.Object({
      jwtToken: Type.Optional(
        Type.String({ maxLength: MAX_TOKEN, description: 'JWT of the visitor', examples: [undefined] }),
      ),
      unsignedClaims: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'Claims that are not signed. More than 4,096 bytes of JSON are ignored',
          examples: [{}],
        }),
      ),
    }),
  ),
});

/** One of the two forms of the answer: either `redirect` and `target`, or all others that are not optional. */
export const PublishedContent = named('PublishedContent', {
  target: Type.Optional(
    Type.Enum(['application', 'content', 'external'], { description: 'What `redirect` leads to' }),
  ),
  redirect: Type.Optional({
    ...Uri,
    description: 'Where the content is now, or where the visitor signs in. No other member is present',
  }),
  site: Type.Optional(Type.String({ description: 'Site id' })),
  siteSection: Type.Optional(Type.String({ description: 'Site section id' })),
  siteSpace: Type.Optional(Type.String({ description: 'Site space id' })),
  space: Type.Optional(Type.String({ description: 'Space id' })),
  changeRequest: Type.Optional(Type.String({ description: 'Id of the change request that is previewed' })),
  revision: Type.Optional(Type.String({ description: 'Id of the revision that is previewed' })),
  pathname: Type.Optional(Type.String({ description: 'Path of the page below `basePath`' })),
  basePath: Type.Optional(Type.String({ description: 'Path of the site space in the URL' })),
  siteBasePath: Type.Optional(Type.String({ description: 'Path of the site in the URL' })),
  apiToken: Type.Optional(
    Type.String({
      description:
        'JWT that reads what this visitor may read of the site: for an hour at most, and not longer than the token of the visitor',
    }),
  ),
  organization: Type.Optional(Type.String({ description: 'Organization id' })),
  shareKey: Type.Optional(Type.String({ description: 'Key of the share link in the URL' })),
  complete: Type.Optional(
    Type.Boolean({ description: 'Whether no section or variant can follow the path of the URL' }),
  ),
  contextId: Type.Optional(
    Type.String({ description: 'Differs for visitors who may see different content' }),
  ),
  canonicalUrl: Type.Optional(Uri),
});

export const Content = named('ResolvedContent', {
  collection: Type.Optional(Collection),
  space: Type.Optional(Space),
  changeRequest: Type.Optional(ChangeRequest),
  page: Type.Optional(Page),
});

export const PublishedSiteQuery = Type.Object({ shareKey });

const Script = Type.Object({
  script: Uri,
  contentSecurityPolicy: Type.Optional(nullable(Type.String())),
  cookies: Type.Boolean(),
});

export const PublishedSite = named('PublishedSite', {
  object: Type.Literal('published-content-site'),
  site: Site,
  structure: SiteStructure,
  customizations: Type.Object({
    site: Customization,
    siteSpaces: Type.Record(Type.String(), Customization, { description: 'By site space id' }),
  }),
  scripts: Type.Array(Script, { description: 'Scripts of integrations' }),
});
