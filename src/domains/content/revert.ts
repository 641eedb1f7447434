import { get } from '../../content-engine/map/index.ts';
import { revertBlocks } from '../../content-engine/markdown/index.ts';
import {
  findPage,
  isPage,
  type Change as EngineChange,
  type ContentRecord,
} from '../../content-engine/tree/index.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Change } from './batch.ts';
import type { Drafting } from './drafting.ts';
import { readText } from './objects.ts';

type Revert = Extract<Change, { operation: 'revert_page' }>;

/** The page as an older revision has it; or, of its blocks, only those that were named. */
export async function revertTo(drafting: Drafting, change: Revert, index: number): Promise<EngineChange> {
  const { load, tree, texts } = drafting;
  const root = await drafting.rootOf(change.revision);
  if (root === undefined) {
    const path = `body.changes.${index}.revision`;
    const rule = `the space has no revision ${change.revision ?? 'before this one'} to revert to`;
    throw badRequest(`${path}: ${rule}. Nothing of the batch was applied.`, [{ path, rule }]);
  }
  const found = (await get<ContentRecord>(load, root, [change.page])).get(change.page);
  const to = isPage(found) ? found : undefined;
  if (!change.block) return { operation: 'revert_page', page: change.page, to };
  const now = findPage(tree, change.page);
  if (to?.type !== 'document' || now?.type !== 'document') {
    return { operation: 'revert_page', page: change.page, to };
  }
  const [before, after] = [await readText(load, to.document), await readText(load, now.document)];
  const document = texts.add(revertBlocks(before, after, new Set(change.block)));
  return { operation: 'update_page', page: change.page, document };
}
