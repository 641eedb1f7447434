import { freeFilePath } from './file-path.ts';
import { findPage, parentOf } from './lookup.ts';
import { portablePath } from './portable-path.ts';
import { hasSlug } from './records.ts';
import { sourceOf, type Tree } from './tree.ts';

/** The paths of many entries of one tree. */
export interface TreePaths {
  /** The same as `pathOf`. */
  slugsOf(id: string): string | undefined;
  /** The same as `filePathOf`. */
  fileOf(id: string): string | undefined;
}

/** Each directory and each generated name is computed once. Without that, a page costs the length of its path, at a depth of up to 32. */
export function pathsIn(tree: Tree): TreePaths {
  const slugsAbove = directoriesIn(tree, (slug) => slug);
  const namesAbove = directoriesIn(tree, portablePath);
  const slugsOf = (id: string): string | undefined => {
    const page = findPage(tree, id);
    return page !== undefined && hasSlug(page) ? slugsAbove(id) + page.slug : undefined;
  };
  const generated = new Map<string, string>();
  const fileOf = (id: string): string | undefined => {
    const record = tree.records.get(id);
    const source = record === undefined ? undefined : sourceOf(record);
    if (source !== undefined) return source;
    const page = findPage(tree, id);
    if (page?.type !== 'document') return undefined;
    let path = generated.get(id);
    if (path === undefined) {
      path = freeFilePath(tree, id, slugsAbove(id) + page.slug, namesAbove(id) + portablePath(page.slug));
      generated.set(id, path);
    }
    return path;
  };
  return { slugsOf, fileOf };
}

/**
 * The path of an entry in the imported or exported folder. Files and reusable contents have one only if they were
 * imported. A document always has one, independent of its children, so that adding a child renames nothing. Groups,
 * links and computed pages have none.
 */
export const filePathOf = (tree: Tree, id: string): string | undefined => pathsIn(tree).fileOf(id);

/** The path of the parent of a page, with a slash at its end. */
function directoriesIn(tree: Tree, nameOf: (slug: string) => string): (id: string) => string {
  const known = new Map<string, string>();
  return function directoryOf(id: string): string {
    const parent = parentOf(tree, id);
    if (parent === undefined) return '';
    let directory = known.get(parent);
    if (directory === undefined) {
      const page = findPage(tree, parent);
      directory = directoryOf(parent) + (page !== undefined && hasSlug(page) ? `${nameOf(page.slug)}/` : '');
      known.set(parent, directory);
    }
    return directory;
  };
}
