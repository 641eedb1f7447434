import { addToList } from '../add-to-list.ts';
import { deriveTree } from './build/derive-tree.ts';
import { FIELDS_OF, memberOf } from './fields/page-fields.ts';
import { childrenOf, findPage } from './lookup.ts';
import type { DocumentPage, PageRecord } from './records.ts';
import type { Tree } from './tree.ts';

/** Cached by tree: each read of a tree asks for all of it. */
const expansions = new WeakMap<Tree, ReadonlyMap<string, readonly DocumentPage[]>>();

/** The generated pages by their entry. Pages whose entry is gone are usual pages. */
export function expandedPages(tree: Tree): ReadonlyMap<string, readonly DocumentPage[]> {
  let pages = expansions.get(tree);
  if (pages === undefined) {
    const byEntry = new Map<string, DocumentPage[]>();
    for (const record of tree.records.values()) {
      if (record.kind !== 'page' || record.type !== 'document' || record.generated === undefined) continue;
      const { entry } = record.generated;
      if (findPage(tree, entry)?.type === 'computed') addToList(byEntry, entry, record);
    }
    pages = byEntry;
    expansions.set(tree, pages);
  }
  return pages;
}

/** The fields that an expansion gives pages. */
const GENERATED = ['title', 'slug', 'description', 'icon'] as const;
const OTHERS = FIELDS_OF.document.filter((field) => !GENERATED.some((name) => name === field)).map(memberOf);

/** Whether nobody has changed a generated page: it can be generated again. */
export function isAsGenerated(page: PageRecord): boolean {
  if (page.type !== 'document' || page.generated === undefined || page.source !== undefined) return false;
  const { generated } = page;
  return (
    GENERATED.every((name) => page[name] === generated[name]) &&
    page.document === generated.document &&
    hasGeneratedPlace(page) &&
    OTHERS.every((member) => !Object.hasOwn(page, member))
  );
}

export const hasGeneratedPlace = ({ parent, position, generated }: DocumentPage): boolean =>
  generated !== undefined && parent === generated.parent && position === generated.position;

/** The content of the space by itself: without pages that can be generated again and have no others below them. */
export function withoutExpansions(tree: Tree): Tree {
  const removed = new Map<string, null>();
  for (const pages of expandedPages(tree).values()) {
    const isLeft = (id: string): boolean => {
      const page = findPage(tree, id);
      return page !== undefined && (!isAsGenerated(page) || childrenOf(tree, id).some(isLeft));
    };
    for (const { id } of pages) if (!isLeft(id)) removed.set(id, null);
  }
  return deriveTree(tree, removed);
}
