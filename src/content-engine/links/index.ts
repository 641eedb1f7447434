/**
 * What the hrefs of a body mean. Stored Markdown is never rewritten: a record keeps a table of where its links led when
 * they were written, and on the way out exactly those are spelled anew that no longer lead there. Pure.
 */
export { hrefOf } from './href-by-id.ts';
export { decode, encodePath, folderOf, isOutside, joinPath, readAddress, relativePath } from './address.ts';
export { currentFolder, dirOf, INCLUDES, rootOf, type Folder } from './path-mapping.ts';
export { resolveHref, resolveIn, type Refs } from './resolve-href.ts';
export { spellHref } from './spell-href.ts';
export {
  currentHrefs,
  hrefById,
  linkTable,
  movedHrefs,
  resolverOf,
  respelled,
  targetOf,
  targetsOf,
  type Targets,
} from './link-table.ts';
