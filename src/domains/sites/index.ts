export {
  rowsInsideSite,
  sites,
  siteSections,
  siteSpaces,
  type SiteRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  type SiteVisibility,
} from './policy.ts';
export { publishSpace } from './publish-space.ts';
