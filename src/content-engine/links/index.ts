/**
 * Resolves the hrefs of a body. Stored Markdown is never rewritten: a record has a table of the link targets at the time
 * of writing, and reading it rewrites exactly those hrefs that no longer lead to their targets. Pure.
 */
export { hrefOf } from './href-by-id.ts';
export { decode, encodePath, directoryOf, isExternal, joinPath, parseHref, relativePath } from './address.ts';
export { currentPaths, baseDirectoryOf, INCLUDES, rootOf, type PathMapping } from './path-mapping.ts';
export { resolveHref, resolveIn, type Refs } from './resolve-href.ts';
export { spellHref } from './spell-href.ts';
export {
  currentHrefs,
  hrefById,
  linkTable,
  movedHrefs,
  resolverOf,
  hrefReplacements,
  targetOf,
  targetsOf,
  type Targets,
} from './link-table.ts';
