export { checkSpace, type LinkReport, type ReportedUrl } from './check-space.ts';
export { createRequestLinkCache } from './compare-version.ts';
