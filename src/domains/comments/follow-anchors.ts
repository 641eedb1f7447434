import { diff } from '../../content-engine/map/index.ts';
import type { ContentRecord } from '../../content-engine/tree/index.ts';
import { engineOf, findRoot, loaderOf, rootOf } from '../revisions/index.ts';
import type { EventReader, ReaderContext } from '../events/index.ts';
import { findStore } from '../spaces/index.ts';
import { carryComments, type ChangedPage } from './move-anchors.ts';
import { listSpacesWithAnchors } from './anchor-store.ts';

/** Comments follow their blocks into every new revision. */
export const followContent: EventReader = {
  name: 'comments.follow',
  async read(ctx, events) {
    const updates = events.filter(({ type }) => /^(space|change_request)_content_updated$/.test(type));
    const spaceIds = new Set(updates.flatMap(({ space_id: spaceId }) => spaceId ?? []));
    if (spaceIds.size === 0) return;
    const anchored = await listSpacesWithAnchors(ctx.db, [...spaceIds]);
    for (const { id, space_id: spaceId, data } of updates) {
      if (!spaceId || !anchored.has(spaceId)) continue;
      const changeRequestId = (data['changeRequestId'] as string | undefined) ?? null;
      const [before, after] = [String(data['previousRevisionId']), String(data['revisionId'])];
      await follow(ctx, { spaceId, changeRequestId }, { id, before, after });
    }
  },
};

async function follow(
  ctx: ReaderContext,
  place: { readonly spaceId: string; readonly changeRequestId: string | null },
  { id: eventId, before, after }: { readonly id: number; readonly before: string; readonly after: string },
): Promise<void> {
  const storeId = await findStore(ctx.db, place.spaceId);
  const [old, now] = [
    await findRoot(ctx.db, place.spaceId, before),
    await findRoot(ctx.db, place.spaceId, after),
  ];
  // The space went meanwhile, and its comments with it.
  if (storeId === undefined || !old || !now) return;
  const load = loaderOf(ctx.db, storeId);
  const differences = await diff<ContentRecord>(load, rootOf(old), rootOf(now));
  const pages = differences.flatMap(({ id, before: was, after: is }): ChangedPage[] =>
    documentOf(was) === documentOf(is) ? [] : [{ id, before: documentOf(was), after: documentOf(is) }],
  );
  // The sweeper has no caller: spaces take turns.
  const source = { load, engine: engineOf(ctx, place.spaceId) };
  await carryComments(ctx.db, source, place, pages, eventId);
}

const documentOf = (record: ContentRecord | undefined): string | undefined =>
  record?.kind === 'page' && record.type === 'document' ? record.document : undefined;
