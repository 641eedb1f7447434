import { findByPath, findFolder } from '../lookup.ts';
import { freeNumber } from './free-number.ts';
import { foldPath, ownersOf, portablePath } from './portable-path.ts';
import { sourceOf, type Tree } from '../tree.ts';

/**
 * A free file name for a page with this path of slugs, valid on every file system. If `path.md` is taken, it is
 * `path/README.md`, which has the same slug; then a number is appended. `isTaken`: by another entry.
 */
export function freeFilePath(
  tree: Tree,
  id: string,
  slugs: string,
  portable: string = portablePath(slugs),
  isTaken = (path: string): boolean => ownersOf(tree, path).some((owner) => owner !== id),
): string {
  const root = findFolder(tree)?.root ?? '';
  const reserved = new Set(reservedPaths(tree).map(foldPath));
  const isFree = (path: string) => !reserved.has(foldPath(path)) && !isTaken(path);
  const stem = root + portable;
  const extension = extensionOf(tree, id);
  for (const path of [`${stem}${extension}`, `${stem}/README${extension}`]) if (isFree(path)) return path;
  const numbered = (number: number) => `${stem}-${number}${extension}`;
  return numbered(
    freeNumber((number) => isFree(numbered(number)) && findByPath(tree, `${slugs}-${number}`) === undefined),
  );
}

/** A page of MDX remains one. */
function extensionOf({ records }: Tree, id: string): string {
  const record = records.get(id);
  const source = record === undefined ? undefined : sourceOf(record);
  return source !== undefined && /\.mdx$/i.test(source) ? '.mdx' : '.md';
}

/** The paths of the table of contents: the imported one and the default. */
export function reservedPaths(tree: Tree): string[] {
  const { root = '', summary } = findFolder(tree) ?? {};
  return [`${root}SUMMARY.md`, ...(summary ? [summary.path] : [])];
}
