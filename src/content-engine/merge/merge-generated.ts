import { isSame } from '../map/index.ts';
import {
  deriveTree,
  hasGeneratedPlace,
  isAsGenerated,
  settleOrphans,
  type ContentRecord,
  type DocumentPage,
  type PageRecord,
} from '../tree/index.ts';
import type { MergeState } from './merge-state.ts';

/** Whether a side that kept an entry, which the other deleted, has nothing in it that a person changed. */
export const isOnlyExpanded = (ancestor: ContentRecord, remaining: ContentRecord): boolean =>
  remaining.kind === 'page' &&
  (isAsGenerated(remaining) || (remaining.type === 'computed' && isSame(plain(ancestor), plain(remaining))));

const plain = (record: ContentRecord): object => ({ ...record, expanded: undefined, updatedAt: undefined });

/** Whether both sides have a page where its entry was: the entry moves it, and an expansion orders the pages. */
export const isPlacedByEntry = (one: ContentRecord, other: ContentRecord): boolean =>
  isPlaced(one) && isPlaced(other);

const isPlaced = (record: ContentRecord): record is DocumentPage =>
  record.kind === 'page' && record.type === 'document' && hasGeneratedPlace(record);

/** A page that followed its entry on one side, while it was refreshed on the other, is still where it was generated. */
export function withMergedPlace(
  merged: ContentRecord,
  [one, other]: readonly [ContentRecord, ContentRecord],
): ContentRecord {
  if (!isPlacedByEntry(one, other) || merged.kind !== 'page' || merged.type !== 'document') return merged;
  if (merged.generated === undefined) return merged;
  const { parent, position, slug } = merged;
  const { parent: _parent, ...rest } = merged.generated;
  const isSlugGenerated = [one, other].every(
    (each) => 'generated' in each && each.slug === each.generated?.slug,
  );
  return {
    ...merged,
    generated: {
      ...rest,
      ...(parent === undefined ? {} : { parent }),
      position,
      ...(isSlugGenerated ? { slug } : {}),
    },
  };
}

/**
 * An entry that the proposed side deleted takes with it the pages that the primary one has been given meanwhile. Those that
 * have pages of people below them stay, although the proposed side deleted them too.
 */
export function settleExpansions(state: MergeState): void {
  const changes = new Map(state.changed);
  let hasDeletedEntry = false;
  for (const [id, record] of state.changed) {
    const before = state.primary.records.get(id);
    if (record !== null || before?.kind !== 'page') continue;
    if (before.type === 'computed') hasDeletedEntry = true;
    else if (isAsGenerated(before) && isEntryDeleted(state, before)) changes.delete(id);
  }
  if (!hasDeletedEntry) return;
  for (const [id, page] of settleOrphans(deriveTree(state.primary, changes))) state.set(id, page);
}

const isEntryDeleted = (state: MergeState, page: PageRecord): boolean =>
  page.type === 'document' && state.changed.get(page.generated?.entry ?? '') === null;
