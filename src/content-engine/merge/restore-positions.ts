import { isEqual, versions } from './versions.ts';
import { isPage, type PageRecord, type Problem } from '../tree/index.ts';
import type { Draft } from './merge-state.ts';
import { placeOf } from './merge-record.ts';

/**
 * Of pages whose place cannot be, those that the proposed side moved go back to where the primary has them; if there is
 * none, those that the primary does not have go to the root. False: no page is misplaced.
 */
export function putBack(draft: Draft, wrong: ReadonlyMap<string, readonly Problem[]>): boolean {
  const misplaced = Array.from(wrong).filter(([, problems]) => problems.some((one) => one in REACH));
  if (misplaced.length === 0) return false;
  const reach = (problems: readonly Problem[]) => Math.max(...problems.map((one) => REACH[one] ?? 0));
  const back = misplaced.flatMap(([id, problems]) => findMoved(draft, id, reach(problems)) ?? []);
  const pages = back.length > 0 ? back : misplaced.flatMap(([id]) => pageAt(draft, id) ?? []);
  for (const page of new Set(pages)) put(draft, page, primaryOf(draft, page.id));
  return true;
}

/** How many pages, from a misplaced one upwards, may be the cause. */
const REACH: Readonly<Partial<Record<Problem, number>>> = {
  'parent-missing': 1,
  'parent-holds-no-pages': 1,
  'group-below-root': 1,
  cycle: 100,
  'too-deep': 100,
};

function findMoved(draft: Draft, id: string, reach: number): PageRecord | undefined {
  let page = pageAt(draft, id);
  for (let step = 0; step < reach && page !== undefined; step++) {
    const before = primaryOf(draft, page.id);
    if (before !== undefined && !isEqual(placeOf(before), placeOf(page))) return page;
    page = page.parent === undefined ? undefined : pageAt(draft, page.parent);
  }
  return undefined;
}

/** Where the primary has it and it can go back, else at the root. */
function put(draft: Draft, page: PageRecord, before: PageRecord | undefined): void {
  const isMoved = before !== undefined && !isEqual(placeOf(before), placeOf(page));
  const { parent: _parent, ...rest } = page;
  const place = isMoved ? placeOf(before) : { position: page.position };
  draft.set(page.id, { ...rest, ...place } as PageRecord);
  draft.report({
    kind: 'position',
    entry: page.id,
    ...versions({
      ancestor: placeOf(draft.ancestor(page.id)),
      primary: placeOf(before),
      proposed: placeOf(draft.proposed(page.id, page)),
    }),
  });
}

function pageAt(draft: Draft, id: string): PageRecord | undefined {
  const record = draft.get(id);
  return isPage(record) ? record : undefined;
}

function primaryOf(draft: Draft, id: string): PageRecord | undefined {
  const record = draft.primary.records.get(id);
  return isPage(record) ? record : undefined;
}
