import type { Scope } from '../../../content-engine/expressions/index.ts';
import {
  childrenOf,
  findPage,
  hasSlug,
  variablesOf,
  walkPages,
  type DocumentPage,
  type PageRecord,
  type Tree,
} from '../../../content-engine/tree/index.ts';
import { visitorScope, type VisitorClaims } from '../../../domains/visitors/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { requireSmall } from '../../../platform/api/too-large-here.ts';
import { inTurn } from '../../../platform/threads/in-turn.ts';
import { conditionsOf, type PageConditions } from './page-conditions.ts';
import type { Visitor } from '../visitor.ts';

/**
 * Characters of the path of a page in its space, percent-encoded: the length of a URL that browsers, proxies and sitemaps
 * support. Sites do not show pages with longer paths.
 */
export const MAX_PAGE_PATH = 2048;

/** The pages of a space that a visitor may read. */
export interface ReadablePages {
  /** Whether the conditions of the page and of all pages above it admit the visitor, and its path is not too long. */
  mayRead(id: string): boolean;
  /** Whether no page of the space is hidden from the visitor by a condition. */
  readonly isComplete: boolean;
  /** Whether every page of the space is listed. */
  readonly listsAll: boolean;
  /** Readable and in the navigation. */
  isListed(id: string): boolean;
  /** Listed pages with a body, in reading order. */
  readonly documents: readonly DocumentPage[];
  /** The place of a page among `documents`. */
  readonly places: ReadonlyMap<string, number>;
  /** The listed pages below a page, or at the root. */
  children(parent: string | undefined): readonly PageRecord[];
  /** The first page with a body that is listed at or below a page. */
  firstBelow(id: string): DocumentPage | undefined;
}

/** Pages by visitor class, for each tree. Trees are immutable, and are collected when the cache of trees drops them. */
const known = new WeakMap<Tree, Map<string, Promise<ReadablePages>>>();
/** The classes of one tree: adaptive sites can have any number of them. */
const MAX_CLASSES = 20;

export async function readablePages(
  ctx: Pick<Context, 'isFront'>,
  tree: Tree,
  visitor: Visitor,
): Promise<ReadablePages> {
  let byClass = known.get(tree);
  if (!byClass) known.set(tree, (byClass = new Map<string, Promise<ReadablePages>>()));
  const conditions = conditionsOf(tree);
  const key = conditions.length === 0 ? '' : visitor.class;
  let pages = byClass.get(key);
  if (!pages) {
    // A space may have thousands of conditions, and any visitor can begin a new class.
    requireSmall(ctx, 'text', conditions.length);
    if (byClass.size >= MAX_CLASSES) byClass.clear();
    byClass.set(key, (pages = inTurn(() => listReadable(tree, conditions, visitor.claims))));
  }
  return pages;
}

/** The values that expressions of a page may read. */
export const scopeOf = (tree: Tree, page: PageRecord | undefined, claims: VisitorClaims): Scope => ({
  ...visitorScope(claims),
  space: { vars: variablesOf(tree) },
  page: { vars: page ? pageVariables(page) : {} },
});

const pageVariables = (page: PageRecord) => (page.type === 'document' ? page.variables : undefined) ?? {};

function listReadable(tree: Tree, conditions: PageConditions, claims: VisitorClaims): ReadablePages {
  const visitor = visitorScope(claims);
  const space = { vars: variablesOf(tree) };
  /** A condition that fails or has an error hides the page. */
  const isAdmitted = (page: PageRecord): boolean =>
    conditions.of(page)?.({ ...visitor, space, page: { vars: pageVariables(page) } }) ?? true;
  /** The length of the path of each page that the visitor is admitted to. */
  const admitted = new Map<string, number>();
  const listed = new Set<string>();
  const documents: DocumentPage[] = [];
  /** The first listed child with a body, by parent. */
  const firstChild = new Map<string, DocumentPage>();
  let isComplete = true;
  let count = 0;
  for (const { page, parent } of walkPages(tree)) {
    count++;
    // Parents come first.
    const lengthAbove = parent === undefined ? 0 : admitted.get(parent);
    if (lengthAbove === undefined || !isAdmitted(page)) {
      isComplete = false;
      continue;
    }
    const length = lengthAbove + (hasSlug(page) ? 1 + encodeURIComponent(page.slug).length : 0);
    admitted.set(page.id, length);
    if (length > MAX_PAGE_PATH || page.hidden || (parent !== undefined && !listed.has(parent))) continue;
    listed.add(page.id);
    if (page.type !== 'document') continue;
    documents.push(page);
    if (parent !== undefined && !firstChild.has(parent)) firstChild.set(parent, page);
  }
  const isListed = (id: string) => listed.has(id);
  const mayRead = (id: string) => (admitted.get(id) ?? Number.POSITIVE_INFINITY) <= MAX_PAGE_PATH;
  return {
    mayRead,
    isComplete,
    listsAll: listed.size === count,
    isListed,
    documents,
    places: new Map(documents.map(({ id }, place) => [id, place])),
    children: (parent) =>
      childrenOf(tree, parent).flatMap((id) => (isListed(id) ? (findPage(tree, id) ?? []) : [])),
    firstBelow: (id) => {
      const page = mayRead(id) ? findPage(tree, id) : undefined;
      // Groups are at the root only: the first page below a group is a child of it.
      return page?.type === 'document' ? page : firstChild.get(id);
    },
  };
}
