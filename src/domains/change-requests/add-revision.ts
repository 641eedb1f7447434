import type { NodeHash } from '../../content-engine/map/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { newId } from '../../platform/api/ids.ts';
import { readTree, type Base, columnOf, type Content, rootOf, writeContent } from '../content-store/index.ts';
import { insertProposedRevision } from '../revisions/index.ts';
import { recordEvent } from '../events/index.ts';
import { setProposedRevision, type Locked } from './store.ts';
import { addContribution } from './people-store.ts';

interface Location {
  readonly organization_id: string;
  readonly change_request_id: string;
  readonly space_id: string;
}

interface Proposal {
  /** An update from the space, or an edit, which makes its author a contributor. */
  readonly type: 'update' | 'edits';
  /** First the revision that was proposed before. */
  readonly parents: readonly [string, ...string[]];
  readonly root: NodeHash;
  /** The revision of the space that is merged into it from now on. */
  readonly ancestorId?: string;
}

/** Adds the next revision of a change request. */
export async function addRevision(
  ctx: Context,
  row: Location,
  { type, parents, root, ancestorId }: Proposal,
): Promise<string> {
  const { organization_id: organizationId, space_id: spaceId, change_request_id: id } = row;
  const revisionId = newId();
  const revision = { id: revisionId, type, parents, root: columnOf(root), authorId: ctx.caller.id };
  await insertProposedRevision(ctx.db, spaceId, revision);
  await setProposedRevision(ctx.db, id, revisionId, ancestorId);
  if (type === 'edits') await addContribution(ctx.db, id, ctx.caller.id, 'edit');
  await recordEvent(ctx.db, {
    type: 'change_request_content_updated',
    organizationId,
    spaceId,
    data: { changeRequestId: id, previousRevisionId: parents[0], revisionId },
  });
  return revisionId;
}

/** Adds the revision of an edit of the proposed content. Returns the proposed revision if nothing changed. */
export async function addEditedRevision(
  ctx: Context,
  row: Location,
  base: Base,
  content: Content,
): Promise<string> {
  const root = await writeContent(ctx, base, content);
  if (root === rootOf(base)) return base.revision_id;
  return addRevision(ctx, row, { type: 'edits', parents: [base.revision_id], root });
}

/** The proposed revision, with its tree. */
export async function baseOf(
  ctx: Context,
  storeId: string,
  { revision_id, root }: Pick<Locked, 'revision_id' | 'root'>,
): Promise<Base> {
  return {
    store_id: storeId,
    revision_id,
    root,
    tree: await readTree(ctx, { store_id: storeId, root }),
  };
}
