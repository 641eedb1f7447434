import { findFirstPage, foldSlug, pathsIn, type Tree, type TreePaths } from '../tree/index.ts';
import { decode, joinPath, parseHref } from './address.ts';
import { rootOf } from './path-mapping.ts';

/**
 * Names select the hrefs that a change of the tree may affect, before they are resolved: whatever href leads to an entry
 * by its path has a `wantedName` that is among the `namesOf` the entry.
 */

const MAX_NAME = 200;

/** The name at the end of a path, without `README.md` and extensions; empty for the root. */
function nameIn(path: string): string {
  for (let end = path.length; end >= 0;) {
    const slash = end === 0 ? -1 : path.lastIndexOf('/', end - 1);
    const name = foldSlug(path.slice(slash + 1, end)).replace(/(?<!\.md)(?:\.md)+$/, '');
    if (name !== '' && name !== 'readme') return name.slice(0, MAX_NAME);
    end = slash;
  }
  return '';
}

/** The name of the entry that the path of an href asks for. `dir`: the base directory of its source. */
export function wantedName(dir: string, href: string): string {
  const path = parseHref(href)?.path ?? '';
  return nameIn(joinPath(dir, decode(path)) ?? joinPath(dir, path) ?? path);
}

/** Returns the names under which hrefs may lead to an entry by its path. For many entries of one tree. */
export function namesIn(tree: Tree, paths: TreePaths = pathsIn(tree)): (id: string) => Set<string> {
  const root = rootOf(tree);
  const first = findFirstPage(tree)?.id;
  return (id) => {
    const names = new Set([nameIn(id)]);
    const file = paths.fileOf(id);
    if (file !== undefined) {
      const decoded = file.includes('%') ? file.split('/').map(decode).join('/') : file;
      const spelled = [file, decoded].flatMap((path) => [path, path.replace(/\.mdx$/i, '')]);
      for (const path of new Set(spelled)) {
        names.add(nameIn(path));
        if (path.startsWith(root)) names.add(nameIn(path.slice(root.length)));
      }
    }
    const slugs = paths.slugsOf(id);
    // Below the root, and of `/pages/…`: the slug may be `readme`.
    if (slugs !== undefined) for (const prefix of ['', root, 'pages/']) names.add(nameIn(prefix + slugs));
    if (first === id) for (const name of rootNames(tree)) names.add(name);
    return names;
  };
}

/** The names of hrefs that lead to the first page: of the root, and of `/pages/README.md`. */
export const rootNames = (tree: Tree): string[] => ['', 'pages', nameIn(rootOf(tree))];
