import { addToList } from '../../../content-engine/add-to-list.ts';
import { diff, type Hash, type Load } from '../../../content-engine/map/index.ts';
import type { ContentRecord } from '../../../content-engine/tree/index.ts';
import type { EventOf, EventReader, EventRow, ReaderContext } from '../../events/index.ts';
import { loaderOf, readText, rootOf } from '../../content-store/index.ts';
import { findRoot } from '../../revisions/index.ts';
import { findStore } from '../../spaces/index.ts';
import { carryKeys, findBlocks, targetNode, type AnchorBlock } from './anchor-blocks.ts';
import { cellCarrier, type CarryCell } from './anchor-cells.ts';
import { listAnchored, listSpacesWithAnchors, moveAnchors, type Anchored } from './anchor-store.ts';
import type { Place } from '../store/store.ts';

type ContentUpdated = EventOf<'space_content_updated' | 'change_request_content_updated'>;

const isContentUpdated = (event: EventRow): event is ContentUpdated =>
  event.type === 'space_content_updated' || event.type === 'change_request_content_updated';

/**
 * Comments on blocks follow their blocks into every new revision. If the block is deleted, the comment is outdated
 * until the block is restored. Comments on pages need nothing: the page is looked up when they are read.
 */
export const followAnchors: EventReader = {
  name: 'comments.follow',
  async read(ctx, events) {
    const updates = events.filter(isContentUpdated);
    const spaceIds = new Set(updates.flatMap(({ space_id: spaceId }) => spaceId ?? []));
    if (spaceIds.size === 0) return;
    const anchored = await listSpacesWithAnchors(ctx.db, [...spaceIds]);
    for (const event of updates) {
      if (event.space_id && anchored.has(event.space_id)) await follow(ctx, event.space_id, event);
    }
  },
};

/** The document of a page before and after a change; `before` is undefined where the page was not there. */
interface ChangedPage {
  readonly id: string;
  readonly before: Hash | undefined;
  readonly after: Hash;
}

/**
 * Moves the anchors that the event concerns. Comments posted or moved after it are in place already, so that receiving
 * an event late or twice changes nothing more. Pages without comments on their blocks are not read.
 */
async function follow(ctx: ReaderContext, spaceId: string, event: ContentUpdated): Promise<void> {
  const { previousRevisionId, revisionId } = event.data;
  const changeRequestId = event.type === 'change_request_content_updated' ? event.data.changeRequestId : null;
  const storeId = await findStore(ctx.db, spaceId);
  const [before, after] = [
    await findRoot(ctx.db, spaceId, previousRevisionId),
    await findRoot(ctx.db, spaceId, revisionId),
  ];
  // The space was purged meanwhile, and its comments with it.
  if (storeId === undefined || !before || !after) return;
  const load = loaderOf(ctx, storeId);
  const pages = await changedPages(load, rootOf(before), rootOf(after));
  if (pages.length === 0) return;
  const place: Place = { spaceId, changeRequestId };
  const pageIds = pages.map(({ id }) => id);
  const anchored = await listAnchored(ctx.db, place, pageIds, event.id);
  const byPage = new Map<string, Anchored[]>();
  for (const anchor of anchored) addToList(byPage, anchor.page_id, anchor);
  const moved: Anchored[][] = [];
  for (const page of pages) {
    const anchors = byPage.get(page.id);
    if (anchors) moved.push(await followIn(ctx, load, page, anchors));
  }
  await moveAnchors(ctx.db, moved.flat(), event.id);
}

async function changedPages(load: Load, before: string, after: string): Promise<ChangedPage[]> {
  const differences = await diff<ContentRecord>(load, before, after);
  return differences.flatMap(({ id, before: old, after: now }): ChangedPage[] => {
    const [then, document] = [documentOf(old), documentOf(now)];
    return document === undefined || document === then ? [] : [{ id, before: then, after: document }];
  });
}

const documentOf = (record: ContentRecord | undefined): Hash | undefined =>
  record?.kind === 'page' && record.type === 'document' ? record.document : undefined;

/** The anchors of one page that the change moved or made outdated. */
async function followIn(
  ctx: ReaderContext,
  load: Load,
  page: ChangedPage,
  anchors: readonly Anchored[],
): Promise<Anchored[]> {
  const before = page.before === undefined ? undefined : await readText(load, page.before);
  const after = await readText(load, page.after);
  const what = `Page ${page.id}`;
  const ids = [...new Set(anchors.map(({ node }) => node.id))];
  const oldBlocks =
    before === undefined ? new Map<string, AnchorBlock>() : findBlocks(ctx, { body: before, what }, ids);
  // An outdated comment on a cell may still have its table.
  const isPresent = ({ node, table_cell, outdated }: Anchored): boolean =>
    (!outdated || table_cell !== null) && oldBlocks.has(node.id);
  const presentIds = [...new Set(anchors.filter(isPresent).map(({ node }) => node.id))];
  const keys = carryKeys(ctx, before ?? '', { body: after, what }, presentIds);
  const wanted = [...new Set([...ids, ...[...keys.values()].filter((key) => key !== undefined)])];
  const blocks = findBlocks(ctx, { body: after, what }, wanted);
  const carriers = new Map<string, CarryCell>();
  const carrierOf = (id: string, block: AnchorBlock): CarryCell => {
    const carrier = carriers.get(id) ?? cellCarrier(oldBlocks.get(id), block);
    carriers.set(id, carrier);
    return carrier;
  };
  return anchors.flatMap((anchor) => {
    const { id } = anchor.node;
    // A deleted block has the same key when the same text is restored.
    const key = isPresent(anchor) ? keys.get(id) : id;
    const block = key === undefined ? undefined : blocks.get(key);
    const cell = block && anchor.table_cell && carrierOf(id, block)(anchor.table_cell);
    const now: Anchored = {
      ...anchor,
      node: key !== undefined && block ? targetNode(key, block) : anchor.node,
      table_cell: cell ?? anchor.table_cell,
      outdated: block === undefined || (anchor.table_cell !== null && !cell),
    };
    return isSame(anchor, now) ? [] : [now];
  });
}

const isSame = (one: Anchored, other: Anchored): boolean =>
  one.node.id === other.node.id &&
  one.node.preview === other.node.preview &&
  one.table_cell?.record === other.table_cell?.record &&
  one.table_cell?.definition === other.table_cell?.definition &&
  one.outdated === other.outdated;
