import type { Context } from '../../platform/api/context.ts';
import { conflict, notFound } from '../../platform/api/errors.ts';
import {
  deleteCollections,
  positionsAtEnd,
  getPositionOfCollection,
  listIdsInside,
  lockOrder,
  type CollectionRow,
} from '../collections/index.ts';
import type { SpaceRow } from './policy.ts';
import { deleteToRoot, markDeleted, restore } from './deleted-store.ts';
import { listSpaceIdsIn } from './store.ts';

export async function deleteSpace(ctx: Context, space: SpaceRow): Promise<void> {
  if (!(await markDeleted(ctx.db, space.space_id))) throw notFound('Space');
}

export async function restoreDeleted(ctx: Context, space: SpaceRow): Promise<void> {
  if (space.deleted_at === null) throw conflict('This space is not deleted.');
  await restore(ctx.db, space.space_id);
}

/** Deletes the collections in it, too. Spaces in it are deleted as well, and are restored to the root. */
export async function deleteCollectionWithContents(ctx: Context, collection: CollectionRow): Promise<void> {
  const { organization_id: organizationId, collection_id: id } = collection;
  await lockOrder(ctx.db, [organizationId]);
  await getPositionOfCollection(ctx.db, organizationId, id);
  const spaceIds = await listSpaceIdsIn(ctx.db, await listIdsInside(ctx.db, id));
  const positions = await positionsAtEnd(ctx.db, { organizationId, parentId: null }, spaceIds.length);
  await deleteToRoot(ctx.db, spaceIds, positions);
  await deleteCollections(ctx.db, id);
}
