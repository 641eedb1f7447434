import { addToList } from '../../../content-engine/add-to-list.ts';
import { refKey } from '../../../content-engine/evaluation/index.ts';
import type { ContentRef } from '../../../content-engine/tree/index.ts';
import { requireSmall } from '../../../platform/api/too-large-here.ts';
import type { SiteAddresses } from '../addresses.ts';
import { otherSpaceOf, resolveIn, type RefSource, type ResolvedEntries } from './resolve-refs.ts';
import type { ResolvedEntry } from './resolve-refs.ts';
import type { SiteReader } from '../site-reader.ts';

/** Revisions that a page shows, by the id of their space. */
export type Revisions = ReadonlyMap<string, string>;

export interface OtherSpaces {
  readonly entries: ResolvedEntries;
  readonly revisions: Revisions;
}

/** A space is opened in the time that a hundred items of a list take. */
const COST_OF_SPACE = 100;

const NONE: OtherSpaces = { entries: new Map(), revisions: new Map() };

/**
 * Resolves those references that lead into other spaces of the site. One space after another, and only the targets are
 * kept: a page may refer to a thousand spaces, whose trees do not fit into memory together.
 */
export async function resolveInOtherSpaces(
  reader: SiteReader,
  addresses: SiteAddresses,
  from: RefSource,
  refs: Iterable<ContentRef>,
): Promise<OtherSpaces> {
  const bySpace = new Map<string, ContentRef[]>();
  for (const ref of refs) {
    const spaceId = otherSpaceOf(ref, from);
    if (spaceId === undefined) continue;
    addToList(bySpace, spaceId, ref);
  }
  if (bySpace.size === 0) return NONE;
  requireSmall(from.space, 'items', COST_OF_SPACE * bySpace.size);
  const entries = new Map<string, ResolvedEntry>();
  const revisions = new Map<string, string>();
  for (const [spaceId, refsOfSpace] of bySpace) {
    const place = reader.placeOf(spaceId, from.space.siteSpace);
    if (!place) continue;
    const space = await reader.open(place);
    revisions.set(spaceId, place.revisionId);
    for (const ref of refsOfSpace) entries.set(refKey(ref), resolveIn(addresses, from, space, ref));
  }
  return { entries, revisions };
}
