import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { Collection, collections, getCollection, presentCollection } from '../collections/index.ts';
import { deleteCollectionWithContents } from './delete.ts';
import { moveCollectionTo } from './move.ts';
import * as schema from './schema.ts';
import { transferCollectionTo } from './transfer.ts';

/** Operations on a collection that also change spaces: its contents or its siblings. */

const CollectionPath = Type.Object({ collectionId: idOf(collections, 'view') });
const mayOnCollection = on(collections);
const version = (collection: { version: number }) => collection.version;

export const deleteCollectionById = operation({
  method: 'DELETE',
  path: '/v1/collections/{collectionId}',
  summary: 'Delete a collection',
  description:
    'Deletes its nested collections too. Its spaces become deleted spaces, which can be restored to the root.',
  scope: 'space:write',
  params: CollectionPath,
  status: 205,
  access: mayOnCollection('admin'),
  version,
  handle: ({ ctx, target }) => deleteCollectionWithContents(ctx, target),
});

export const moveCollection = operation({
  method: 'POST',
  path: '/v1/collections/{collectionId}/move',
  summary: 'Move a collection within its organization',
  scope: 'space:write',
  params: CollectionPath,
  body: schema.Move,
  status: 200,
  response: Collection,
  access: mayOnCollection('create'),
  version,
  handle: async ({ ctx, target, body }) => {
    await moveCollectionTo(ctx, target, body);
    const moved = await getCollection(ctx.db, ctx.caller.id, target.collection_id);
    return presentCollection(moved, ctx.caller.id, ctx.addresses);
  },
});

export const transferCollection = operation({
  method: 'POST',
  path: '/v1/collections/{collectionId}/transfer',
  summary: 'Transfer a collection to another organization',
  description:
    'Transfers its nested collections and spaces too. Requires admin of both organizations. A collection with a space that ' +
    'a site shows cannot be transferred: 412.',
  scope: 'space:write',
  params: CollectionPath,
  body: schema.Transfer,
  status: 200,
  response: Collection,
  access: mayOnCollection('admin'),
  version,
  handle: async ({ ctx, target, body }) => {
    await transferCollectionTo(ctx, target, body.organization);
    const transferred = await getCollection(ctx.db, ctx.caller.id, target.collection_id);
    return presentCollection(transferred, ctx.caller.id, ctx.addresses);
  },
});
