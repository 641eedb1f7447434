import { addToList } from '../../add-to-list.ts';
import { outOfOrder } from '../../diff/index.ts';
import type { PageRecord } from '../../tree/index.ts';
import { Indentation } from './indentation.ts';
import { SummaryRewriter, type Summary } from './summary-rewriter.ts';
import type { ExportContext } from '../write/export-context.ts';

export interface PlacedPage {
  readonly page: PageRecord;
  readonly depth: number;
}

/**
 * Updates the lines of changed pages, and leaves everything else: entries that are no page stay beside their
 * neighbours. Entries follow the order of the pages; as many as possible stay where they are.
 */
export function editSummary(context: ExportContext, summary: Summary, pages: readonly PlacedPage[]): string {
  const { items, ids } = summary;
  const places = new Map(ids.flatMap((id, index) => (id === undefined ? [] : [[id, index] as const])));
  const unmoved = unmovedPages(summary, pages);
  const rewriter = new SummaryRewriter(context, summary, unmoved);
  const siblings = nextSiblings(pages);
  for (const [index, { page, depth }] of pages.entries()) {
    const own = places.get(page.id);
    if (own !== undefined && unmoved.has(page.id) && rewriter.canRemain(own, page, depth)) {
      rewriter.retain(own, page, depth);
      continue;
    }
    unmoved.delete(page.id);
    const next = pages[siblings[index] ?? -1]?.page.id ?? '';
    const sibling = unmoved.has(next) ? items[places.get(next) ?? -1] : undefined;
    rewriter.insert(page, depth, own === undefined ? undefined : items[own], sibling);
  }
  return rewriter.end();
}

/** The pages whose entries stay: with the same parent, and in the same order among such siblings. */
function unmovedPages(summary: Summary, pages: readonly PlacedPage[]): Set<string> {
  const before = parentsIn(summary, pages);
  const order = new Map<string, string[]>();
  for (const [id, parent] of before) addToList(order, parent, id);
  const pageAtDepth: string[] = [ROOT];
  const unmoved = new Set<string>([ROOT]);
  const children = new Map<string, string[]>();
  for (const { page, depth } of pages) {
    const parent = pageAtDepth[depth - 1] ?? ROOT;
    pageAtDepth[depth] = page.id;
    if (before.get(page.id) === parent) addToList(children, parent, page.id);
  }
  for (const [parent, ids] of children) {
    const moved = new Set(outOfOrder(order.get(parent) ?? [], ids));
    for (const id of ids) if (!moved.has(id)) unmoved.add(id);
  }
  // Descendants move with their page. Pages come after their parents.
  for (const { page } of pages) if (!unmoved.has(before.get(page.id) ?? '?')) unmoved.delete(page.id);
  return unmoved;
}

const ROOT = '/';

/** The parent of each page by the text. */
function parentsIn({ items, ids }: Summary, pages: readonly PlacedPage[]): Map<string, string> {
  const types = new Map(pages.map(({ page }) => [page.id, page.type]));
  const parents = new Map<string, string>();
  const indentation = new Indentation();
  const pageAtDepth: string[] = [ROOT];
  for (const [index, item] of items.entries()) {
    const id = ids[index];
    const type = id === undefined ? undefined : (types.get(id) ?? 'document');
    const depth = indentation.advance(item, type === undefined ? undefined : { type });
    if (id === undefined) continue;
    parents.set(id, pageAtDepth[depth - 1] ?? ROOT);
    pageAtDepth[depth] = id;
  }
  return parents;
}

/** For each page the index of its next sibling, or -1. */
function nextSiblings(pages: readonly PlacedPage[]): number[] {
  const next = pages.map(() => -1);
  const last: number[] = [];
  for (const [index, { depth }] of pages.entries()) {
    last.splice(depth + 1);
    const before = last[depth];
    if (before !== undefined) next[before] = index;
    last[depth] = index;
  }
  return next;
}
