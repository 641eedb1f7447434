import type { Hash, Load } from '../../content-engine/map/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { readText, type Engine } from '../revisions/index.ts';
import { carryKeys, findBlocks, targetNode, type AnchorBlock } from './anchor-blocks.ts';
import { carryCell, hasCell } from './anchor-cells.ts';
import type { TargetCell } from './policy.ts';
import { type Place } from './store.ts';
import { listAnchored, moveAnchors, type Anchored } from './anchor-store.ts';

/** The document of a page before and after a change; undefined where the page was or is not there. */
export interface ChangedPage {
  readonly id: string;
  readonly before: Hash | undefined;
  readonly after: Hash | undefined;
}

/**
 * Comments on blocks follow them into a new revision; where the block is gone they are outdated, until it comes back.
 * Those that came after the event that tells of it, or were moved by it or a later one, are where they belong already: so
 * it does no harm to be told late, or twice. Comments on pages need nothing: whether a page is there, and what it is
 * called, is looked up when they are read. Nothing is read where there are no comments on blocks of these pages.
 */
export async function carryComments(
  db: Database,
  { load, engine }: { readonly load: Load; readonly engine: Engine },
  place: Place,
  pages: readonly ChangedPage[],
  eventId: number,
): Promise<void> {
  const changed = new Map(
    pages.flatMap(({ id, before, after }) =>
      after === undefined || before === after ? [] : [[id, { before, after }]],
    ),
  );
  if (changed.size === 0) return;
  const anchored = await listAnchored(db, place, [...changed.keys()], eventId);
  const moved: Anchored[] = [];
  for (const [id, { before, after }] of changed) {
    const anchors = anchored.filter(({ page_id: pageId }) => pageId === id);
    if (anchors.length === 0) continue;
    const textBefore = before === undefined ? undefined : await readText(load, before);
    const textAfter = await readText(load, after);
    moved.push(...(await carried(engine, id, anchors, textBefore, textAfter)));
  }
  if (moved.length > 0) await moveAnchors(db, moved, eventId);
}

/** Those that stand elsewhere now. */
async function carried(
  engine: Engine,
  pageId: string,
  anchors: readonly Anchored[],
  before: string | undefined,
  after: string,
): Promise<Anchored[]> {
  const what = `Page ${pageId}`;
  const ids = [...new Set(anchors.map(({ node }) => node.id))];
  const were =
    before === undefined
      ? new Map<string, AnchorBlock>()
      : await findBlocks(engine, { body: before, what }, ids);
  // A cell may be gone while its table stands.
  const standing = anchors.filter(
    ({ node, table_cell, outdated }) => (!outdated || table_cell !== null) && were.has(node.id),
  );
  const standingIds = [...new Set(standing.map(({ node }) => node.id))];
  const keys = await carryKeys(engine, before ?? '', { body: after, what }, standingIds);
  const wanted = [...new Set([...ids, ...[...keys.values()].filter((key) => key !== undefined)])];
  const blocks = await findBlocks(engine, { body: after, what }, wanted);
  return anchors.flatMap((anchor) => {
    const { id } = anchor.node;
    const isFollowed = standing.includes(anchor);
    // Where it was gone: equal text has an equal key, so it is there if its key is.
    const key = isFollowed ? keys.get(id) : id;
    const block = key === undefined ? undefined : blocks.get(key);
    const was = isFollowed ? were.get(id) : undefined;
    const cell = block && anchor.table_cell && cellIn(anchor.table_cell, was, block);
    const now: Anchored = {
      ...anchor,
      node: key !== undefined && block ? targetNode(key, block) : anchor.node,
      table_cell: cell ?? anchor.table_cell,
      outdated: block === undefined || (anchor.table_cell !== null && !cell),
    };
    return isSame(anchor, now) ? [] : [now];
  });
}

const cellIn = (cell: TargetCell, was: AnchorBlock | undefined, table: AnchorBlock): TargetCell | undefined =>
  was ? carryCell(cell, was, table) : hasCell(table, cell) ? cell : undefined;

const isSame = (one: Anchored, other: Anchored): boolean =>
  one.node.id === other.node.id &&
  one.node.preview === other.node.preview &&
  one.table_cell?.record === other.table_cell?.record &&
  one.table_cell?.definition === other.table_cell?.definition &&
  one.outdated === other.outdated;
