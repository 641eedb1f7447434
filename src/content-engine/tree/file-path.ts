import { findByPath, findFolder, findPage, pathOf } from './lookup.ts';
import { foldPath, ownersOf, portablePath } from './portable-path.ts';
import { sourceOf, type Tree } from './tree.ts';

/**
 * The path of an entry in the imported or exported folder. Files and reusable contents have one only if they were
 * imported. A document always has one, independent of its children, so that adding a child renames nothing. Groups,
 * links and computed pages have none.
 */
export function filePathOf(tree: Tree, id: string): string | undefined {
  const record = tree.records.get(id);
  const source = record === undefined ? undefined : sourceOf(record);
  if (source !== undefined) return source;
  if (findPage(tree, id)?.type !== 'document') return undefined;
  return freeFilePath(tree, id, pathOf(tree, id) ?? id);
}

/**
 * A free file name for a page with this path of slugs, valid on every file system. If `path.md` is taken, it is
 * `path/README.md`, which has the same slug; then a number is appended.
 */
export function freeFilePath(tree: Tree, id: string, slugs: string): string {
  const root = findFolder(tree)?.root ?? '';
  const reserved = new Set(reservedPaths(tree).map(foldPath));
  const isFree = (path: string) =>
    !reserved.has(foldPath(path)) && ownersOf(tree.sources, path).every((owner) => owner === id);
  const stem = root + portablePath(slugs);
  for (const path of [`${stem}.md`, `${stem}/README.md`]) if (isFree(path)) return path;
  for (let number = 1; ; number++) {
    const [path, owner] = [`${stem}-${number}.md`, findByPath(tree, `${slugs}-${number}`)];
    if (isFree(path) && owner === undefined) return path;
  }
}

/** The paths of the table of contents: the imported one and the default. */
export function reservedPaths(tree: Tree): string[] {
  const { root = '', summary } = findFolder(tree) ?? {};
  return [`${root}SUMMARY.md`, ...(summary ? [summary.path] : [])];
}
