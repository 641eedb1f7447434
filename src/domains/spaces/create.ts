import type { Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { positionAtEnd, lockOrder, positionFor } from '../collections/index.ts';
import { copySpaceGrants, putGrant } from '../access/index.ts';
import type { SpaceRow } from './policy.ts';
import type { NewSpace } from './schema.ts';
import { copySpace, getPosition, insertSpace, lockSpace } from './store.ts';

/** Creates a space at the end of its parent. Its creator, if any, becomes its admin. */
export async function createSpaceIn(
  db: Database,
  organizationId: string,
  input: Static<typeof NewSpace>,
  creatorId: string | undefined,
): Promise<string> {
  const parent = { organizationId, parentId: input.parent ?? null };
  const id = await insertSpace(db, { ...parent, position: await positionAtEnd(db, parent) }, input);
  if (creatorId) await putGrant(db, organizationId, { space_id: id }, { user_id: creatorId }, 'admin');
  return id;
}

/** Copies a space, to the position after the original, with its permissions. */
export async function copyWithGrants(ctx: Context, space: SpaceRow): Promise<string> {
  const { organization_id: organizationId, space_id: originalId } = space;
  await lockOrder(ctx.db, [organizationId]);
  // Until the transaction ends: the revision and the indexes that are copied belong together.
  await lockSpace(ctx.db, originalId);
  const { parentId } = await getPosition(ctx.db, organizationId, originalId);
  const copy = { id: '', parentId: null, position: '' };
  const position = await positionFor(ctx.db, { organizationId, parentId }, { after: originalId }, copy);
  const title = [...`Copy of ${space.title}`].slice(0, 50).join('');
  const id = await copySpace(ctx.db, originalId, { title, position });
  await copySpaceGrants(ctx.db, originalId, id);
  await putGrant(ctx.db, organizationId, { space_id: id }, { user_id: ctx.caller.id }, 'admin');
  return id;
}
