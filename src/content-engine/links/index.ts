/**
 * Resolves the hrefs of a body. Stored Markdown is never rewritten: a record has a table of the link targets at the
 * time of writing, and reading it rewrites exactly those hrefs that no longer lead to their targets. Pure.
 */
export { hrefById, hrefOf, targetOf } from './href-by-id.ts';
export { decode, directoryOf, encodePath, isExternal, joinPath, parseHref, relativePath } from './address.ts';
export { baseDirectoryOf, currentPaths, INCLUDES, rootOf, type PathMapping } from './path-mapping.ts';
export { resolveHref, resolveIn, withoutFileName } from './resolve-href.ts';
export { namesIn, rootNames, wantedName } from './link-names.ts';
export { isPresent, type Entry, type EntryKind, type LinkTarget } from './link-target.ts';
export { linkResolver } from './resolve-link.ts';
export {
  MAX_HREFS,
  outgoingLinks,
  targetOfLinkPage,
  type BodyHrefs,
  type OutgoingLink,
  type Relation,
} from './outgoing-links.ts';
export { hrefReplacements, linkTable, movedHrefs, resolverOf } from './link-table.ts';
