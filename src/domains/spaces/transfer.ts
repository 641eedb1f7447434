import type { Context } from '../../platform/api/context.ts';
import { conflict, preconditionFailed } from '../../platform/api/errors.ts';
import { requireMay } from '../../platform/api/resource.ts';
import {
  positionAtEnd,
  getPositionOfCollection,
  listIdsInside,
  lockOrder,
  moveCollection,
  type CollectionRow,
} from '../collections/index.ts';
import { deleteForeignGrants } from '../access/index.ts';
import { getOrganization, organizations } from '../organizations/index.ts';
import type { SpaceRow } from './policy.ts';
import { moveSpacesToOrganization, getPosition, isShownOnSite, listSpaceIdsIn, moveSpace } from './store.ts';

const requireOther = (from: string, to: string) => {
  if (from === to) throw conflict('It already belongs to this organization.');
};

/** The foreign key of `site_spaces` excludes that a site is given the space meanwhile. */
async function requireNoSite(ctx: Context, spaceIds: readonly string[]): Promise<void> {
  if (await isShownOnSite(ctx.db, spaceIds)) {
    throw preconditionFailed(
      'A site of the organization shows this content. Remove it from the site before you transfer it.',
    );
  }
}

const TRANSFER_COLLECTION = 'transfer this collection: that requires admin of both organizations';

/** Moves a space to the root of another organization, with everything inside it. */
export async function transferSpaceTo(ctx: Context, space: SpaceRow, organizationId: string): Promise<void> {
  requireOther(space.organization_id, organizationId);
  await lockOrder(ctx.db, [space.organization_id, organizationId]);
  await getPosition(ctx.db, space.organization_id, space.space_id);
  await requireNoSite(ctx, [space.space_id]);
  await deleteForeignGrants(ctx.db, [{ space_id: space.space_id }], organizationId);
  const root = { organizationId, parentId: null };
  await moveSpace(ctx.db, space.space_id, { ...root, position: await positionAtEnd(ctx.db, root) });
}

/**
 * Transfers a collection with the collections and spaces in it, deleted ones too. Some of them may be restricted; only
 * an admin of the organization is an admin of all of them.
 */
export async function transferCollectionTo(
  ctx: Context,
  collection: CollectionRow,
  organizationId: string,
): Promise<void> {
  const organization = await getOrganization(ctx.db, ctx.caller.id, collection.organization_id);
  requireMay(organizations, 'admin', organization, ctx.caller.id, TRANSFER_COLLECTION);
  requireOther(collection.organization_id, organizationId);
  await lockOrder(ctx.db, [collection.organization_id, organizationId]);
  await getPositionOfCollection(ctx.db, collection.organization_id, collection.collection_id);
  const collectionIds = await listIdsInside(ctx.db, collection.collection_id);
  const spaceIds = await listSpaceIdsIn(ctx.db, collectionIds);
  await requireNoSite(ctx, spaceIds);
  const subjects = [
    ...collectionIds.map((id) => ({ collection_id: id })),
    ...spaceIds.map((id) => ({ space_id: id })),
  ];
  await deleteForeignGrants(ctx.db, subjects, organizationId);
  const root = { organizationId, parentId: null, path: [] };
  const position = await positionAtEnd(ctx.db, root);
  await moveCollection(ctx.db, collection.collection_id, { ...root, position });
  await moveSpacesToOrganization(ctx.db, collectionIds, organizationId);
}
