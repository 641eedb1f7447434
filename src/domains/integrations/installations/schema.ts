import Type, { type Static } from 'typebox';
import { idOf } from '../../../platform/api/resource.ts';
import { line, listQuery, named, Timestamp, Uri } from '../../../platform/api/schema.ts';
import { organizations } from '../../organizations/index.ts';
import { Site, sites } from '../../sites/index.ts';
import { Space, spaces } from '../../spaces/index.ts';
import type { Configuration, Property } from '../policy.ts';
import { Integration, Scopes } from '../schema.ts';

export const Status = Type.Enum(['active', 'pending', 'paused'], {
  description: '`pending`: a required value of the configuration is missing',
});
const Selection = Type.Enum(['all', 'selected']);
const ExternalId = line(1, 255);
const ExternalIds = Type.Array(ExternalId, { maxItems: 5, uniqueItems: true });
const Values = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true });
const NewValues = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 100,
  description: 'Replaces the values before',
  examples: [{}],
});

export const Installation = named('IntegrationInstallation', {
  id: Type.String(),
  status: Status,
  space_selection: Selection,
  site_selection: Selection,
  spaces: Type.Integer({ description: 'Number of spaces that it covers' }),
  scopes: Type.Array(Type.String(), {
    description: 'Those of the integration that the organization accepted',
  }),
  configuration: Values,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  urls: Type.Object({ location: Uri, app: Uri, publicEndpoint: Uri, publicContentEndpoint: Uri }),
  externalIds: Type.Array(Type.String()),
  target: Type.Object({ organization: Type.String() }),
});

const contentInstallation = {
  integration: Type.String(),
  installation: Type.String(),
  status: Status,
  configuration: Values,
  externalIds: Type.Array(Type.String()),
  urls: Type.Object({ location: Uri, publicEndpoint: Uri, publicContentEndpoint: Uri }),
};
export const SpaceInstallation = named('IntegrationSpaceInstallation', {
  ...contentInstallation,
  space: Type.Union([Type.String(), Space]),
});
export const SiteInstallation = named('IntegrationSiteInstallation', {
  ...contentInstallation,
  site: Type.Union([Type.String(), Site]),
});

export const Installed = Type.Object({ installation: Installation, integration: Integration });
export const StatusOfIntegration = Type.Object({
  status: Status,
  integration: Integration,
  target: Type.Object({ type: Type.Literal('organization'), organizationId: Type.String() }),
});

export const NewInstallation = Type.Object({ organization: idOf(organizations, 'installIntegration') });
export const NewSpaceInstallation = Type.Object({ space: idOf(spaces, 'installIntegration') });
export const NewSiteInstallation = Type.Object({ siteId: idOf(sites, 'installIntegration') });

export const InstallationPatch = Type.Object({
  externalIds: Type.Optional(ExternalIds),
  configuration: Type.Optional(NewValues),
  space_selection: Type.Optional(Selection),
  site_selection: Type.Optional(Selection),
  scopes: Type.Optional({
    ...Scopes,
    description: 'Accepts these scopes of the integration, and no others',
    examples: [[]],
  }),
  status: Type.Optional(
    Type.Enum(['active', 'paused'], { description: '`paused`: its tokens end, and it receives no events' }),
  ),
});
export type InstallationPatch = Static<typeof InstallationPatch>;
export const ContentInstallationPatch = Type.Object({
  externalIds: Type.Optional(ExternalIds),
  configuration: Type.Optional(NewValues),
});
export type ContentInstallationPatch = Static<typeof ContentInstallationPatch>;

const externalId = Type.Optional({ ...ExternalId, description: 'Id that the integration has set' });
const extended = Type.Optional(
  Type.Boolean({ default: false, description: 'With the object instead of its id, if you may view it' }),
);
export const InstallationsQuery = Type.Object({ ...listQuery, externalId });
export const ContentQuery = Type.Object({ ...listQuery, extended });
export const ExternalContentQuery = Type.Object({ ...ContentQuery.properties, externalId });
export const ExtendedQuery = Type.Object({ extended });
export const SearchQuery = Type.Object({
  ...listQuery,
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name or title' })),
});
export const StatusesQuery = Type.Object({
  ...listQuery,
  target: Type.Optional(
    Type.Enum(['organization', 'space', 'site'], {
      default: 'organization',
      description: 'Installed there; with `space` and `site`, on at least one',
    }),
  ),
});

export const Token = Type.Object({ token: Type.String() });

export type Values = Readonly<Record<string, unknown>>;

/** Properties have a schema; a component has none, because it runs in the script. */
export const propertiesOf = (
  schema: Configuration | undefined,
): Readonly<Record<string, Property>> | undefined =>
  schema === undefined ? {} : 'properties' in schema ? schema.properties : undefined;

/** Whether every required property has a value, or a default. */
export function isComplete(schema: Configuration | undefined, values: Values): boolean {
  const properties = propertiesOf(schema);
  if (!properties || !schema || !('properties' in schema)) return true;
  return (schema.required ?? []).every((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return Object.hasOwn(values, name) || (property && 'default' in property);
  });
}
