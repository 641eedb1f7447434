export { checkSpace, type LinkReport } from './check/check-space.ts';
export { createRequestLinkCache } from './compare-version.ts';
