import type { NodeHash } from '../../content-engine/map/index.ts';
import type { Context } from '../../platform/api/context.ts';
import type { SpaceRow } from '../spaces/index.ts';
import { addRevision } from './add-revision.ts';
import { createRequests } from './create.ts';
import type { ChangeRequestRow } from './policy.ts';
import { changeStatus } from './status.ts';
import { findChangeRequest, setTexts } from './store.ts';

/** Content that was made outside of change requests, such as by an import. */
export interface Proposed {
  readonly subject: string;
  readonly root: NodeHash;
  /** The revision of the space that it is based on. */
  readonly ancestorId: string;
  /** Whether an archived request for an older version is opened again, instead of a new one. */
  readonly mayReopen?: boolean;
}

/** A request for an older version of the content. */
export interface EarlierProposal {
  readonly changeRequestId: string;
  readonly revisionId: string;
}

const MAX_SUBJECT = 100;

/** Drops a half of a character that is cut in two: PostgreSQL does not store it. */
const shortened = (subject: string): string => subject.slice(0, MAX_SUBJECT).replace(/\p{Cs}$/u, '');

/**
 * Opens a change request that proposes the content. `earlier` is a request for an older version of it, which is updated
 * instead, unless it was edited, merged or archived since.
 */
export async function proposeContent(
  ctx: Context,
  space: SpaceRow,
  { subject, root, ancestorId, mayReopen = false }: Proposed,
  earlier?: EarlierProposal,
): Promise<{ readonly changeRequestId: string; readonly number: number; readonly revisionId: string }> {
  const known = earlier && (await findUnedited(ctx, earlier));
  const isUnchanged =
    known?.status === 'open' || known?.status === 'draft' || (mayReopen && known?.status === 'archived');
  const creation = { ctx, target: space, body: { subject: shortened(subject) } };
  const row = known && isUnchanged ? known : (await createRequests([creation]))[0];
  if (!row) throw new Error('No change request was created');
  if (isUnchanged) await renewSubject(ctx, row, subject);
  const parents = [row.request_revision_id] as const;
  const revisionId = await addRevision(ctx, row, { type: 'edits', parents, root, ancestorId });
  await changeStatus(ctx, row, 'open');
  return { changeRequestId: row.change_request_id, number: row.number, revisionId };
}

/** Undefined: it was edited since, or deleted. */
async function findUnedited(
  ctx: Context,
  { changeRequestId, revisionId }: EarlierProposal,
): Promise<ChangeRequestRow | undefined> {
  const found = await findChangeRequest(ctx.db, ctx.caller.id, changeRequestId);
  return found?.request_revision_id === revisionId ? found : undefined;
}

/** The part before the first colon names the origin. A subject that was changed by hand has another one, and stays. */
async function renewSubject(ctx: Context, row: ChangeRequestRow, subject: string): Promise<void> {
  const [origin = ''] = subject.split(':', 1);
  const renewed = shortened(subject);
  if (row.subject !== renewed && row.subject.startsWith(`${origin}:`))
    await setTexts(ctx.db, row.change_request_id, { subject: renewed });
}

/** Archives a request whose content is not proposed any more. Undefined: it was edited, merged or archived since, and stays. */
export async function withdrawContent(
  ctx: Context,
  earlier: EarlierProposal,
): Promise<{ readonly number: number } | undefined> {
  const row = await findUnedited(ctx, earlier);
  if (row?.status !== 'open' && row?.status !== 'draft') return undefined;
  await changeStatus(ctx, row, 'archived');
  return { number: row.number };
}
