export {
  rowsInsideSite,
  sites,
  siteSections,
  siteSpaces,
  VIEWABLE_SITE_SPACES,
  type SiteRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  type SiteVisibility,
} from './policy.ts';
export { publishSpace } from './publish-space.ts';
export { presentSite } from './present.ts';
export { Site } from './schema.ts';
export { presentStructure } from './structure/present.ts';
export { readStructure } from './structure/read.ts';
export { SiteStructure } from './structure/schema.ts';
