import { freeFilePath } from './file-path.ts';
import { childrenOf, findFolder, findPage, parentOf } from '../lookup.ts';
import { portablePath } from './portable-path.ts';
import { hasSlug, type PageRecord } from '../records.ts';
import { chosenSlug, slugOf } from './slug.ts';
import { sourceOf, type Tree } from '../tree.ts';

/** The paths of many entries of one tree. */
export interface TreePaths {
  /** The same as `pathOf`. */
  slugsOf(id: string): string | undefined;
  /** The same as `filePathOf`. */
  fileOf(id: string): string | undefined;
  /** Where a new file below a page belongs: without the root of the folder, with a slash at its end. */
  directoryBelow(parent: string | undefined): string;
}

/** Each directory and each generated name is computed once. Without that, a page costs the length of its path, at a depth of up to 32. */
export function pathsIn(tree: Tree): TreePaths {
  const slugsBelow = directoriesIn(tree, (page, above) => `${above}${page.slug}/`);
  const directoryBelow = directoriesIn(
    tree,
    (page, above) => spelledDirectory(tree, page) ?? `${above}${portablePath(page.slug)}/`,
  );
  const slugsAbove = (id: string) => slugsBelow(parentOf(tree, id));
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
      const directory = directoryBelow(parentOf(tree, id));
      path = freeFilePath(tree, id, slugsAbove(id) + page.slug, directory + portablePath(page.slug));
      generated.set(id, path);
    }
    return path;
  };
  return { slugsOf, fileOf, directoryBelow };
}

/**
 * The path of an entry in the imported or exported folder. Files and reusable contents have one only if they were
 * imported. A document always has one, independent of its children, so that adding a child renames nothing. Groups,
 * links and computed pages have none.
 */
export const filePathOf = (tree: Tree, id: string): string | undefined => pathsIn(tree).fileOf(id);

type Directory = (parent: string | undefined) => string;

/** The path of the subpages of a page, with a slash at its end. A page without a slug adds nothing to it. */
function directoriesIn(tree: Tree, below: (page: SluggedPage, above: string) => string): Directory {
  const known = new Map<string, string>();
  return function directoryBelow(parent): string {
    if (parent === undefined) return '';
    let directory = known.get(parent);
    if (directory === undefined) {
      const page = findPage(tree, parent);
      const above = directoryBelow(parentOf(tree, parent));
      directory = page !== undefined && hasSlug(page) ? below(page, above) : above;
      known.set(parent, directory);
    }
    return directory;
  };
}

type SluggedPage = Extract<PageRecord, { slug: string }>;

/**
 * The directory of the subpages of a page as the folder spells it: beside its README.md, named as its file, or, of a page
 * without a file, that of its subpages. Undefined: the folder has none.
 */
function spelledDirectory(tree: Tree, page: SluggedPage): string | undefined {
  const root = findFolder(tree)?.root ?? '';
  const inFolder = (id: string): string | undefined => {
    const record = tree.records.get(id);
    const path = record === undefined ? undefined : sourceOf(record);
    return path?.startsWith(root) === true ? path.slice(root.length) : undefined;
  };
  const own = inFolder(page.id);
  if (own !== undefined) {
    const [, directory = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(own) ?? [];
    if (!IS_README.test(name)) return `${directory}${name.replace(/\.[^.]*$/, '')}/`;
    // The subpages of the first page are not at the root.
    return directory === '' ? undefined : directory;
  }
  for (const child of childrenOf(tree, page.id).slice(0, MAX_SUBPAGES)) {
    const path = inFolder(child);
    if (path === undefined) continue;
    const directory = path.slice(0, path.lastIndexOf('/') + 1);
    const name = directory.slice(0, -1).split('/').at(-1) ?? '';
    return [slugOf(name), chosenSlug(name)].includes(page.slug) ? directory : undefined;
  }
  return undefined;
}

const IS_README = /^readme\.mdx?$/i;
/** Subpages that are asked for their directory: there may be thousands, and none of them may have a file. */
const MAX_SUBPAGES = 20;
