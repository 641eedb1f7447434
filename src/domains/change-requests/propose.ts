import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import {
  columnOf,
  loaderOf,
  rootOf,
  storeChanges,
  treeAt,
  type Base,
  type Content,
} from '../content/index.ts';
import { announce } from '../events/index.ts';
import { insertRevision } from '../spaces/index.ts';
import { moveRequest, type Locked } from './store.ts';
import { noteContribution } from './people/store.ts';

interface Where {
  readonly organization_id: string;
  readonly change_request_id: string;
  readonly space_id: string;
}

/** The next thing that a request proposes, made of its present one. Where nothing changed, that stays. */
export async function proposeNext(
  ctx: Context,
  row: Where,
  base: Base,
  type: 'edits',
  content: Content,
): Promise<string> {
  const { change_request_id: id } = row;
  const root = await storeChanges(ctx.db, base, content);
  if (root === rootOf(base)) return base.revision_id;
  const revisionId = newId();
  await insertRevision(ctx.db, row.space_id, {
    id: revisionId,
    type,
    parents: [base.revision_id],
    root: columnOf(root),
    authorId: ctx.caller.id,
  });
  await moveRequest(ctx.db, id, revisionId);
  await noteContribution(ctx.db, id, ctx.caller.id, 'edit');
  await announceEdit(ctx, row, base.revision_id, revisionId);
  return revisionId;
}

export const announceEdit = (
  ctx: Context,
  row: Where,
  previousRevisionId: string,
  revisionId: string,
): Promise<void> =>
  announce(ctx.db, {
    type: 'change_request_content_updated',
    organizationId: row.organization_id,
    spaceId: row.space_id,
    data: { changeRequestId: row.change_request_id, previousRevisionId, revisionId },
  });

/** What a request proposes, and the tree of it. */
export async function baseOf(
  ctx: Context,
  storeId: string,
  { revision_id, root }: Pick<Locked, 'revision_id' | 'root'>,
): Promise<Base> {
  return {
    store_id: storeId,
    revision_id,
    root,
    tree: await treeAt(loaderOf(ctx.db, storeId), rootOf({ root })),
  };
}
