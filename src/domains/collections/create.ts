import type { Context } from '../../platform/api/context.ts';
import { badRequest } from '../../platform/api/errors.ts';
import { putGrant } from '../access/index.ts';
import { positionAtEnd } from './order.ts';
import { getPath, insertCollection } from './store.ts';

export const MAX_DEPTH = 8;

export const tooDeep = () => badRequest(`Collections can be nested at most ${MAX_DEPTH} levels deep.`);

/** A new collection, at the end of its parent; its creator is its admin. */
export async function createCollectionIn(
  ctx: Context,
  organizationId: string,
  input: { title?: string | undefined; parent?: string | undefined },
): Promise<string> {
  const parent = { organizationId, parentId: input.parent ?? null };
  const position = await positionAtEnd(ctx.db, parent);
  const path = await getPath(ctx.db, parent);
  if (path.length >= MAX_DEPTH) throw tooDeep();
  const id = await insertCollection(
    ctx.db,
    { ...parent, path },
    { title: input.title || 'Untitled', position },
  );
  await putGrant(ctx.db, organizationId, { collection_id: id }, { user_id: ctx.caller.id }, 'admin');
  return id;
}
