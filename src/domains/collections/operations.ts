import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { listOf } from '../../platform/api/schema.ts';
import { organizations, requireCreateContent } from '../organizations/index.ts';
import { createCollectionIn } from './create.ts';
import { collections } from './policy.ts';
import { presentCollection } from './present.ts';
import { Collection, CollectionPatch, CollectionQuery, NewCollection } from './schema.ts';
import * as store from './store.ts';

const OrganizationPath = Type.Object({ organizationId: idOf(organizations, 'view') });
const CollectionPath = Type.Object({ collectionId: idOf(collections, 'view') });
const mayOnCollection = on(collections);

export const listCollectionsInOrganizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/collections',
  summary: 'List the collections of an organization',
  description:
    'Lists the collections that you may view, in their display order: nested collections follow their parent. A collection ' +
    'that is moved while you page through the list may appear twice or not at all.',
  scope: 'space:read',
  params: OrganizationPath,
  query: CollectionQuery,
  status: 200,
  response: listOf(Collection),
  access: on(organizations)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const nested = query.nested ?? true;
    const rows = await store.listCollections(ctx.db, ctx.caller.id, target.organization_id, nested, page);
    return presentList(rows, (row) => presentCollection(row, ctx.caller.id, ctx.addresses));
  },
});

export const createCollection = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/collections',
  summary: 'Create a collection',
  description:
    'Appends it to the collection `parent`, which requires the role create there, or to the root of the organization.',
  scope: 'space:write',
  params: OrganizationPath,
  body: NewCollection,
  bodyOptional: true,
  status: 201,
  response: Collection,
  access: on(organizations)('view'),
  handle: async ({ ctx, target, body }) => {
    if (!body.parent) requireCreateContent(target, ctx.caller.id);
    const id = await createCollectionIn(ctx, target.organization_id, body);
    return presentCollection(
      await store.getCollection(ctx.db, ctx.caller.id, id),
      ctx.caller.id,
      ctx.addresses,
    );
  },
});

export const getCollectionById = operation({
  method: 'GET',
  path: '/v1/collections/{collectionId}',
  summary: 'Get a collection',
  scope: 'space:read',
  params: CollectionPath,
  status: 200,
  response: Collection,
  access: mayOnCollection('view'),
  version: (collection) => collection.version,
  isCacheableByTarget: true,
  handle: async ({ ctx, target }) => presentCollection(target, ctx.caller.id, ctx.addresses),
});

export const updateCollectionById = operation({
  method: 'PATCH',
  path: '/v1/collections/{collectionId}',
  summary: 'Update a collection',
  scope: 'space:write',
  params: CollectionPath,
  body: CollectionPatch,
  status: 200,
  response: Collection,
  access: mayOnCollection('admin'),
  version: (collection) => collection.version,
  handle: async ({ ctx, target, body }) => {
    await store.updateCollection(ctx.db, target.collection_id, body);
    const updated = await store.getCollection(ctx.db, ctx.caller.id, target.collection_id);
    return presentCollection(updated, ctx.caller.id, ctx.addresses);
  },
});
