import Type from 'typebox';
import { tooLarge } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { organizations } from '../organizations/index.ts';
import { sites } from '../sites/index.ts';
import { completeLinks } from './complete-links.ts';
import { differencesFromDefaults, effectiveCustomization, patchedOverrides } from './merge-settings.ts';
import { withSwitches } from './page-actions.ts';
import { customizedSites, customizedSiteSpaces, type CustomizedSiteSpaceRow } from './policy.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';

const organizationId = idOf(organizations, 'view');
const SitePath = Type.Object({ organizationId, siteId: idOf(customizedSites, 'view') });
const SiteSpacePath = Type.Object({
  organizationId,
  siteId: idOf(sites, 'view'),
  siteSpaceId: idOf(customizedSiteSpaces, 'view'),
});
const mayOnSite = on(customizedSites);
const mayOnSiteSpace = on(customizedSiteSpaces);

/** The limit of the settings of a site, and of those of a site space. Every page of the site is made from them. */
const MAX_SETTINGS_BYTES = 256 * 1024;

function requireModerateSize(settings: schema.PartialCustomization): void {
  if (Buffer.byteLength(JSON.stringify(settings)) > MAX_SETTINGS_BYTES)
    throw tooLarge(
      `The settings exceed ${MAX_SETTINGS_BYTES / 1024} kB. Set fewer or shorter links in \`header\` and \`footer\`.`,
    );
}

export const getSiteCustomizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/customization',
  summary: 'Get the customization of a site',
  description: 'Settings that were never set have their default.',
  scope: 'site:read',
  params: SitePath,
  status: 200,
  response: schema.Customization,
  access: mayOnSite('view'),
  version: (site) => site.site_settings_version,
  handle: async ({ target }) => effectiveCustomization(target.site_settings ?? {}),
});

export const updateSiteCustomizationById = operation({
  method: 'PUT',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/customization',
  summary: 'Update the customization of a site',
  description:
    'Replaces all settings: those that are left out get their default. A link without a space leads into the space of the default site space.',
  scope: 'site:write',
  params: SitePath,
  body: schema.NewCustomization,
  status: 200,
  response: schema.Customization,
  access: mayOnSite('admin'),
  version: (site) => site.site_settings_version,
  handle: async ({ ctx, target, body }) => {
    const given = withSwitches(body, effectiveCustomization(target.site_settings ?? {}));
    const settings = differencesFromDefaults(completeLinks(given, target.default_space_id ?? undefined));
    requireModerateSize(settings);
    await store.putSiteCustomization(ctx.db, target.site_id, settings);
    return effectiveCustomization(settings);
  },
});

const presented = (row: CustomizedSiteSpaceRow, overrides: schema.PartialCustomization) => ({
  ...effectiveCustomization(row.site_settings ?? {}, overrides),
  hasOverrides: Object.keys(overrides).length > 0,
});

export const getSiteSpaceCustomizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
  summary: 'Get the customization of a site space',
  description: 'Its own settings, and those of the site where it has none.',
  scope: 'site:read',
  params: SiteSpacePath,
  status: 200,
  response: schema.SiteSpaceCustomization,
  access: mayOnSiteSpace('view'),
  version: (siteSpace) => `${siteSpace.site_settings_version}.${siteSpace.overrides_version}`,
  handle: async ({ target }) => presented(target, target.overrides ?? {}),
});

export const overrideSiteSpaceCustomizationById = operation({
  method: 'PATCH',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
  summary: 'Update the customization of a site space',
  description:
    'Overrides settings of the site. `null` removes an override; settings that are left out stay as they are. A link without a space leads into the space of the site space.',
  scope: 'site:write',
  params: SiteSpacePath,
  body: schema.CustomizationPatch,
  status: 200,
  response: schema.SiteSpaceCustomization,
  access: mayOnSiteSpace('admin'),
  version: (siteSpace) => `${siteSpace.site_settings_version}.${siteSpace.overrides_version}`,
  handle: async ({ ctx, target, body }) => {
    const stored = await store.lockOverrides(ctx.db, target.site_space_id);
    const given = withSwitches(body, effectiveCustomization(target.site_settings ?? {}, stored));
    const overrides = patchedOverrides(stored, completeLinks(given, target.space_id));
    requireModerateSize(overrides);
    if (Object.keys(overrides).length === 0) await store.deleteOverrides(ctx.db, target.site_space_id);
    else await store.putOverrides(ctx.db, target, overrides);
    return presented(target, overrides);
  },
});

export const deleteSiteSpaceCustomizationById = operation({
  method: 'DELETE',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
  summary: 'Remove all overrides of a site space',
  scope: 'site:write',
  params: SiteSpacePath,
  status: 205,
  access: mayOnSiteSpace('admin'),
  version: (siteSpace) => `${siteSpace.site_settings_version}.${siteSpace.overrides_version}`,
  handle: async ({ ctx, target }) => {
    await store.deleteOverrides(ctx.db, target.site_space_id);
  },
});
