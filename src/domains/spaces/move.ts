import type { Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { badRequest } from '../../platform/api/errors.ts';
import { requireMay } from '../../platform/api/resource.ts';
import {
  collections,
  getPath,
  getPlaceOfCollection,
  heightOf,
  lockOrder,
  moveCollection,
  placeIn,
  tooDeep,
  MAX_DEPTH,
  type CollectionRow,
  type Pointers,
} from '../collections/index.ts';
import { getOrganization, requireCreateContent } from '../organizations/index.ts';
import { getPlace, moveSpace } from './store.ts';
import type { Move } from './schema.ts';
import { spaces, type SpaceRow } from './policy.ts';

type MoveInput = Static<typeof Move>;

/** All moves of an organization go one after another, and decide on what they find then. */
export async function moveSpaceTo(ctx: Context, space: SpaceRow, input: MoveInput): Promise<void> {
  const { organization_id: organizationId, space_id: id } = space;
  await requireRoot(ctx, organizationId, input);
  await lockOrder(ctx.db, [organizationId]);
  const moving = await getPlace(ctx.db, organizationId, id);
  if (changesParent(input, moving)) requireMay(spaces, 'admin', space, ctx.caller.id, INTO_ANOTHER);
  const parent = { organizationId, parentId: input.parent === undefined ? moving.parentId : input.parent };
  const position = await placeIn(ctx.db, parent, pointersOf(input), moving);
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
  const moving = await getPlaceOfCollection(ctx.db, organizationId, id);
  if (changesParent(input, moving)) requireMay(collections, 'admin', collection, ctx.caller.id, INTO_ANOTHER);
  const parent = { organizationId, parentId: input.parent === undefined ? moving.parentId : input.parent };
  const path = await getPath(ctx.db, parent);
  if (path.includes(id))
    throw badRequest('A collection cannot be moved into itself or into a collection that it contains.');
  const position = await placeIn(ctx.db, parent, pointersOf(input), moving);
  if (path.length + 1 + (await heightOf(ctx.db, id)) > MAX_DEPTH) throw tooDeep();
  await moveCollection(ctx.db, id, { ...parent, path, position });
}

/**
 * What inherits gets other rules in another collection, and perhaps another admin: only who could give it away anyway
 * may take it there.
 */
const changesParent = ({ parent }: MoveInput, moving: { readonly parentId: string | null }): boolean =>
  parent !== undefined && parent !== moving.parentId;

const INTO_ANOTHER = 'move this to another parent: that requires admin on it';

/** Out of all collections: then it is the organization that says who may. */
async function requireRoot(ctx: Context, organizationId: string, { parent }: MoveInput): Promise<void> {
  if (parent === null)
    requireCreateContent(await getOrganization(ctx.db, ctx.caller.id, organizationId), ctx.caller.id);
}

function pointersOf({ position }: MoveInput): Pointers {
  const idOf = (pointer: NonNullable<MoveInput['position']>['before']) =>
    pointer && (pointer.type === 'space' ? pointer.space : pointer.collection);
  return { before: idOf(position?.before), after: idOf(position?.after) };
}
