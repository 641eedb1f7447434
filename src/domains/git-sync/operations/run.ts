import { authorise } from '../../../platform/access/authorise.ts';
import type { Context } from '../../../platform/api/context.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { GitError, type Remote } from '../../../platform/git/index.ts';
import { messageForUser } from '../../../platform/http/answer/error-response.ts';
import type { JobContext } from '../../../platform/jobs/job.ts';
import { reportRegularly } from '../../../platform/jobs/report-regularly.ts';
import { recordEvent } from '../../events/index.ts';
import { setGitSync, spaces, type SpaceRow } from '../../spaces/index.ts';
import { contextForUser } from '../../users/index.ts';
import { gitSyncOf } from './commit-info.ts';
import { findCommonState } from './common-state.ts';
import { confirmPush } from '../export/confirm-push.ts';
import { openCredential } from '../credentials.ts';
import { exportSpace } from '../export/export-space.ts';
import { GitFailure } from './git-failure.ts';
import { importCommit } from '../import/import-commit.ts';
import type { Done } from '../import/publish-commit.ts';
import { OperationLog } from './operation-log.ts';
import { closePull, proposePull } from '../import/propose-pull.ts';
import { findLastOrder } from './state-store.ts';
import { endOperation, reportProgress, type ClaimedOperation, type Outcome, type Progress } from './store.ts';
import type { Work } from './work.ts';

const MAX_MS = 30 * 60 * 1000;

/** Another job has claimed the operation: what this one did must not be written. */
class Superseded extends Error {}

/** Carries out a claimed operation. An error that its user can understand ends it; any other is thrown. */
export async function performOperation(ctx: JobContext, operation: ClaimedOperation): Promise<void> {
  const first: Progress = { stage: 'repo_fetch', dispatched: 0, completed: 0 };
  let progress = first;
  const reporting = reportRegularly(ctx.log, first, (now) => reportProgress(ctx.db, operation, now));
  const log = new OperationLog();
  const timeout = AbortSignal.timeout(MAX_MS);
  try {
    const asUser = (db: Database) => actingUser(ctx, db, operation);
    await asUser(ctx.db);
    const work: Work = {
      ctx,
      operation,
      log,
      signal: AbortSignal.any([reporting.signal, timeout]),
      authorise: asUser,
      progress: () => progress,
      report: (change) => reporting.report((progress = { ...progress, ...change })),
    };
    await perform(work);
  } catch (error) {
    if (error instanceof Superseded || reporting.signal.aborted) return;
    const message = timeout.aborted ? 'The operation took longer than 30 minutes.' : messageOf(error);
    if (message === undefined) throw error;
    const changeRequestId = error instanceof GitFailure ? error.changeRequestId : undefined;
    const outcome = {
      ...progress,
      state: 'failure',
      error: message,
      changeRequestId,
      log: log.entries,
    } as const;
    await ctx.db.transaction().execute((db) => end(db, operation, outcome));
  } finally {
    reporting.end();
  }
}

