import {
  findPage,
  foldSlug,
  pathOf,
  type ContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';

/** A path as addresses are compared. */
export const foldedPath = (path: string): string => path.split('/').map(foldSlug).join('/');

/** The paths that pages left by a change: of renamed and moved pages, not of the pages below them. By path. */
export function formerPaths(
  before: Tree,
  after: Tree,
  changed: ReadonlyMap<string, ContentRecord | null>,
): Map<string, string> {
  const left = new Map<string, string>();
  for (const id of changed.keys()) {
    const [then, now] = [findPage(before, id), findPage(after, id)];
    if (!then || !now) continue;
    const [old, present] = [pathOf(before, id), pathOf(after, id)];
    if (old !== undefined && present !== undefined && foldedPath(old) !== foldedPath(present))
      left.set(foldedPath(old), id);
  }
  return left;
}
