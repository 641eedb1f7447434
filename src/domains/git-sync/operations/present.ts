import type { Addresses } from '../../../platform/api/context.ts';
import type { GitOperationRow } from '../policy.ts';
import type { LogEntry } from '../schema.ts';

/** `log`: only where one operation is shown. */
export const presentOperation = (row: GitOperationRow, addresses: Addresses, log?: readonly LogEntry[]) => ({
  object: 'git-operation' as const,
  id: row.git_operation_id,
  state: row.state,
  direction: row.direction,
  cause: row.cause,
  stage: row.stage ?? undefined,
  dispatchedTasks: row.dispatched_tasks,
  completedTasks: row.completed_tasks,
  url: row.request.url,
  ref: row.request.ref,
  directory: row.request.directory === '' ? undefined : row.request.directory,
  commit: row.commit_id ?? undefined,
  revision: row.revision_id ?? undefined,
  changeRequest: row.change_request_id ?? undefined,
  log: log && [...log],
  error: row.error ?? undefined,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString(),
  updatedAt: row.seen_at?.toISOString(),
  completedAt: row.completed_at?.toISOString(),
  urls: { location: addresses.of(`/v1/spaces/${row.space_id}/git/operations/${row.git_operation_id}`) },
});
