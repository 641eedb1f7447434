import type { EventReader, EventRow } from '../events/index.ts';
import { insertDeliveries, type FollowedEvent } from './delivery/insert-store.ts';
import { wakeDelivery } from './delivery/jobs.ts';
import { publishedEvent } from './messages/policy.ts';

/** Inserts a delivery of each event for each subscription that asks for it. */
export const enqueueWebhooks: EventReader = {
  name: 'webhooks',
  async read(ctx, events) {
    const followed = events.flatMap((event) => followedEvent(event) ?? []);
    if (followed.length > 0 && (await insertDeliveries(ctx.db, followed))) await wakeDelivery(ctx.db);
  },
};

function followedEvent(event: EventRow): FollowedEvent | undefined {
  const { type, organization_id, space_id, at, data } = event;
  // A newer version may have recorded types that are not known here.
  const published = publishedEvent(type);
  if (!published) return undefined;
  const row = { type, organization_id, space_id, data, at: at.toISOString() };
  if (published.about === 'space')
    return space_id === null
      ? undefined
      : { ...row, of_space: space_id, of_site: null, resource: `space:${space_id}` };
  if ('slug' in data) return { ...row, of_space: null, of_site: null, resource: `openapi:${data.slug}` };
  if (!('siteId' in data)) return undefined;
  return { ...row, of_space: null, of_site: data.siteId, resource: `site:${data.siteId}` };
}
