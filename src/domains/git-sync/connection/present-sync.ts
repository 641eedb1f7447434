import type { Context } from '../../../platform/api/context.ts';
import type { ConnectionRow } from './connection-store.ts';
import type { GitOperationRow } from '../policy.ts';
import { presentOperation } from '../operations/present.ts';
import { webhookPath, webhookSecret } from './webhook.ts';

const STATES = {
  queued: 'synchronizing',
  running: 'synchronizing',
  success: 'synchronized',
  skipped: 'synchronized',
  failure: 'failed',
} as const;

type SyncState = 'waiting' | 'conflict' | (typeof STATES)[keyof typeof STATES];

function stateOf(row: ConnectionRow, last: GitOperationRow | undefined): SyncState {
  if (row.poll_error !== null) return 'failed';
  if (!last) return 'waiting';
  return last.change_request_id !== null && !last.request.pullRequest ? 'conflict' : STATES[last.state];
}

/** `last`: the last operation of the connected branch. */
export function presentSync(
  { addresses, keys, caller }: Pick<Context, 'addresses' | 'keys' | 'caller'>,
  row: ConnectionRow,
  last: GitOperationRow | undefined,
) {
  return {
    object: 'git-sync' as const,
    url: row.url,
    ref: row.ref,
    directory: row.directory === '' ? undefined : row.directory,
    hasCredential: row.credential !== null,
    direction: row.direction,
    provider: row.provider ?? undefined,
    repoTreeURL: row.tree_url ?? undefined,
    repoCommitURL: row.commit_url ?? undefined,
    pullRequests: row.pull_requests,
    state: stateOf(row, last),
    error: last?.error ?? row.poll_error ?? undefined,
    lastOperation: last && presentOperation(last, addresses),
    webhook: {
      url: addresses.of(webhookPath(row.space_id)),
      // The secret allows to start imports.
      secret: caller.scopes?.includes('space:write') === false ? undefined : webhookSecret(keys, row),
      seenAt: row.webhook_seen_at?.toISOString(),
    },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
