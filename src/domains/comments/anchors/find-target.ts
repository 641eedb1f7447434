import { findPage, type Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { badRequest, notFound } from '../../../platform/api/errors.ts';
import { readTree, loaderOf, readText } from '../../content-store/index.ts';
import { type ContentRow } from '../../revisions/index.ts';
import { carryKeys, findBlocks, targetNode, type AnchorBlock } from './anchor-blocks.ts';
import { hasCell } from './anchor-cells.ts';
import type { TargetCell } from '../policy.ts';
import { presentTargetPage } from '../present.ts';
import type { Target } from '../store/store.ts';

interface Asked {
  readonly page?: string | undefined;
  readonly node?: string | undefined;
  readonly tableCell?: TargetCell | undefined;
}

export interface FoundTarget {
  readonly target: Target;
  /** Undefined where the target is the whole space or change request. */
  readonly tree: Tree | undefined;
}

/** The whole space or change request. */
export const WHOLE: Target = { page: null, node: null, table_cell: null, outdated: false };

/**
 * Finds the target of a new comment in the current content. `seen`: the revision that its author read.
 */
export async function findTarget(
  ctx: Context,
  content: ContentRow,
  asked: Asked,
  seen: ContentRow | undefined,
): Promise<FoundTarget> {
  if (asked.page === undefined) {
    if (asked.node !== undefined) throw refused('node', 'needs `page`, the page that contains the block');
    if (asked.tableCell)
      throw refused('tableCell', 'needs `page` and `node`, the table that contains the cell');
    return { target: WHOLE, tree: undefined };
  }
  const tree = await readTree(ctx, content);
  const page = findPage(tree, asked.page);
  // Ids of other spaces are not found, as everywhere.
  if (!page) throw notFound(`Page "${asked.page}" (body.page)`);
  const target = { ...WHOLE, page: presentTargetPage(tree, page) };
  if (asked.node === undefined) {
    if (asked.tableCell) throw refused('tableCell', 'needs `node`, the table that contains the cell');
    return { target, tree };
  }
  if (page.type !== 'document') throw refused('node', 'must be absent: the page has no document');
  const found = await findNode(ctx, content, page.id, asked.node, seen);
  return { target: { ...target, ...found.target, table_cell: cellOf(found.block, asked.tableCell) }, tree };
}

async function bodyIn(ctx: Context, row: ContentRow, pageId: string): Promise<string> {
  const page = findPage(await readTree(ctx, row), pageId);
  return page?.type === 'document' ? readText(loaderOf(ctx, row.store_id), page.document) : '';
}

interface FoundNode {
  readonly target: Pick<Target, 'node' | 'outdated'>;
  /** The block as its author saw it. */
  readonly block: AnchorBlock;
}

async function findNode(
  ctx: Context,
  content: ContentRow,
  pageId: string,
  key: string,
  seen: ContentRow | undefined,
): Promise<FoundNode> {
  const now = await bodyIn(ctx, content, pageId);
  const then = seen ? await bodyIn(ctx, seen, pageId) : now;
  const what = `Page ${pageId}`;
  const block = findBlocks(ctx, { body: then, what }, [key]).get(key);
  if (!block) {
    throw refused(
      'node',
      seen
        ? 'must be the key of a block of the page in `revision`'
        : 'must be the key of a block of the current page; for an older one, send its `revision`',
    );
  }
  const carried = then === now ? undefined : carryKeys(ctx, then, { body: now, what }, [key]);
  const present = carried?.get(key) ?? key;
  const blockNow = findBlocks(ctx, { body: now, what }, [present]).get(present);
  return blockNow
    ? { block, target: { node: targetNode(present, blockNow), outdated: false } }
    : { block, target: { node: targetNode(key, block), outdated: true } };
}

function cellOf(block: AnchorBlock, cell: TargetCell | undefined): TargetCell | null {
  if (!cell) return null;
  if (!hasCell(block, cell)) {
    throw refused('tableCell', 'must be a record and a definition of the table `node`');
  }
  return cell;
}

const refused = (field: string, rule: string) =>
  badRequest(`body.${field}: ${rule}.`, [{ path: `body.${field}`, rule }]);
