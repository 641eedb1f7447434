import { get } from '../../content-engine/map/index.ts';
import { revertBlocks, unknownBlocks } from '../../content-engine/revert/index.ts';
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
  if (now?.type !== 'document') return { operation: 'revert_page', page: change.page, to };
  // Of a page that was not there, nothing was.
  const before = to?.type === 'document' ? await readText(load, to.document) : '';
  const after = await readText(load, now.document);
  const [unknown] = unknownBlocks(before, after, change.block);
  if (unknown !== undefined) {
    const path = `body.changes.${index}.block.${change.block.indexOf(unknown)}`;
    const rule = `neither the page nor the revision has a block "${unknown}"`;
    throw badRequest(`${path}: ${rule}. Nothing of the batch was applied.`, [{ path, rule }]);
  }
  const document = texts.add(revertBlocks(before, after, new Set(change.block)));
  return { operation: 'update_page', page: change.page, document };
}
