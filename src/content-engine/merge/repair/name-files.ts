import {
  deriveTree,
  foldPath,
  freeFilePath,
  isPage,
  ownersOf,
  pathsIn,
  portablePath,
  type DocumentPage,
  type PageSource,
  type Tree,
} from '../../tree/index.ts';
import type { MergeState } from '../merge-state.ts';

type ImportedPage = DocumentPage & { readonly source: PageSource };

/**
 * Names the file of each document after its path, where the sides gave it different files. The names that these documents
 * had are free. The tree is derived once: there may be thousands.
 */
export function nameFiles(state: MergeState, tree: Tree): Tree {
  const pages = new Map<string, ImportedPage>();
  for (const id of state.unnamed) {
    const page = state.get(id);
    if (isPage(page) && page.type === 'document' && page.source) pages.set(id, page as ImportedPage);
  }
  const { slugsOf } = pathsIn(tree);
  const assigned = new Set<string>();
  const isTaken = (path: string): boolean =>
    assigned.has(foldPath(path)) || ownersOf(tree, path).some((owner) => !pages.has(owner));
  const renamed: DocumentPage[] = [];
  for (const [id, page] of pages) {
    const slugs = slugsOf(id) ?? id;
    const path = freeFilePath(tree, id, slugs, portablePath(slugs), isTaken);
    assigned.add(foldPath(path));
    const record = { ...page, source: { ...page.source, path } };
    state.set(id, record);
    renamed.push(record);
  }
  return deriveTree(
    tree,
    renamed.map((record) => [record.id, record] as const),
  );
}