/** The space, if the user may still synchronize it. */
async function actingUser(
  ctx: JobContext,
  db: Database,
  { user_id: userId, space_id: id }: ClaimedOperation,
): Promise<{ readonly context: Context; readonly space: SpaceRow }> {
  const context = userId === null ? undefined : await contextForUser(ctx, db, userId);
  if (!context)
    throw new GitFailure('The user who started the operation was deleted or disabled. Start it again.');
  const wanted = { resource: spaces, action: 'triggerGitSync', id, path: 'spaceId' };
  try {
    const refs = await authorise(db, context.caller.id, [
      { ...wanted, withinId: undefined, tenant: undefined },
    ]);
    return { context, space: refs.of(spaces, id) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new GitFailure(
      'The user who started the operation, or connected the repository, no longer has the role admin. Start it again, or connect the repository again.',
    );
  }
}

async function perform(work: Work): Promise<void> {
  const { ctx, operation, signal, log } = work;
  const { request, direction, space_id: spaceId, ordered_at: orderedAt } = operation;
  const last = await findLastOrder(ctx.db, spaceId);
  if (last && orderedAt < last && !request.force && !request.pullRequest) {
    log.info(`Skipped: an operation with the later timestamp ${last.toISOString()} was done already.`);
    const outcome = { ...work.progress(), state: 'skipped', log: log.entries } as const;
    await ctx.db.transaction().execute((db) => end(db, operation, outcome));
    return;
  }
  const credential = openCredential(ctx.keys, operation.credential);
  const remote: Remote = { url: request.url, ...(credential ? { credential } : {}) };
  const key = [operation.organization_id, spaceId, request.url, request.repoCacheID ?? ''];
  await recordStart(ctx.db, work);
  if (request.pullRequest?.state === 'closed') return closePull(work, (db, done) => succeed(db, work, done));
  await ctx.git.withRepository({ key, remote, signal }, async (repository) => {
    const finish = (db: Database, done: Done) => succeed(db, work, done);
    if (direction === 'export') return exportSpace(work, repository, finish);
    const head = await repository.fetch(request.ref);
    if (head === undefined) throw new GitFailure(`The repository has no branch ${request.ref}.`);
    if (request.pullRequest) return void (await proposePull(work, repository, head, finish));
    await confirmPush(work, repository, head);
    const state = await findCommonState(ctx.db, operation);
    const isKnown = [state?.commit, state?.pending?.commit].includes(head);
    if (!isKnown || request.force || request.standalone)
      return void (await importCommit(work, repository, head, finish));
    if (state?.pending?.commit === head)
      log.warn('Nothing to import: the last commit of the branch waits in an open change request. Merge it.');
    else log.info('Nothing to import: the last commit of the branch was imported already.');
    const { revisionId = '', contentDirectory = request.directory } = state ?? {};
    const done = { commit: head, revisionId, isChanged: false, contentDirectory };
    await ctx.db.transaction().execute((db) => succeed(db, work, done));
  });
}

const recordStart = (db: Database, { operation }: Work): Promise<void> =>
  recordEvent(db, {
    type: 'space_gitsync_started',
    organizationId: operation.organization_id,
    spaceId: operation.space_id,
    data: { operationId: operation.id, direction: operation.direction, revisionId: null, commitId: null },
  });

async function succeed(db: Database, work: Work, done: Done): Promise<void> {
  const { operation, log, ctx } = work;
  const { commit, revisionId, request, contentDirectory = operation.request.directory } = done;
  const { pullRequest } = operation.request;
  if (request && pullRequest && pullRequest.state !== 'closed')
    log.info(`Proposed as change request #${request.number}.`);
  else if (request && !pullRequest)
    log.warn(`Conflicts with the space: the changes are in change request #${request.number}.`);
  if (!operation.request.standalone && !pullRequest)
    await setGitSync(db, operation.space_id, gitSyncOf(operation.request, contentDirectory, ctx.now()));
  const progress = { ...work.progress(), stage: 'finalize' } as const;
  const outcome = { ...progress, state: 'success', log: log.entries, commit, revisionId } as const;
  await end(db, operation, { ...outcome, changeRequestId: request?.id });
}

async function end(db: Database, operation: ClaimedOperation, outcome: Outcome): Promise<void> {
  if (!(await endOperation(db, operation, outcome))) throw new Superseded();
  if (outcome.state === 'skipped') return;
  const { id: operationId, direction, space_id: spaceId, organization_id: organizationId } = operation;
  const { state, revisionId = null, commit: commitId = null } = outcome;
  const data = { operationId, direction, state, revisionId, commitId };
  await recordEvent(db, { type: 'space_gitsync_completed', organizationId, spaceId, data });
}

const messageOf = (error: unknown): string | undefined =>
  error instanceof GitFailure || error instanceof GitError ? error.message : messageForUser(error);
