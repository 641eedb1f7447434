import { addToList } from '../add-to-list.ts';
import { outOfOrder } from '../diff/index.ts';
import { isSame } from '../map/index.ts';
import {
  childrenOf,
  fillPositions,
  findPage,
  foldSlug,
  hasGeneratedPlace,
  positionsFor,
  ROOT,
  slugKey,
  uniqueSlug,
  type ComputedPage,
  type DocumentPage,
  type Generated,
  type Tree,
} from '../tree/index.ts';
import type { Draft } from './draft.ts';

/** The records of the pages that differ, in their places: at the level of the entry after it, or below each other. */
export function placePages(
  tree: Tree,
  entry: ComputedPage,
  drafts: readonly Draft[],
  now: number,
): DocumentPage[] {
  const ids = new Map(drafts.map(({ planned, id }) => [planned.key, id]));
  const parents = new Map<string, string>();
  for (const { id, planned, before } of drafts) {
    const parent = planned.parent === undefined ? entry.parent : ids.get(planned.parent);
    const isOurs = before?.generated === undefined ? before === undefined : hasGeneratedPlace(before);
    if (isOurs) parents.set(id, parent ?? ROOT);
  }
  leaveCycles(tree, parents);
  const levels = new Map<string, Draft[]>();
  const elsewhere: Draft[] = [];
  for (const draft of drafts) {
    const parent = parents.get(draft.id);
    if (parent === undefined) elsewhere.push(draft);
    else addToList(levels, parent, draft);
  }
  const pages: DocumentPage[] = [];
  for (const [level, siblings] of levels) {
    const positions = positionsIn(tree, entry, level, siblings);
    const taken = new Set<string>();
    for (const [index, draft] of siblings.entries()) {
      const place = { ...(level === ROOT ? {} : { parent: level }), position: positions[index] ?? '' };
      const slug = slugIn(tree, level, draft, taken);
      taken.add(foldSlug(slug));
      pages.push(pageOf(draft, place, slug, entry.id, now));
    }
  }
  for (const draft of elsewhere) {
    const { before } = draft;
    if (before === undefined) continue;
    const { parent, position, slug } = before;
    pages.push(pageOf(draft, { ...(parent === undefined ? {} : { parent }), position }, slug, entry.id, now));
  }
  return pages.filter((page) => !isSame(tree.records.get(page.id) ?? {}, page));
}

/** A page stays in its place if its new parent, such as the entry, has been moved below it: the tree must have no cycle. */
function leaveCycles(tree: Tree, parents: Map<string, string>): void {
  const isBelowItself = (id: string): boolean => {
    const seen = new Set<string>();
    let above = parents.get(id) ?? ROOT;
    while (above !== ROOT && above !== id && !seen.has(above)) {
      seen.add(above);
      above = parents.get(above) ?? findPage(tree, above)?.parent ?? ROOT;
    }
    return above === id;
  };
  for (let isDone = false; !isDone;) {
    const cyclic = [...parents.keys()].find((id) => tree.records.has(id) && isBelowItself(id));
    if (cyclic === undefined) isDone = true;
    else parents.delete(cyclic);
  }
}

/** As many pages as possible keep their position. */
function positionsIn(tree: Tree, entry: ComputedPage, level: string, siblings: readonly Draft[]): string[] {
  const isBeside = level === (entry.parent ?? ROOT);
  const own = new Set(siblings.map(({ id }) => id));
  const order = childrenOf(tree, level);
  const low = isBeside ? entry.position : null;
  const others = isBeside ? order.slice(order.indexOf(entry.id) + 1).filter((id) => !own.has(id)) : [];
  const positionOf = (id: string | undefined) =>
    id === undefined ? null : (findPage(tree, id)?.position ?? null);
  const high = positionOf(others.find((id) => generatedBy(tree, id) !== entry.id));
  const isWithin = (position: string) =>
    (low === null || position > low) && (high === null || position < high);
  const there = siblings.flatMap(({ id, before }) =>
    before !== undefined && (before.parent ?? ROOT) === level && isWithin(before.position) ? [id] : [],
  );
  const moved = new Set(outOfOrder(order, there));
  const kept = new Set(there.filter((id) => !moved.has(id)));
  const keys = siblings.map(({ id, before }) => (kept.has(id) ? before?.position : undefined));
  // If all are new, those of an earlier version come after them.
  if (kept.size === 0 && others.length > 0) return positionsBetween(keys, low, positionOf(others[0]));
  return positionsBetween(keys, low, high);
}

function positionsBetween(
  keys: readonly (string | undefined)[],
  low: string | null,
  high: string | null,
): string[] {
  return (
    fillPositions(keys, low, high) ??
    fillPositions(
      keys.map(() => undefined),
      low,
      high,
    ) ??
    positionsFor(keys.length)
  );
}

function generatedBy(tree: Tree, id: string): string | undefined {
  const page = findPage(tree, id);
  return page?.type === 'document' ? page.generated?.entry : undefined;
}

/** A page keeps its slug, unless it moves to where another page has it. */
function slugIn(
  tree: Tree,
  level: string,
  { id, before, planned }: Draft,
  taken: ReadonlySet<string>,
): string {
  const isTaken = (folded: string) => {
    const owner = tree.slugs.get(slugKey(level, folded));
    return taken.has(folded) || (owner !== undefined && owner !== id);
  };
  return uniqueSlug(before?.slug ?? planned.slug, isTaken, { isAtRoot: level === ROOT });
}

type Place = Pick<DocumentPage, 'parent' | 'position'>;

function pageOf(draft: Draft, place: Place, slug: string, entry: string, now: number): DocumentPage {
  const { planned, before, body } = draft;
  const { title, description, icon } = planned;
  const last = before?.generated;
  const given = { title, ...defined({ description, icon }) };
  const generated: Generated = {
    entry,
    key: planned.key,
    ...given,
    slug: last === undefined ? slug : before?.slug === last.slug ? slug : last.slug,
    ...(last === undefined || before === undefined || hasGeneratedPlace(before) ? place : placeOf(last)),
    document: body.generated,
    parts: body.parts,
  };
  if (before === undefined) {
    const { id } = draft;
    const fields = { ...given, slug, ...place, document: body.document, createdAt: now, updatedAt: now };
    return { id, kind: 'page', type: 'document', ...fields, generated };
  }
  const { title: _title, description: _description, icon: _icon, parent: _parent, ...rest } = before;
  const own = <F extends 'title' | 'description' | 'icon'>(field: F) =>
    last !== undefined && before[field] === last[field] ? generated[field] : before[field];
  const page: DocumentPage = {
    ...rest,
    title: own('title') ?? before.title,
    ...defined({ description: own('description'), icon: own('icon') }),
    slug,
    ...place,
    document: body.document,
    generated,
  };
  const { generated: _now, ...shown } = page;
  const { generated: _last, ...wasShown } = before;
  return isSame(shown, wasShown) ? page : { ...page, updatedAt: now };
}

const placeOf = ({ parent, position }: Generated): Place =>
  parent === undefined ? { position } : { parent, position };

/** Without members that are undefined: records have one form. */
const defined = <T extends object>(members: T): { [M in keyof T]?: Exclude<T[M], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [M in keyof T]?: Exclude<T[M], undefined>;
  };
