import type { NodeHash } from '../../content-engine/map/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { newId } from '../../platform/api/ids.ts';
import {
  type Base,
  columnOf,
  type Content,
  insertRevision,
  loaderOf,
  rootOf,
  storeChanges,
  treeAt,
} from '../revisions/index.ts';
import { recordEvent } from '../events/index.ts';
import { moveRequest, type Locked } from './store.ts';
import { noteContribution } from './people-store.ts';

interface Where {
  readonly organization_id: string;
  readonly change_request_id: string;
  readonly space_id: string;
}

interface Proposal {
  /** Brought in by an update, or made by somebody, who contributes by it. */
  readonly type: 'update' | 'edits';
  /** First the one that was proposed before. */
  readonly parents: readonly [string, ...string[]];
  readonly root: NodeHash;
  /** What of the space is in it from now on. */
  readonly ancestorId?: string;
}

/** The next thing that a request proposes. */
export async function propose(
  ctx: Context,
  row: Where,
  { type, parents, root, ancestorId }: Proposal,
): Promise<string> {
  const { organization_id: organizationId, space_id: spaceId, change_request_id: id } = row;
  const revisionId = newId();
  const revision = { id: revisionId, type, parents, root: columnOf(root), authorId: ctx.caller.id };
  await insertRevision(ctx.db, spaceId, revision);
  await moveRequest(ctx.db, id, revisionId, ancestorId);
  if (type === 'edits') await noteContribution(ctx.db, id, ctx.caller.id, 'edit');
  await recordEvent(ctx.db, {
    type: 'change_request_content_updated',
    organizationId,
    spaceId,
    data: { changeRequestId: id, previousRevisionId: parents[0], revisionId },
  });
  return revisionId;
}

/** The same, made of its present one by somebody. Where nothing changed, that stays. */
export async function proposeEdit(ctx: Context, row: Where, base: Base, content: Content): Promise<string> {
  const root = await storeChanges(ctx.db, base, content);
  if (root === rootOf(base)) return base.revision_id;
  return propose(ctx, row, { type: 'edits', parents: [base.revision_id], root });
}

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
