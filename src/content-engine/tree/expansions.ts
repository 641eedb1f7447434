import { addToList } from '../add-to-list.ts';
import { deriveTree } from './build/derive-tree.ts';
import { FIELDS_OF, memberOf } from './fields/page-fields.ts';
import { childrenOf, findPage } from './lookup.ts';
import type { DocumentPage, PageRecord } from './records.ts';
import type { Tree } from './tree.ts';

interface Expansions {
  readonly byEntry: ReadonlyMap<string, readonly DocumentPage[]>;
  /** Those whose entry is gone. */
  readonly orphans: readonly DocumentPage[];
}

/** Cached by tree: each read of a tree asks for all of it. */
const expansions = new WeakMap<Tree, Expansions>();

function expansionsOf(tree: Tree): Expansions {
  let found = expansions.get(tree);
  if (found === undefined) {
    const byEntry = new Map<string, DocumentPage[]>();
    const orphans: DocumentPage[] = [];
    for (const record of tree.records.values()) {
      if (record.kind !== 'page' || record.type !== 'document' || record.generated === undefined) continue;
      const { entry } = record.generated;
      if (findPage(tree, entry)?.type === 'computed') addToList(byEntry, entry, record);
      else orphans.push(record);
    }
    found = { byEntry, orphans };
    expansions.set(tree, found);
  }
  return found;
}

/** The generated pages by their entry. */
export const expandedPages = (tree: Tree): Expansions['byEntry'] => expansionsOf(tree).byEntry;

/**
 * What becomes of the pages whose entry is gone: they are deleted with it, except those that a user has changed, or has
 * put pages below. These are usual pages from then on.
 */
export function settleOrphans(tree: Tree): Map<string, DocumentPage | null> {
  const settled = new Map<string, DocumentPage | null>();
  for (const page of expansionsOf(tree).orphans) {
    const { generated: _generated, ...usual } = page;
    settled.set(page.id, isLeft(tree, page.id) ? usual : null);
  }
  return settled;
}

/** The fields that an expansion gives pages. */
const GENERATED = ['title', 'slug', 'description', 'icon'] as const;
const OTHERS = FIELDS_OF.document.filter((field) => !GENERATED.some((name) => name === field)).map(memberOf);

/** Whether a generated page is as it was generated: it can be generated again. */
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
  for (const pages of expandedPages(tree).values())
    for (const { id } of pages) if (!isLeft(tree, id)) removed.set(id, null);
  return deriveTree(tree, removed);
}

/** Whether a user has changed a page or one of its descendants. */
function isLeft(tree: Tree, id: string): boolean {
  const page = findPage(tree, id);
  return (
    page !== undefined && (!isAsGenerated(page) || childrenOf(tree, id).some((child) => isLeft(tree, child)))
  );
}
