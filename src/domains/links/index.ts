export { createRequestLinkCache } from './compare-version.ts';
