import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import { get } from '../../../content-engine/map/index.ts';
import { revertBlocks, unknownBlocks } from '../../../content-engine/merge/index.ts';
import {
  findPage,
  isPage,
  type Change as EngineChange,
  type ContentRecord,
} from '../../../content-engine/tree/index.ts';
import { badRequest } from '../../../platform/api/errors.ts';
import type { Change } from './batch.ts';
import type { BatchContext } from './batch-context.ts';
import { readText, runTask } from '../../content-store/index.ts';
import type { SentBodies } from './sent-bodies.ts';

type Revert = Extract<Change, { operation: 'revert_page' }>;

/** Reverts a page to an older revision, or only the blocks of it that are named. */
export async function revertPage(
  context: BatchContext,
  bodies: SentBodies,
  index: number,
  change: Revert,
): Promise<EngineChange> {
  const { load, tree } = context;
  const root = await context.rootOf(change.revision);
  if (root === undefined) {
    const path = `body.changes.${index}.revision`;
    const rule = `the space has no ${change.revision === undefined ? 'earlier revision' : `revision ${change.revision}`} to revert to`;
    throw badRequest(`${path}: ${rule}. No change of the batch was applied.`, [{ path, rule }]);
  }
  const found = (await get<ContentRecord>(load, root, [change.page])).get(change.page);
  const to = isPage(found) ? found : undefined;
  // A page that did not exist then reverts to nothing.
  const before = to?.type === 'document' ? await readText(load, to.document) : '';
  if (!change.block || findPage(tree, change.page)?.type !== 'document') {
    bodies.add(change.page, before);
    return { operation: 'revert_page', page: change.page, to };
  }
  const after = await bodies.textOf(change.page);
  const { block } = change;
  const work = { size: sizeOfText(before, after), what: `body.changes.${index}` };
  const reverted = runTask(context, work, () => {
    const [unknown] = unknownBlocks(before, after, block);
    if (unknown === undefined) return revertBlocks(before, after, new Set(block));
    const path = `body.changes.${index}.block.${block.indexOf(unknown)}`;
    const rule = `neither the page nor the revision has a block "${unknown}"`;
    throw badRequest(`${path}: ${rule}. No change of the batch was applied.`, [{ path, rule }]);
  });
  return { operation: 'update_page', page: change.page, ...bodies.add(change.page, reverted) };
}
