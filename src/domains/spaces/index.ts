export { rowsInside, SEGMENTS, spaces, type GitSync, type SpaceRow } from './policy.ts';
export { findOpenedSite } from './find-opened-site.ts';
export { presentGitInfo, presentSpace, shareKeyOf, siteUrl, type OpenedSite } from './present.ts';
export { Embed, EMBED_DESCRIPTION, EmbedQuery, GitInfo, shareKey, Space } from './schema.ts';
export { findPublication, findSpace, findSpaces, getSpace, listAllSpaces } from './read-store.ts';
export { findStore, lockSpace, queueOfSpace, setGitSync, setStore } from './store.ts';
export { createSpaceIn, copyWithGrants } from './create.ts';
