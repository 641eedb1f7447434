import { outOfRow } from '../../diff/index.ts';
import type { PageRecord } from '../../tree/index.ts';
import { Levels } from './indentation.ts';
import { SummaryEdit, type Summary } from './summary-rewriter.ts';
import type { Writing } from '../export-context.ts';

export interface Listed {
  readonly page: PageRecord;
  readonly depth: number;
}

/**
 * The text with other lines for those pages that are others now, and nothing else changed: what is no page stays beside
 * its neighbours. Entries are taken in the order of the pages; those that are in order stay where they are.
 */
export function editSummary(writing: Writing, summary: Summary, pages: readonly Listed[]): string {
  const { items, ids } = summary;
  const places = new Map(ids.flatMap((id, index) => (id === undefined ? [] : [[id, index] as const])));
  const stays = staying(summary, pages);
  const edit = new SummaryEdit(writing, summary, stays);
  const siblings = nextSiblings(pages);
  for (const [index, { page, depth }] of pages.entries()) {
    const own = places.get(page.id);
    if (own !== undefined && stays.has(page.id) && edit.canStay(own, page, depth)) {
      edit.keep(own, page, depth);
      continue;
    }
    stays.delete(page.id);
    const next = pages[siblings[index] ?? -1]?.page.id ?? '';
    const sibling = stays.has(next) ? items[places.get(next) ?? -1] : undefined;
    edit.insert(page, depth, own === undefined ? undefined : items[own], sibling);
  }
  return edit.end();
}

/** The pages that stand where they stood: below the same parent, and in the same order among those that do. */
function staying(summary: Summary, pages: readonly Listed[]): Set<string> {
  const before = parentsIn(summary, pages);
  const order = new Map<string, string[]>();
  for (const [id, parent] of before) push(order, parent, id);
  const holders: string[] = [ROOT];
  const stays = new Set<string>([ROOT]);
  const children = new Map<string, string[]>();
  for (const { page, depth } of pages) {
    const parent = holders[depth - 1] ?? ROOT;
    holders[depth] = page.id;
    if (before.get(page.id) === parent) push(children, parent, page.id);
  }
  for (const [parent, ids] of children) {
    const moved = new Set(outOfRow(order.get(parent) ?? [], ids));
    for (const id of ids) if (!moved.has(id)) stays.add(id);
  }
  // What is below a page goes with it. Pages come after their parents.
  for (const { page } of pages) if (!stays.has(before.get(page.id) ?? '?')) stays.delete(page.id);
  return stays;
}

const ROOT = '/';

function push(lists: Map<string, string[]>, key: string, id: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [id]);
  else list.push(id);
}

/** The parent that each page had when the text was read. */
function parentsIn({ items, ids }: Summary, pages: readonly Listed[]): Map<string, string> {
  const types = new Map(pages.map(({ page }) => [page.id, page.type]));
  const parents = new Map<string, string>();
  const levels = new Levels();
  const holders: string[] = [ROOT];
  for (const [index, item] of items.entries()) {
    const id = ids[index];
    const type = id === undefined ? undefined : (types.get(id) ?? 'document');
    const depth = levels.pass(item, type === undefined ? undefined : { type });
    if (id === undefined) continue;
    parents.set(id, holders[depth - 1] ?? ROOT);
    holders[depth] = id;
  }
  return parents;
}

/** Of each page the index of the next one below the same parent; -1: there is none. */
function nextSiblings(pages: readonly Listed[]): number[] {
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
