import type { EventName, EventReader } from '../events/index.ts';
import { enqueueExpansion } from './jobs.ts';
import { listSpacesOf, listSpacesWithSpecs } from './store.ts';

/** A space that returns, or that is of another organization, was not told of new specifications. */
const MAY_CHANGE_PAGES: ReadonlySet<EventName> = new Set([
  'space_content_updated',
  'space_restored',
  'space_transferred',
]);

/** Entries are expanded when they, their pages or their specification have changed, by any operation. */
export const followSpecs: EventReader = {
  name: 'openapi.expand',
  async read(ctx, events) {
    const spaceIds = new Set<string>();
    const specs = new Map<string, { readonly organizationId: string; readonly slug: string }>();
    for (const { type, organization_id: organizationId, space_id: spaceId, data } of events) {
      if (MAY_CHANGE_PAGES.has(type) && spaceId !== null) spaceIds.add(spaceId);
      if (type === 'openapi_spec_updated')
        specs.set(`${organizationId} ${data.slug}`, { organizationId, slug: data.slug });
    }
    const found = spaceIds.size === 0 ? [] : await listSpacesWithSpecs(ctx.db, [...spaceIds]);
    for (const spec of specs.values()) found.push(...(await listSpacesOf(ctx.db, spec)));
    const spaces = new Map(found.map((space) => [space.id, space.organization_id]));
    for (const [id, organizationId] of spaces) await enqueueExpansion(ctx.db, id, organizationId);
  },
};
