import { effectiveCustomization, findOverrides } from '../../domains/customization/index.ts';
import {
  forReaders,
  type PublishedSite,
  type ReadContext,
  type ReaderCustomization,
} from './published-site.ts';

/** The approximate size of an entry without any settings. */
const OVERHEAD = 2048;

/**
 * The settings of pages of a site space. Those of its own are not read with the site: a site may have a thousand, of which
 * readers need a few. The version of the site changes with them.
 */
export async function readCustomization(
  { db, caches }: ReadContext,
  site: PublishedSite,
  siteSpaceId: string | undefined,
): Promise<ReaderCustomization> {
  if (siteSpaceId === undefined || !site.customizedSpaces.has(siteSpaceId)) return site.customization;
  const { customizations } = caches.sites;
  const key = `${site.id} ${site.version} ${siteSpaceId}`;
  const cached = customizations.get(key);
  if (cached) return cached;
  const { settings, size } = await findOverrides(db, siteSpaceId);
  const found = forReaders(effectiveCustomization(site.ownSettings, settings));
  // It shares the settings of the site, and keeps them after the site has changed.
  customizations.set(key, found, { size: size + site.ownSettingsSize + OVERHEAD });
  return found;
}
