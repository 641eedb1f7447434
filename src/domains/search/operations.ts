import Type from 'typebox';
import { on, operation } from '../../platform/operation.ts';
import { presentList } from '../../platform/pagination.ts';
import { idOf } from '../../platform/resource.ts';
import { listOf } from '../../platform/schema.ts';
import { organizations } from '../organizations/index.ts';
import { spaces } from '../spaces/index.ts';
import { presentPage } from './present.ts';
import * as schema from './schema.ts';
import { searchSpace, searchSpaces } from './search.ts';
import { listReadable } from './store.ts';

export const searchSpaceContent = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/search',
  summary: 'Search the content of a space',
  description:
    'Pages that have all the words, best first: in the title, in headings, in the text; as a phrase before scattered. ' +
    'If there is none, words with a typo are forgiven, then words that are missing.',
  scope: 'space:read',
  params: Type.Object({ spaceId: idOf(spaces, 'view') }),
  query: schema.SearchQuery,
  status: 200,
  response: listOf(schema.SearchPage),
  access: on(spaces)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const hits = await searchSpace(ctx.db, target.space_id, query.query, page);
    return presentList(hits, ({ rows, terms }) => presentPage(rows, terms, ctx.addresses));
  },
});

export const searchOrganizationContent = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/search',
  summary: 'Search the content of an organization',
  description: 'The spaces that you may view and that have an answer, each with its ten best pages.',
  scope: 'organization:search',
  params: Type.Object({ organizationId: idOf(organizations, 'view') }),
  query: schema.SearchQuery,
  status: 200,
  response: listOf(schema.SearchSpace),
  access: on(organizations)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const readable = await listReadable(ctx.db, ctx.caller.id, target.organization_id);
    const found = await searchSpaces(ctx.db, readable, query.query, page);
    return presentList(found, ({ id, title, hits }) => ({
      id,
      title,
      pages: hits.map(({ rows, terms }) => presentPage(rows, terms, ctx.addresses)),
    }));
  },
});
