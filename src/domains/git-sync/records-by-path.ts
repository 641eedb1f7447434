import { folderPathsInSteps } from '../../content-engine/folder/index.ts';
import { eachInSteps } from '../../content-engine/in-steps.ts';
import type { ContentRecord, Tree } from '../../content-engine/tree/index.ts';
import { inSlices } from '../../platform/threads/slices.ts';

/** Pages, reusable contents and files by the paths that they have in a folder. */
export const recordsByPath = (tree: Tree): Promise<Map<string, ContentRecord>> =>
  inSlices(recordsInSteps(tree));

function* recordsInSteps(tree: Tree): Generator<void, Map<string, ContentRecord>, void> {
  const records = new Map<string, ContentRecord>();
  yield* eachInSteps(yield* folderPathsInSteps(tree), ([id, path]) => {
    const record = tree.records.get(id);
    if (record) records.set(path, record);
  });
  return records;
}
