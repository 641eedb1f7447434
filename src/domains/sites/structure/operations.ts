import { on, operation } from '../../../platform/api/operation.ts';
import { sites } from '../policy.ts';
import { queueOfSite } from '../store.ts';
import { moveItem, moveSiteSpace } from './move.ts';
import { itemOf, siteSpaceOf } from './pointers.ts';
import { presentStructure } from './present.ts';
import { readGroup, readSection, readSiteSpace, readStructure } from './read.ts';
import { SitePath } from '../schema.ts';
import * as schema from './schema.ts';

const path = '/v1/orgs/{organizationId}/sites/{siteId}/structure';

export const getSiteStructure = operation({
  method: 'GET',
  path,
  summary: 'Get the structure of a site',
  description: 'Its sections and section groups, or the site spaces of a site without sections.',
  scope: 'site:read',
  params: SitePath,
  query: schema.ShareKeyQuery,
  status: 200,
  response: schema.SiteStructure,
  access: on(sites)('view'),
  version: (site) => site.config_version,
  handle: async ({ ctx, target, query }) =>
    presentStructure(await readStructure(ctx, target, query.shareKey)),
});

export const sortSiteStructure = operation({
  method: 'PATCH',
  path: `${path}/sort`,
  summary: 'Move an item of the structure of a site',
  description:
    'Places it before or after another item, in the group or section of that item. Without a position, a section or group ' +
    'becomes the last item of the site, a site space the last one of its section. Returns the item.',
  scope: 'site:write',
  params: SitePath,
  body: schema.StructureSort,
  status: 200,
  response: schema.SortedItem,
  access: on(sites)('admin'),
  version: (site) => site.config_version,
  queue: queueOfSite,
  handle: async ({ ctx, target, body: { item, position } }) => {
    const { before, after } = position;
    if (item.type === 'site-space') {
      const pointers = { before: before && siteSpaceOf(before), after: after && siteSpaceOf(after) };
      await moveSiteSpace(ctx, target, item.id, pointers);
      return readSiteSpace(ctx, target, item.id);
    }
    const pointers = { before: before && itemOf(before), after: after && itemOf(after) };
    await moveItem(ctx, target, itemOf(item), pointers);
    return item.type === 'site-section' ? readSection(ctx, target, item.id) : readGroup(ctx, target, item.id);
  },
});
