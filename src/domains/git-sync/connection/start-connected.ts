import type { Database } from '../../../platform/database/connection.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import type { ConnectionRow } from './connection-store.ts';
import { runGitOperations } from '../operations/jobs.ts';
import type { Cause, Direction, GitRequest } from '../policy.ts';
import { insertOperation } from '../operations/store.ts';

/** Inserts an operation of a connected repository, and its job. */
export async function startConnected(
  db: Database,
  connection: ConnectionRow,
  {
    direction,
    cause,
    now,
    options = {},
  }: {
    readonly direction: Direction;
    readonly cause: Cause;
    readonly now: Date;
    readonly options?: Partial<GitRequest>;
  },
): Promise<void> {
  await insertOperation(db, {
    spaceId: connection.space_id,
    userId: connection.user_id,
    direction,
    cause,
    request: { ...requestOf(connection), ...options },
    credential: connection.credential ?? undefined,
    orderedAt: now,
  });
  await enqueue(db, runGitOperations, {});
}

const requestOf = ({
  url,
  ref,
  directory,
  provider,
  tree_url: tree,
  commit_url: commit,
}: ConnectionRow): GitRequest => ({
  url,
  ref,
  directory,
  force: false,
  ...(tree === null ? {} : { repoTreeURL: tree }),
  ...(commit === null ? {} : { repoCommitURL: commit }),
  gitInfo: { ...(provider && { provider }), ...(tree === null ? {} : { url: tree }) },
});
