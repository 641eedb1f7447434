import type { Context } from '../../platform/context.ts';
import { badRequest } from '../../platform/errors.ts';
import { putGrant } from '../grants/index.ts';
import { endOf } from './order.ts';
import { getWay, insertCollection } from './store.ts';

export const MAX_DEPTH = 8;

export const tooDeep = () =>
  badRequest(`Collections can be nested ${MAX_DEPTH} deep, and this would be deeper.`);

/** A new collection, at the end of its parent; its creator is its admin. */
export async function createCollectionIn(
  ctx: Context,
  organizationId: string,
  input: { title?: string | undefined; parent?: string | undefined },
): Promise<string> {
  const parent = { organizationId, parentId: input.parent ?? null };
  const position = await endOf(ctx.db, parent);
  const way = await getWay(ctx.db, parent);
  if (way.path.length >= MAX_DEPTH) throw tooDeep();
  const id = await insertCollection(
    ctx.db,
    { ...parent, ...way },
    { title: input.title || 'Untitled', position },
  );
  await putGrant(ctx.db, organizationId, { collection_id: id }, { user_id: ctx.caller.id }, 'admin');
  return id;
}
