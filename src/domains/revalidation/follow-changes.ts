import type { EventReader } from '../events/index.ts';
import { announceTags } from './jobs.ts';
import { tagsOf } from './tags.ts';

/** Collects the tags of each site that changed. Sites and spaces record these events by triggers. */
export const followSiteChanges: EventReader = {
  name: 'sites.revalidate',
  async read(ctx, events) {
    const tags = new Map<string, Set<string>>();
    for (const { type, space_id: spaceId, data } of events) {
      if (type !== 'site_changed') continue;
      const ofSite = tags.get(data.siteId) ?? new Set();
      for (const tag of tagsOf(data.siteId, spaceId)) ofSite.add(tag);
      tags.set(data.siteId, ofSite);
    }
    for (const [siteId, ofSite] of tags) await announceTags(ctx.db, siteId, [...ofSite], ctx.now());
  },
};
