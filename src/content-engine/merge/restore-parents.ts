import { get, type Load, type NodeHash } from '../map/index.ts';
import { childrenOf, isPage, type ContentRecord } from '../tree/index.ts';
import type { Draft } from './merge-state.ts';

/** A page that stays needs its parents, although one side deleted them. One round trip for each level that is gone. */
export async function keepParents(load: Load, proposed: NodeHash, draft: Draft): Promise<void> {
  let missing = missingParents(draft);
  while (missing.length > 0) {
    const gone = missing.filter((id) => !draft.primary.records.has(id));
    const found = gone.length === 0 ? undefined : await get<ContentRecord>(load, proposed, gone);
    const kept = missing.flatMap((id) => draft.primary.records.get(id) ?? found?.get(id) ?? []);
    if (kept.length === 0) return;
    for (const record of kept) draft.keep(record.id, record);
    missing = missingParents(draft).filter((id) => kept.some((record) => parentIn(record) === id));
  }
}

/** Parents of pages that are there now, and are not there themselves. */
function missingParents(draft: Draft): string[] {
  const needed = new Set<string>();
  for (const [id, record] of draft.changed) {
    if (record !== null) {
      const parent = parentIn(record);
      if (parent !== undefined && draft.get(parent) === undefined) needed.add(parent);
    } else if (childrenOf(draft.primary, id).some((child) => parentIn(draft.get(child)) === id)) {
      needed.add(id);
    }
  }
  return [...needed].toSorted();
}

const parentIn = (record: ContentRecord | undefined): string | undefined =>
  isPage(record) ? record.parent : undefined;
