import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { listOf, ListQuery } from '../../platform/api/schema.ts';
import { organizations } from '../organizations/index.ts';
import { presentPages, SearchSpace, searchSpaces, titlesAboveIn } from '../search/index.ts';
import { sites } from './policy.ts';
import { SiteSearch } from './search-schema.ts';
import { scopeIn } from './search-scope.ts';
import { listSearchable } from './search-store.ts';

export const searchSiteContent = operation({
  method: 'POST',
  isReadOnly: true,
  takesTurn: true,
  path: '/v1/orgs/{organizationId}/sites/{siteId}/search',
  summary: 'Search the content of a site',
  description:
    'Returns the matching spaces of the site that you may view, each with its ten best pages. `default` searches the default ' +
    'site space of each section, or the one in the language of `currentSiteSpace`.',
  scope: 'site:search',
  params: Type.Object({ organizationId: idOf(organizations, 'view'), siteId: idOf(sites, 'view') }),
  query: ListQuery,
  body: SiteSearch,
  status: 200,
  response: listOf(SearchSpace),
  access: on(sites)('view'),
  handle: async ({ ctx, target, body, page }) => {
    const searchable = scopeIn(await listSearchable(ctx.db, ctx.caller.id, target.site_id), body);
    const found = await searchSpaces(ctx, searchable, body.query, page);
    const items = [];
    for (const { hits, ...space } of found.rows) {
      const titlesAbove = await titlesAboveIn(ctx, space.id);
      const pages = presentPages(ctx, hits, titlesAbove);
      items.push({ type: 'space' as const, ...space, pages });
    }
    return presentList({ ...found, rows: items }, (item) => item);
  },
});
