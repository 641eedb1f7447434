import { refuse, resolve, type Batch } from './batch.ts';
import type { Place, Refusal } from './change.ts';
import { heightOf } from '../build/derive-tree.ts';
import { ancestorsOf, childrenOf, depthOf, findPage, parentOf } from '../lookup.ts';
import { allocatePosition } from '../position-keys.ts';
import { hasSlug, mayHoldPages, type PageRecord } from '../records.ts';
import { uniqueSlug } from '../names/slug.ts';
import { MAX_DEPTH, ROOT, slugKey, type Tree } from '../tree.ts';

export interface FoundPlace {
  readonly parent: string | undefined;
  readonly position: string;
  /** Neighbours with new position keys. */
  readonly rekeyed: readonly PageRecord[];
}

type Placeable = Pick<PageRecord, 'id' | 'type'>;

/** Finds the place of a new or moved page. An existing page without a given place stays where it is. */
export function findPlace(batch: Batch, page: Placeable, { into, at }: Place): FoundPlace | Refusal {
  const { tree } = batch;
  const current = findPage(tree, page.id);
  const currentParent = current && parentOf(tree, page.id);
  const parent = into === undefined ? currentParent : into === null ? undefined : resolve(batch, into);
  const refusal = refuseParent(tree, page, parent);
  if (refusal !== undefined) return refusal;
  const isSameParent = current !== undefined && parent === currentParent;
  if (isSameParent && at === undefined) return { parent, position: current.position, rekeyed: [] };

  const siblings = childrenOf(tree, parent);
  const index = isSameParent ? siblings.indexOf(page.id) : -1;
  const otherSiblings = index < 0 ? siblings : siblings.toSpliced(index, 1);
  const wanted = Math.min(Math.max(at ?? otherSiblings.length, 0), otherSiblings.length);
  if (isSameParent && wanted === index) return { parent, position: current.position, rekeyed: [] };
  const { position, rekeyed } = allocatePosition(
    otherSiblings.length,
    (i) => positionOf(tree, otherSiblings[i]),
    wanted,
  );
  return {
    parent,
    position,
    rekeyed: Array.from(rekeyed, ([i, position]) => withPosition(tree, otherSiblings[i], position)),
  };
}

/** The place after the last child of a parent. */
export const findEnd = (batch: Batch, page: Placeable, parent: string | undefined): FoundPlace | Refusal =>
  findPlace(batch, page, { into: parent ?? null, at: Number.MAX_SAFE_INTEGER });

export function refuseParent(tree: Tree, page: Placeable, parent: string | undefined): Refusal | undefined {
  if (parent === undefined) return undefined;
  if (page.type === 'group') return refuse('group_below_root', 'Groups are allowed only at the root', 'into');
  const parentPage = findPage(tree, parent);
  if (parentPage === undefined) return refuse('unknown_parent', `There is no page ${parent}`, 'into');
  if (!mayHoldPages(parentPage)) {
    return refuse(
      'parent_holds_no_pages',
      `${parent} is a ${parentPage.type} and cannot have subpages`,
      'into',
    );
  }
  if (parent === page.id || ancestorsOf(tree, parent).includes(page.id)) {
    return refuse('own_descendant', 'A page cannot be moved below itself', 'into');
  }
  if (depthOf(tree, parent) + 1 + heightOf(tree, page.id) > MAX_DEPTH) {
    return refuse('too_deep', `Pages can be nested at most ${MAX_DEPTH} levels deep`, 'into');
  }
  return undefined;
}

/** A slug that no other page below `parent` has. The current slug of the page is kept if it is still free. */
export function freeSlug(tree: Tree, page: Placeable, parent: string | undefined, wanted: string): string {
  const level = parent ?? ROOT;
  const current = findPage(tree, page.id);
  if (
    current !== undefined &&
    hasSlug(current) &&
    current.slug === wanted &&
    parentOf(tree, page.id) === parent
  ) {
    return wanted;
  }
  const isTaken = (folded: string) => {
    const owner = tree.slugs.get(slugKey(level, folded));
    return owner !== undefined && owner !== page.id;
  };
  return uniqueSlug(wanted, isTaken, { isAtRoot: level === ROOT });
}

const positionOf = (tree: Tree, id: string | undefined): string => pageAt(tree, id).position;

const withPosition = (tree: Tree, id: string | undefined, position: string): PageRecord => ({
  ...pageAt(tree, id),
  position,
});

function pageAt(tree: Tree, id: string | undefined): PageRecord {
  const page = id === undefined ? undefined : findPage(tree, id);
  if (page === undefined) throw new Error(`${id} is listed as a page but is not one`);
  return page;
}
