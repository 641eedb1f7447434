import { isSame, type Hash } from '../map/index.ts';
import { findFolder, findPage, type ContentRecord, type Tree } from '../tree/index.ts';
import { newExport } from './export-context.ts';
import type { WrittenFile } from './write-folder.ts';
import { writePage } from './write-page.ts';

/** What may differ between two records whose files differ in their bodies alone. */
const OF_BODY = new Set(['document', 'links', 'updatedAt']);

/** Whether two versions of an entry differ in the body of a page alone: no path, title or entry of SUMMARY.md changes. */
export function isBodyChange(before: ContentRecord | undefined, after: ContentRecord | undefined): boolean {
  if (before?.kind !== 'page' || after?.kind !== 'page' || after.type !== 'document') return false;
  return isSame(withoutBody(before), withoutBody(after));
}

const withoutBody = (record: ContentRecord): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !OF_BODY.has(name)));

/**
 * The files of pages, as `writeFolder` would write them. Undefined where the folder has no SUMMARY.md, and titles may come
 * from the names of files.
 */
export function writeBodies(
  tree: Tree,
  ids: Iterable<string>,
  textOf: (hash: Hash) => string,
): WrittenFile[] | undefined {
  if (findFolder(tree)?.summary === undefined) return undefined;
  const context = newExport(tree, textOf);
  return [...ids].flatMap((id): WrittenFile[] => {
    const [page, path] = [findPage(context.tree, id), context.pathOf(id)];
    if (page?.type !== 'document' || path === undefined) return [];
    return [{ path, text: writePage(context, page, page.title) }];
  });
}
