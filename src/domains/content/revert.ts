import { get } from '../../content-engine/map/index.ts';
import {
  findPage,
  isPage,
  type Change as EngineChange,
  type ContentRecord,
} from '../../content-engine/tree/index.ts';
import { badRequest } from '../../platform/api/errors.ts';
import type { Change } from './batch.ts';
import type { Drafting } from './drafting.ts';
import { readText } from './objects.ts';

type Revert = Extract<Change, { operation: 'revert_page' }>;

/** As the changes before it in the batch leave them. */
interface Bodies {
  textOf(page: string): Promise<string>;
  keepBody(page: string, body: string): { document: string };
}

/** The page as an older revision has it; or, of its blocks, only those that were named. */
export async function revertTo(
  drafting: Drafting,
  change: Revert,
  index: number,
  { textOf, keepBody }: Bodies,
): Promise<EngineChange> {
  const { load, tree } = drafting;
  const root = await drafting.rootOf(change.revision);
  if (root === undefined) {
    const path = `body.changes.${index}.revision`;
    const rule = `the space has no ${change.revision === undefined ? 'earlier revision' : `revision ${change.revision}`} to revert to`;
    throw badRequest(`${path}: ${rule}. No change of the batch was applied.`, [{ path, rule }]);
  }
  const found = (await get<ContentRecord>(load, root, [change.page])).get(change.page);
  const to = isPage(found) ? found : undefined;
  // Of a page that was not there, nothing was.
  const before = to?.type === 'document' ? await readText(load, to.document) : '';
  if (!change.block || findPage(tree, change.page)?.type !== 'document') {
    keepBody(change.page, before);
    return { operation: 'revert_page', page: change.page, to };
  }
  const after = await textOf(change.page);
  const reverted = await drafting.engine.run(
    'revertBody',
    { before, after, keys: change.block },
    { size: before.length + after.length, what: `body.changes.${index}` },
  );
  if ('unknown' in reverted) {
    const path = `body.changes.${index}.block.${change.block.indexOf(reverted.unknown)}`;
    const rule = `neither the page nor the revision has a block "${reverted.unknown}"`;
    throw badRequest(`${path}: ${rule}. No change of the batch was applied.`, [{ path, rule }]);
  }
  return { operation: 'update_page', page: change.page, ...keepBody(change.page, reverted.text) };
}
