import { updateTitle } from '../../markdown/index.ts';
import {
  deriveTree,
  findFolder,
  foldSlug,
  freeFilePath,
  parentOf,
  pathOf,
  ROOT,
  slugKey,
  uniqueSlug,
  walkPages,
  type ContentRecord,
  type DocumentPage,
  type Tree,
} from '../../tree/index.ts';

const SLUG = 'readme';

/**
 * Gives a space that was not imported a README.md, which a folder needs: the first page gets that file and its slug,
 * and a page that has the slug is renamed. An imported space is returned unchanged.
 */
export function withReadmePage(tree: Tree): Tree {
  if (findFolder(tree) !== undefined) return tree;
  const first = firstIn(tree);
  if (first === undefined) return tree;
  const titleLine = `${updateTitle('', first.title)}\n`;
  const source = { ...(first.source ?? { titleLine }), path: 'README.md' };
  const changed = new Map<string, ContentRecord>();
  // On a file system that ignores case, readme.md at the root would be the same file.
  for (const parent of new Set([parentOf(tree, first.id) ?? ROOT, ROOT])) {
    const other = tree.records.get(tree.slugs.get(slugKey(parent, SLUG)) ?? '');
    if (other?.kind !== 'page' || !('slug' in other) || other.id === first.id) continue;
    changed.set(other.id, renamed(tree, parent, other));
  }
  changed.set(first.id, { ...first, slug: SLUG, source });
  return deriveTree(tree, changed);
}

function firstIn(tree: Tree): DocumentPage | undefined {
  for (const { page } of walkPages(tree)) if (page.type === 'document') return page;
  return undefined;
}

function renamed<P extends Extract<ContentRecord, { slug: string }>>(tree: Tree, parent: string, page: P): P {
  const isTaken = (folded: string) => tree.slugs.has(slugKey(parent, folded)) || folded === foldSlug(SLUG);
  const slug = uniqueSlug(SLUG, isTaken, { isAtRoot: parent === ROOT });
  if (page.type !== 'document' || page.source === undefined) return { ...page, slug };
  const above = parent === ROOT ? '' : `${pathOf(tree, parent) ?? parent}/`;
  return { ...page, slug, source: { ...page.source, path: freeFilePath(tree, page.id, above + slug) } };
}
