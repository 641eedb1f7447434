import type { Context } from '../../platform/api/context.ts';
import { notFound } from '../../platform/api/errors.ts';
import type { Several } from '../../platform/api/operation.ts';
import { recordEvent } from '../events/index.ts';
import type { SpaceRow } from '../spaces/index.ts';
import { asUser } from '../users/index.ts';
import type { ChangeRequestRow } from './policy.ts';
import { insertChangeRequests, type Inserted } from './store.ts';

export interface Creation {
  readonly ctx: Context;
  readonly target: SpaceRow;
  readonly body: { readonly subject?: string | undefined; readonly agentTaskId?: string | undefined };
}

/**
 * Creates change requests of one space, in their order: each a draft that proposes the present content of the space.
 */
export async function createRequests(creations: Several<Creation>): Promise<ChangeRequestRow[]> {
  const { db } = creations[0].ctx;
  const inserted = await insertChangeRequests(
    db,
    creations[0].target.space_id,
    creations.map(({ ctx, body }) => ({
      author_id: ctx.caller.id,
      subject: body.subject ?? '',
      agent_task_id: body.agentTaskId,
    })),
  );
  const rows = creations.map((creation, index) => {
    const row = inserted[index];
    // The space was deleted after it had been found.
    if (!row) throw notFound('Space');
    return asCreated(creation, row);
  });
  for (const { organization_id: organizationId, space_id: spaceId, ...row } of rows) {
    const data = { changeRequestId: row.change_request_id, userId: row.author_id };
    await recordEvent(db, { type: 'change_request_created', organizationId, spaceId, data });
  }
  return rows;
}

/** The row as a query would return it: rows that were just written are not queried again. */
const asCreated = (
  { ctx, target, body }: Creation,
  { id, number, revision_id }: Inserted,
): ChangeRequestRow => ({
  organization_id: target.organization_id,
  space_id: target.space_id,
  role: target.role,
  change_request_id: id,
  change_request_number: String(number),
  number,
  status: 'draft',
  subject: body.subject ?? '',
  description: null,
  author_id: ctx.caller.id,
  author: asUser(ctx.caller),
  request_revision_id: revision_id,
  initial_revision_id: revision_id,
  ancestor_revision_id: revision_id,
  merged_revision_id: null,
  primary_revision_id: revision_id,
  open_comments: 0,
  version: 1,
  created_at: ctx.now(),
  updated_at: ctx.now(),
});
