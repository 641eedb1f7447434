import { filePathOf, findFolder, type Tree } from '../tree/index.ts';
import { folderOf } from './address.ts';

/** Where paths lead: in the space as it is, or in the folder that is being written. */
export interface Folder {
  readonly tree: Tree;
  idAt(path: string): string | undefined;
  pathOf(id: string): string | undefined;
  /** Whether `/pages/<id>` means something: ids do not leave with a folder. */
  readonly knowsIds: boolean;
  /** Whether `/pages/<path>` means the same wherever it is read. */
  readonly keepsSlugs: boolean;
}

export const currentFolder = (tree: Tree): Folder => ({
  tree,
  idAt: (path) => tree.sources.get(path),
  pathOf: (id) => filePathOf(tree, id),
  knowsIds: true,
  keepsSlugs: true,
});

export const rootOf = (tree: Tree): string => findFolder(tree)?.root ?? '';

/** Where reusable contents are, below the root. */
export const INCLUDES = '.gitbook/includes';

/**
 * The folder from which the hrefs of an entry are read. Reusable content that is no file yet will be one there, and the
 * redirects of the folder's configuration are read from its root.
 */
export function dirOf({ tree, pathOf }: Folder, id: string): string {
  const path = pathOf(id);
  if (path !== undefined) return folderOf(path);
  const kind = tree.records.get(id)?.kind;
  if (kind === 'folder') return rootOf(tree).replace(/\/$/, '');
  return kind === 'reusable-content' ? rootOf(tree) + INCLUDES : '';
}
