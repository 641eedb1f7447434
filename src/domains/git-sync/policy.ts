import { leastRole, resource, type Authorised } from '../access/index.ts';
import { rowsInside, spaces } from '../spaces/index.ts';

export type Direction = 'import' | 'export';
export type Cause = 'api' | 'push' | 'poll' | 'content' | 'pull-request';
export type OperationState = 'queued' | 'running' | 'success' | 'failure' | 'skipped';
export type Stage = 'repo_fetch' | 'config_check' | 'content_process' | 'finalize';

/** What an operation stores of its request: all but the credentials. */
export interface GitRequest {
  readonly url: string;
  readonly ref: string;
  /** A path without slashes at its ends. Empty: all of the repository. */
  readonly directory: string;
  readonly repoCacheID?: string;
  readonly repoTreeURL?: string;
  readonly repoCommitURL?: string;
  readonly gitInfo?: { readonly provider?: 'github' | 'gitlab'; readonly url?: string };
  readonly force: boolean;
  readonly standalone?: boolean;
  readonly commitMessage?: string;
  /** The branch of a pull request, which becomes a change request. */
  readonly pullRequest?: PullRequest;
}

export interface PullRequest {
  readonly number: number;
  readonly targetRef: string;
  /** Absent: the host does not tell it. */
  readonly title?: string;
  /** `closed`: merged or declined. Its change request is archived. */
  readonly state?: 'reopened' | 'closed';
}

export interface GitOperationRow extends Authorised {
  readonly organization_id: string;
  readonly space_id: string;
  readonly git_operation_id: string;
  readonly direction: Direction;
  readonly cause: Cause;
  readonly request: GitRequest;
  readonly state: OperationState;
  readonly stage: Stage | null;
  readonly dispatched_tasks: number;
  readonly completed_tasks: number;
  readonly commit_id: string | null;
  readonly revision_id: string | null;
  readonly change_request_id: string | null;
  readonly error: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly seen_at: Date | null;
  readonly completed_at: Date | null;
}

/** The columns do not include the log, which may be long, and the credential. */
const COLUMNS = `
  op.id as git_operation_id, op.direction, op.cause, op.request, op.state, op.stage, op.dispatched_tasks, op.completed_tasks,
  op.commit_id, op.revision_id, op.change_request_id, op.error, op.created_at, op.started_at, op.seen_at, op.completed_at`;

/** Only admins of the space see them: they name its remote. */
export const gitOperations = resource<GitOperationRow>()({
  name: 'Git operation',
  key: 'git_operation_id',
  rows: rowsInside(
    COLUMNS,
    `join git_operations op on op.space_id = s.id and r.role >= '${leastRole.admin}'`,
  ),
  match: 'op.space_id = :within and op.id = any(:ids)',
  within: spaces,
  needs: { view: leastRole.admin },
});
