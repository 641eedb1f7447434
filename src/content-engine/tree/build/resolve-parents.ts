import { addToList } from '../../add-to-list.ts';
import { mayHoldPages, type PageRecord } from '../records.ts';
import { MAX_DEPTH, ROOT, type Problem } from '../tree.ts';

type Report = (id: string, problem: Problem) => void;

/** The parent of each page: the one it names or, if that is invalid, the root. The result has no cycle. */
export function resolveParents(pages: ReadonlyMap<string, PageRecord>, report: Report): Map<string, string> {
  const parents = new Map<string, string>();
  for (const [id, page] of pages) {
    const problem = problemOf(page, pages);
    if (problem !== undefined) report(id, problem);
    parents.set(id, problem === undefined ? (page.parent ?? ROOT) : ROOT);
  }
  for (const id of pagesInCycles(parents)) {
    report(id, 'cycle');
    parents.set(id, ROOT);
  }
  for (const id of pagesTooDeep(parents)) {
    report(id, 'too-deep');
    parents.set(id, ROOT);
  }
  return parents;
}

function problemOf(page: PageRecord, pages: ReadonlyMap<string, PageRecord>): Problem | undefined {
  if (page.parent === undefined) return undefined;
  const parent = pages.get(page.parent);
  if (parent === undefined) return 'parent-missing';
  if (page.type === 'group') return 'group-below-root';
  return mayHoldPages(parent) ? undefined : 'parent-holds-no-pages';
}

/** The pages that are their own ancestors. Each chain of parents is walked once. */
function pagesInCycles(parents: ReadonlyMap<string, string>): string[] {
  const cycles: string[][] = [];
  const seenIn = new Map<string, string>();
  for (const start of parents.keys()) {
    const chain: string[] = [];
    let at = start;
    while (at !== ROOT && !seenIn.has(at)) {
      seenIn.set(at, start);
      chain.push(at);
      at = parents.get(at) ?? ROOT;
    }
    if (at !== ROOT && seenIn.get(at) === start) cycles.push(chain.slice(chain.indexOf(at)));
  }
  return cycles.flat();
}

/** Pages at each multiple of the maximum depth plus one. They move to the root with their descendants. */
function pagesTooDeep(parents: ReadonlyMap<string, string>): string[] {
  const children = new Map<string, string[]>();
  for (const [id, parent] of parents) addToList(children, parent, id);
  const found: string[] = [];
  let level = children.get(ROOT) ?? [];
  for (let depth = 1; level.length > 0; depth++) {
    const below = level.flatMap((id) => children.get(id) ?? []);
    if (depth % MAX_DEPTH === 0) for (const id of below) found.push(id);
    level = below;
  }
  return found;
}
