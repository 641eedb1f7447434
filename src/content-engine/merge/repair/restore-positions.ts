import { isPage, type PageRecord, type Problem } from '../../tree/index.ts';
import { placeOf } from '../merge-record.ts';
import type { MergeState } from '../merge-state.ts';
import { isEqual, presentVersions } from '../versions.ts';

/**
 * Repairs impossible positions: pages that the proposed side moved return to their position in the primary content. If
 * there are none, pages that the primary content lacks move to the root. False: no page is misplaced.
 */
export function restorePositions(state: MergeState, found: ReadonlyMap<string, readonly Problem[]>): boolean {
  const misplaced = Array.from(found).filter(([, problems]) => problems.some((problem) => problem in REACH));
  if (misplaced.length === 0) return false;
  const reach = (problems: readonly Problem[]) => Math.max(...problems.map((problem) => REACH[problem] ?? 0));
  const moved = new Set<PageRecord>();
  for (const [id, problems] of misplaced) {
    const page = findMoved(state, id, reach(problems));
    if (page) moved.add(page);
  }
  const pages = moved.size > 0 ? moved : misplaced.flatMap(([id]) => pageAt(state, id) ?? []);
  for (const page of pages) restorePosition(state, page, primaryOf(state, page.id));
  return true;
}

/** How many pages, from a misplaced page upwards, can be the cause of a problem. */
const REACH: Readonly<Partial<Record<Problem, number>>> = {
  'parent-missing': 1,
  'parent-holds-no-pages': 1,
  'group-below-root': 1,
  cycle: 100,
  'too-deep': 100,
};

function findMoved(state: MergeState, id: string, reach: number): PageRecord | undefined {
  let page = pageAt(state, id);
  for (let step = 0; step < reach && page !== undefined; step++) {
    const before = primaryOf(state, page.id);
    if (before !== undefined && !isEqual(placeOf(before), placeOf(page))) return page;
    page = page.parent === undefined ? undefined : pageAt(state, page.parent);
  }
  return undefined;
}

/** To the position in the primary content if the page was moved from there, else to the root. */
function restorePosition(state: MergeState, page: PageRecord, before: PageRecord | undefined): void {
  const isMoved = before !== undefined && !isEqual(placeOf(before), placeOf(page));
  const { parent: _parent, ...rest } = page;
  const place = isMoved ? placeOf(before) : { position: page.position };
  state.set(page.id, { ...rest, ...place } as PageRecord);
  state.report({
    kind: 'position',
    entry: page.id,
    ...presentVersions({
      ancestor: placeOf(state.ancestor(page.id)),
      primary: placeOf(before),
      proposed: placeOf(state.proposed(page.id, page)),
    }),
  });
}

function pageAt(state: MergeState, id: string): PageRecord | undefined {
  const record = state.get(id);
  return isPage(record) ? record : undefined;
}

function primaryOf(state: MergeState, id: string): PageRecord | undefined {
  const record = state.primary.records.get(id);
  return isPage(record) ? record : undefined;
}
