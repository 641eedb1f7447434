import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { listOf } from '../../platform/api/schema.ts';
import { organizations } from '../organizations/index.ts';
import { spaces } from '../spaces/index.ts';
import { presentPages } from './present.ts';
import * as schema from './schema.ts';
import { searchSpace, searchSpaces } from './search.ts';
import { titlesAboveIn } from './titles-above.ts';
import { listReadable } from './query-store.ts';

export const searchSpaceContent = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/search',
  takesTurn: true,
  summary: 'Search the content of a space',
  description:
    'Returns the pages that contain all words, ranked: exact title or navigation label, then matches in the title, in ' +
    'headings, in the text; phrases before scattered words. Identifiers match as a whole and by their parts. If no page ' +
    'contains all words, typos are tolerated (in the first eight words of four letters or more), then missing words.',
  scope: 'space:read',
  params: Type.Object({ spaceId: idOf(spaces, 'view') }),
  query: schema.SearchQuery,
  status: 200,
  response: listOf(schema.SearchPage),
  access: on(spaces)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const hits = await searchSpace(ctx, target.space_id, query.query, page);
    const titlesAbove = hits.rows.length > 0 ? await titlesAboveIn(ctx, target.space_id) : undefined;
    const pages = presentPages(ctx, hits.rows, titlesAbove);
    return presentList({ ...hits, rows: pages }, (page) => page);
  },
});

export const searchOrganizationContent = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/search',
  takesTurn: true,
  summary: 'Search the content of an organization',
  description: 'Returns the matching spaces that you may view, each with its ten best pages.',
  scope: 'organization:search',
  params: Type.Object({ organizationId: idOf(organizations, 'view') }),
  query: schema.SearchQuery,
  status: 200,
  response: listOf(schema.SearchSpace),
  access: on(organizations)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const readable = await listReadable(ctx.db, ctx.caller.id, target.organization_id);
    const found = await searchSpaces(ctx, readable, query.query, page);
    const spaces = [];
    for (const { hits, ...space } of found.rows) {
      // The trees of all its spaces would be too large to read for each search.
      const pages = presentPages(ctx, hits, undefined);
      spaces.push({ type: 'space' as const, ...space, pages });
    }
    return presentList({ ...found, rows: spaces }, (space) => space);
  },
});
