import { filePathOf, findFirstPage, foldSlug, pathOf, sourceOf, type Tree } from '../tree/index.ts';
import { decode, joinPath, parseHref } from './address.ts';
import { rootOf } from './path-mapping.ts';

/**
 * Names select the hrefs that a change of the tree may affect, before they are resolved: whatever href leads to an entry
 * by its path has a `wantedName` that is among the `namesOf` the entry.
 */

const MAX_NAME = 200;

/** The name at the end of a path, without `README.md` and extensions; empty for the root. */
function nameIn(path: string): string {
  const segments = path.split('/');
  for (let segment = segments.pop(); segment !== undefined; segment = segments.pop()) {
    const name = foldSlug(segment).replace(/(?<!\.md)(?:\.md)+$/, '');
    if (name !== '' && name !== 'readme') return name.slice(0, MAX_NAME);
  }
  return '';
}

/** The name of the entry that the path of an href asks for. `dir`: the base directory of its source. */
export function wantedName(dir: string, href: string): string {
  const path = parseHref(href)?.path ?? '';
  return nameIn(joinPath(dir, decode(path)) ?? joinPath(dir, path) ?? path);
}

/** The names under which hrefs may lead to an entry by its path. */
export function namesOf(tree: Tree, id: string): Set<string> {
  const record = tree.records.get(id);
  const names = new Set([nameIn(id)]);
  const root = rootOf(tree);
  const file = record === undefined ? undefined : (sourceOf(record) ?? filePathOf(tree, id));
  if (file !== undefined) {
    const decoded = file.split('/').map(decode).join('/');
    for (const path of [file, decoded]) {
      names.add(nameIn(path));
      if (path.startsWith(root)) names.add(nameIn(path.slice(root.length)));
    }
  }
  const slugs = pathOf(tree, id);
  // Below the root, and of `/pages/…`: the slug may be `readme`.
  if (slugs !== undefined) for (const prefix of ['', root, 'pages/']) names.add(nameIn(prefix + slugs));
  if (findFirstPage(tree)?.id === id) for (const name of rootNames(tree)) names.add(name);
  return names;
}

/** The names of hrefs that lead to the first page: of the root, and of `/pages/README.md`. */
export const rootNames = (tree: Tree): string[] => ['', 'pages', nameIn(rootOf(tree))];
