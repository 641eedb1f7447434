import { mayHoldPages, type PageRecord } from './records.ts';
import { MAX_DEPTH, ROOT, type Problem } from './tree.ts';

type Report = (id: string, problem: Problem) => void;

/** Where each page stands: below the parent it names or, where that cannot be, at the root. Never a circle. */
export function resolveParents(pages: ReadonlyMap<string, PageRecord>, report: Report): Map<string, string> {
  const parents = new Map<string, string>();
  for (const [id, page] of pages) {
    const problem = problemOf(page, pages);
    if (problem !== undefined) report(id, problem);
    parents.set(id, problem === undefined ? (page.parent ?? ROOT) : ROOT);
  }
  for (const id of inCircles(parents)) {
    report(id, 'cycle');
    parents.set(id, ROOT);
  }
  for (const id of tooDeep(parents)) {
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

/** The pages that are their own ancestors. Each chain upwards is walked once. */
function inCircles(parents: ReadonlyMap<string, string>): string[] {
  const circles: string[][] = [];
  const seenIn = new Map<string, string>();
  for (const start of parents.keys()) {
    const chain: string[] = [];
    let at = start;
    while (at !== ROOT && !seenIn.has(at)) {
      seenIn.set(at, start);
      chain.push(at);
      at = parents.get(at) ?? ROOT;
    }
    if (at !== ROOT && seenIn.get(at) === start) circles.push(chain.slice(chain.indexOf(at)));
  }
  return circles.flat();
}

/** Pages that would be 33 deep. They start again at the root, with all that is below them. */
function tooDeep(parents: ReadonlyMap<string, string>): string[] {
  const children = new Map<string, string[]>();
  for (const [id, parent] of parents) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [id]);
    else siblings.push(id);
  }
  const found: string[] = [];
  let level = children.get(ROOT) ?? [];
  for (let depth = 1; level.length > 0; depth++) {
    const below = level.flatMap((id) => children.get(id) ?? []);
    if (depth % MAX_DEPTH === 0) for (const id of below) found.push(id);
    level = below;
  }
  return found;
}
