import { folderPaths } from '../../content-engine/folder/index.ts';
import type { ContentRecord, Tree } from '../../content-engine/tree/index.ts';

/** Pages, reusable contents and files by the paths that they have in a folder. */
export function recordsByPath(tree: Tree): Map<string, ContentRecord> {
  const records = new Map<string, ContentRecord>();
  for (const [id, path] of folderPaths(tree)) {
    const record = tree.records.get(id);
    if (record) records.set(path, record);
  }
  return records;
}
