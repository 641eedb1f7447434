import { carryKeys } from '../../content-engine/merge/index.ts';
import type { Hash, Load } from '../../content-engine/map/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { readText } from '../content/index.ts';
import { blocksOf, targetNode } from './blocks.ts';
import { type Place } from './store.ts';
import { listAnchored, moveAnchors, type Anchored } from './anchors/store.ts';

/** The document of a page before and after a change; undefined where the page was or is not there. */
export interface ChangedPage {
  readonly id: string;
  readonly before: Hash | undefined;
  readonly after: Hash | undefined;
}

/**
 * Comments on blocks follow them into a new revision; where the block is gone they are outdated, until it comes back. It
 * does no harm to be told late, or twice. Comments on pages need nothing: whether a page is there, and what it is called,
 * is looked up when they are read. Nothing is read where there are no comments on blocks of these pages.
 */
export async function carryComments(
  db: Database,
  load: Load,
  place: Place,
  pages: readonly ChangedPage[],
): Promise<void> {
  const changed = new Map(
    pages.flatMap(({ id, before, after }) =>
      after === undefined || before === after ? [] : [[id, { before, after }]],
    ),
  );
  if (changed.size === 0) return;
  const anchored = await listAnchored(db, place, [...changed.keys()]);
  const moved: Anchored[] = [];
  for (const [id, { before, after }] of changed) {
    const anchors = anchored.filter(({ page_id: pageId }) => pageId === id);
    if (anchors.length === 0) continue;
    const textBefore = before === undefined ? undefined : await readText(load, before);
    moved.push(...carried(anchors, textBefore, await readText(load, after)));
  }
  if (moved.length > 0) await moveAnchors(db, moved);
}

/** Those that stand elsewhere now. */
function carried(anchors: readonly Anchored[], before: string | undefined, after: string): Anchored[] {
  const standing = anchors.filter(({ outdated }) => !outdated).map(({ node }) => node.id);
  const keys = before === undefined ? undefined : carryKeys(before, after, new Set(standing));
  const blocks = blocksOf(after);
  return anchors.flatMap((anchor) => {
    // Where it cannot be followed, or was gone: equal text has an equal key, so it is there if its key is.
    const key = keys?.get(anchor.node.id) ?? anchor.node.id;
    const block = blocks.get(key);
    const node = block ? targetNode(key, block) : anchor.node;
    const outdated = block === undefined;
    const isSame =
      node.id === anchor.node.id && node.preview === anchor.node.preview && outdated === anchor.outdated;
    return isSame ? [] : [{ ...anchor, node, outdated }];
  });
}
