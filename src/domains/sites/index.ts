export {
  rowsInsideSite,
  SITE_ROLE,
  sites,
  siteSections,
  siteSpaces,
  VIEWABLE_SITE_SPACES,
  type SiteRow,
  type SiteSectionGroupRow,
  type SiteSectionRow,
  type SiteVisibility,
} from './policy.ts';
export { publishSpace } from './publish-space.ts';
export { presentSite } from './present.ts';
export { Site, SitePath } from './schema.ts';
export { scopeIn } from './search-scope.ts';
export { newSiteSecret, openSiteSecret, sealSiteSecret } from './site-secret.ts';
export type { SiteSearch } from './search-schema.ts';
export { presentStructure, type SiteView } from './structure/present.ts';
export { readStructure } from './structure/read.ts';
export { SiteStructure } from './structure/schema.ts';
