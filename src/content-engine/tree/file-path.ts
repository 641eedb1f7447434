import { findByPath, findFolder, findPage, pathOf } from './lookup.ts';
import { foldPath, ownersOf, portablePath } from './portable-path.ts';
import { sourceOf, type Tree } from './tree.ts';

/**
 * The file an entry is, in the folder that the space came from or could be written to. Files and reusable contents have
 * one only if they came from one; a page always has, and it does not depend on what stands below the page: adding a
 * child moves nothing. Groups, links and computed pages are no files.
 */
export function filePathOf(tree: Tree, id: string): string | undefined {
  const record = tree.records.get(id);
  const source = record === undefined ? undefined : sourceOf(record);
  if (source !== undefined) return source;
  if (findPage(tree, id)?.type !== 'document') return undefined;
  return freeFilePath(tree, id, pathOf(tree, id) ?? id);
}

/**
 * The file for a page with this path of slugs, on any file system. Where another entry came from a file of that name, it
 * is the file of a folder, which is read as the same slug; then a number is added.
 */
export function freeFilePath(tree: Tree, id: string, slugs: string): string {
  const root = findFolder(tree)?.root ?? '';
  const reserved = new Set(reservedPaths(tree).map(foldPath));
  const isFree = (path: string) =>
    !reserved.has(foldPath(path)) && ownersOf(tree.sources, path).every((owner) => owner === id);
  const stem = root + portablePath(slugs);
  for (const path of [`${stem}.md`, `${stem}/README.md`]) if (isFree(path)) return path;
  for (let number = 1; ; number++) {
    const [path, isOthers] = [`${stem}-${number}.md`, findByPath(tree, `${slugs}-${number}`)];
    if (isFree(path) && isOthers === undefined) return path;
  }
}

/** Where the table of contents is or would be written. */
export function reservedPaths(tree: Tree): string[] {
  const { root = '', summary } = findFolder(tree) ?? {};
  return [`${root}SUMMARY.md`, ...(summary ? [summary.path] : [])];
}
