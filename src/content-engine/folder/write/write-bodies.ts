import { isSame } from '../../map/index.ts';
import { findFolder, findPage, type ContentRecord } from '../../tree/index.ts';
import type { ExportContext } from './export-context.ts';
import type { BodyFile } from './write-folder.ts';

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
 * The files of pages, as `listFiles` would list them. Undefined where the folder has no SUMMARY.md, and titles may
 * come from the names of files.
 */
export function listBodies(context: ExportContext, ids: Iterable<string>): BodyFile[] | undefined {
  if (findFolder(context.tree)?.summary === undefined) return undefined;
  const files: BodyFile[] = [];
  for (const id of ids) {
    const [record, path] = [findPage(context.tree, id), context.pathOf(id)];
    if (record?.type !== 'document' || path === undefined) continue;
    files.push({ path, record, defaultTitle: record.title });
  }
  return files;
}
