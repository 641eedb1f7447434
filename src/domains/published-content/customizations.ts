import type { Context } from '../../platform/api/context.ts';
import { tooLarge } from '../../platform/api/errors.ts';
import {
  effectiveCustomization,
  findSiteCustomization,
  listOverrides,
  sizeOfOverrides,
} from '../customization/index.ts';

/** The limit of all site spaces of a site: parsed, they take several times as much memory. */
const MAX_OVERRIDES_BYTES = 16 * 1024 * 1024;

/** The settings of a site, and those of these site spaces. */
export async function readCustomizations({ db }: Context, siteId: string, siteSpaceIds: readonly string[]) {
  const { settings } = await findSiteCustomization(db, siteId);
  if ((await sizeOfOverrides(db, siteId)) > MAX_OVERRIDES_BYTES)
    throw tooLarge(
      'The customizations of the site spaces of this site exceed 16 MB. Get them one by one: ' +
        '`GET /v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization`.',
    );
  const overrides = await listOverrides(db, siteId);
  const ofSite = effectiveCustomization(settings);
  const customizationOf = (siteSpaceId: string) => {
    const own = overrides.get(siteSpaceId);
    return own ? effectiveCustomization(settings, own) : ofSite;
  };
  return {
    site: ofSite,
    siteSpaces: Object.fromEntries(siteSpaceIds.map((id) => [id, customizationOf(id)])),
  };
}
