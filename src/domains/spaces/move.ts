import type { Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { badRequest } from '../../platform/api/errors.ts';
import { requireMay } from '../../platform/api/resource.ts';
import {
  collections,
  getPath,
  getPositionOfCollection,
  heightOf,
  lockOrder,
  moveCollection,
  positionFor,
  tooDeep,
  MAX_DEPTH,
  type CollectionRow,
  type Pointers,
} from '../collections/index.ts';
import { getOrganization, requireCreateContent } from '../organizations/index.ts';
import { getPosition, moveSpace } from './store.ts';
import type { Move } from './schema.ts';
import { spaces, type SpaceRow } from './policy.ts';

type MoveInput = Static<typeof Move>;

/** Moves in one organization are serialised: each decides on the state that it finds. */
export async function moveSpaceTo(ctx: Context, space: SpaceRow, input: MoveInput): Promise<void> {
  const { organization_id: organizationId, space_id: id } = space;
  await requireRoot(ctx, organizationId, input);
  await lockOrder(ctx.db, [organizationId]);
  const moving = await getPosition(ctx.db, organizationId, id);
  if (changesParent(input, moving)) requireMay(spaces, 'admin', space, ctx.caller.id, INTO_ANOTHER);
  const parent = { organizationId, parentId: input.parent === undefined ? moving.parentId : input.parent };
  const position = await positionFor(ctx.db, parent, pointersOf(input), moving);
  await moveSpace(ctx.db, id, { ...parent, position });
}

export async function moveCollectionTo(
  ctx: Context,
  collection: CollectionRow,
  input: MoveInput,
): Promise<void> {
  const { organization_id: organizationId, collection_id: id } = collection;
  await requireRoot(ctx, organizationId, input);
  await lockOrder(ctx.db, [organizationId]);
  const moving = await getPositionOfCollection(ctx.db, organizationId, id);
  if (changesParent(input, moving)) requireMay(collections, 'admin', collection, ctx.caller.id, INTO_ANOTHER);
  const parent = { organizationId, parentId: input.parent === undefined ? moving.parentId : input.parent };
  const path = await getPath(ctx.db, parent);
  if (path.includes(id))
    throw badRequest('A collection cannot be moved into itself or into a collection that it contains.');
  const position = await positionFor(ctx.db, parent, pointersOf(input), moving);
  if (path.length + 1 + (await heightOf(ctx.db, id)) > MAX_DEPTH) throw tooDeep();
  await moveCollection(ctx.db, id, { ...parent, path, position });
}

/**
 * An item that inherits its default level gets that of the new collection, and perhaps other admins: only an admin of
 * the item may move it.
 */
const changesParent = ({ parent }: MoveInput, moving: { readonly parentId: string | null }): boolean =>
  parent !== undefined && parent !== moving.parentId;

const INTO_ANOTHER = 'move this to another parent: that requires admin on it';

/** Moving to the root requires a role in the organization. */
async function requireRoot(ctx: Context, organizationId: string, { parent }: MoveInput): Promise<void> {
  if (parent === null)
    requireCreateContent(await getOrganization(ctx.db, ctx.caller.id, organizationId), ctx.caller.id);
}

function pointersOf({ position }: MoveInput): Pointers {
  const idOf = (pointer: NonNullable<MoveInput['position']>['before']) =>
    pointer && (pointer.type === 'space' ? pointer.space : pointer.collection);
  return { before: idOf(position?.before), after: idOf(position?.after) };
}
