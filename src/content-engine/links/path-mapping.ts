import { findFolder, pathsIn, type Tree, type TreePaths } from '../tree/index.ts';
import { directoryOf } from './address.ts';

/** The paths of entries: in the current space, or in a folder that is being exported. */
export interface PathMapping {
  readonly tree: Tree;
  idAt(path: string): string | undefined;
  pathOf(id: string): string | undefined;
  /** Whether `/pages/<id>` resolves: an exported folder has no ids. */
  readonly knowsIds: boolean;
  /** Whether `/pages/<path>` resolves to the same page after an import. */
  readonly keepsSlugs: boolean;
}

/** `paths`: those of the tree, where the caller needs them, too. */
export const currentPaths = (tree: Tree, paths: TreePaths = pathsIn(tree)): PathMapping => ({
  tree,
  idAt: (path) => tree.sources.get(path),
  pathOf: (id) => paths.fileOf(id),
  knowsIds: true,
  keepsSlugs: true,
});

export const rootOf = (tree: Tree): string => findFolder(tree)?.root ?? '';

/** The directory of reusable contents, below the root. */
export const INCLUDES = '.gitbook/includes';

/**
 * The base directory of relative hrefs of an entry. Reusable content without a file has that of its future file;
 * redirects of the configuration and targets of link pages are relative to the root.
 */
export function baseDirectoryOf({ tree, pathOf }: PathMapping, id: string): string {
  const path = pathOf(id);
  if (path !== undefined) return directoryOf(path);
  const record = tree.records.get(id);
  const isFromRoot = record?.kind === 'folder' || (record?.kind === 'page' && record.type === 'link');
  if (isFromRoot) return rootOf(tree).replace(/\/$/, '');
  return record?.kind === 'reusable-content' ? rootOf(tree) + INCLUDES : '';
}
