import Type from 'typebox';
import { needsScope } from '../../platform/api/scope.ts';
import { idOf } from '../../platform/api/resource.ts';
import { line, listQuery, named, nullable, Timestamp, Uri } from '../../platform/api/schema.ts';
import { organizations } from '../organizations/index.ts';
import { spaces } from '../spaces/index.ts';
import { sites, siteSections, siteSpaces } from './policy.ts';

export const SitePath = Type.Object({
  organizationId: idOf(organizations, 'view'),
  siteId: idOf(sites, 'view'),
});

const SiteType = Type.Enum(['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium']);
const SiteVisibility = Type.Enum(['public', 'unlisted', 'share-link', 'visitor-auth'], {
  description:
    '`public`: everyone, and search engines; `unlisted`: everyone; `share-link`: with the key of a share link; ' +
    '`visitor-auth`: with a signed JWT',
});
const AgentsContext = Type.Enum(['excluded', 'included']);
const AdaptiveContent = Type.Object({ enabled: Type.Boolean() });
/** Checked further by `requirePath`. */
export const Path = Type.String({ minLength: 1, maxLength: 100, description: 'One segment of a URL' });
export const published = Type.Object({
  published: Type.Optional({ ...Uri, description: 'If the site is published' }),
});

const SiteIcon = Type.Object(
  {
    icon: Type.Optional(Type.Object({ light: Type.String(), dark: Type.String() })),
    emoji: Type.Optional(Type.String()),
  },
  { description: 'The favicon of its customization. `null`: the default icon' },
);

export const Site = named('Site', {
  object: Type.Literal('site'),
  id: Type.String(),
  type: SiteType,
  appliedType: { ...SiteType, description: 'Always equal to `type`' },
  title: Type.String(),
  icon: nullable(SiteIcon),
  hostname: Type.Optional(Type.String()),
  basename: Type.String({ description: 'Path of the site on the default address' }),
  proxy: Type.Optional(Type.Object({ origin: Type.String(), target: Type.String() })),
  visibility: SiteVisibility,
  defaultLevel: Type.Null({ description: 'Members have no role on a site without a grant' }),
  published: Type.Boolean(),
  siteSpaces: Type.Number({ description: 'Number of spaces that the site shows' }),
  createdAt: Timestamp,
  adaptiveContent: AdaptiveContent,
  agentsContext: AgentsContext,
  features: Type.Array(Type.Object({}), { description: 'Always empty: no feature depends on a plan' }),
  urls: Type.Object({
    location: Uri,
    app: Uri,
    ...published.properties,
    preview: {
      ...Uri,
      description: 'Of previews, which need the token that `publishing/preview` adds to it',
    },
  }),
  permissions: Type.Object({
    view: Type.Boolean(),
    access: Type.Boolean(),
    edit: Type.Boolean(),
    create: Type.Boolean(),
    admin: Type.Boolean(),
    installIntegration: Type.Boolean(),
    viewAdaptiveSchema: Type.Boolean(),
    editAdaptiveSchema: Type.Boolean(),
  }),
});

export const SitesQuery = Type.Object({
  ...listQuery,
  space: Type.Optional(idOf(spaces, 'view')),
  title: Type.Optional(
    Type.String({ maxLength: 128, description: 'Substring of the title, case-insensitive' }),
  ),
  published: Type.Optional(Type.Boolean({ description: 'Only sites that are published, or that are not' })),
  type: Type.Optional(Type.Array(SiteType, { maxItems: 6, description: 'Only sites of these types' })),
});

export const NewSite = Type.Object({
  type: Type.Optional({ ...SiteType, description: 'Default: `basic`. It has no effect' }),
  title: Type.Optional(line(2, 128)),
  visibility: Type.Optional(SiteVisibility),
  spaces: Type.Optional(
    Type.Array(idOf(spaces, 'admin', { scope: 'space:permissions:write' }), { maxItems: 100 }),
  ),
});

export const SitePatch = Type.Object({
  title: Type.Optional(line(2, 128)),
  visibility: Type.Optional(needsScope('site:publish', SiteVisibility)),
  basename: Type.Optional({ ...Path, examples: [undefined] }),
  adaptiveContent: Type.Optional(AdaptiveContent),
  agentsContext: Type.Optional(AgentsContext),
  defaultSiteSpace: Type.Optional(idOf(siteSpaces, 'admin')),
  defaultSiteSection: Type.Optional(idOf(siteSections, 'admin')),
  proxy: Type.Optional(
    nullable(
      Type.String({
        maxLength: 512,
        pattern: '^([A-Za-z0-9_-]+\\.)+[A-Za-z]{2,}(/[A-Za-z0-9_-]+)+$',
        description: 'Host and path of a proxy in front of the site, without a scheme',
        examples: ['company.example/docs'],
      }),
    ),
  ),
});
