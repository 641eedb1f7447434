import type { Context } from '../../../platform/api/context.ts';
import { notFound } from '../../../platform/api/errors.ts';
import { authorise } from '../../../platform/access/authorise.ts';
import type { Resource, Row } from '../../../platform/api/resource.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { messageForUser } from '../../../platform/http/answer/error-response.ts';
import type { JobContext } from '../../../platform/jobs/job.ts';
import { reportRegularly } from '../../../platform/jobs/report-regularly.ts';
import { requirePending, type RequestContentRow } from '../../change-requests/index.ts';
import { findUploads, primaryContent, storageName } from '../../content/index.ts';
import { readTree } from '../../content-store/index.ts';
import { requireLive, type ContentRow } from '../../revisions/index.ts';
import { contextForUser } from '../../users/index.ts';
import { requireParent } from '../folder/add-prepared.ts';
import { countImport, labelOfRun, type Outcome } from '../counters.ts';
import { openWork } from '../import-content.ts';
import { sourceError } from '../import-error.ts';
import type { ImportedFolder, ImportWork, Progress, SourceFile } from '../folder/imported-folder.ts';
import { deadlineOfRun, MAX_LISTED, RUN_CONVERSION } from '../limits.ts';
import { requestTargets } from '../policy.ts';
import { prepareFolder } from '../folder/prepare-folder.ts';
import { readFiles, readSource } from '../readers/index.ts';
import { completeRun, failRun, reportProgress, type ClaimedRun } from './store.ts';
import { writeToRequest, writeToSpace, type WrittenImport } from '../folder/write-import.ts';

/** The run was cancelled, or another job has claimed it: its revision must not be written. */
class Superseded extends Error {}

/** Imports a claimed run. An error that the user can understand ends the run; any other is thrown, and the job retried. */
export async function performRun(ctx: JobContext, run: ClaimedRun): Promise<void> {
  const reporting = reportRegularly<Progress>(ctx.log, { found: 0, imported: 0, skipped: 0 }, (progress) =>
    reportProgress(ctx.db, run, progress),
  );
  const count = (outcome: Outcome, pages?: number) =>
    countImport(ctx, labelOfRun(run.source), outcome, pages);
  try {
    const { pages } = await importRun(ctx, run, reporting);
    count('completed', pages.length);
  } catch (error) {
    if (error instanceof Superseded || reporting.signal.aborted) return count('cancelled');
    const message = sourceError(error)?.[1] ?? messageForUser(error);
    count(message === undefined ? 'error' : 'failed');
    if (message === undefined) throw error;
    await failRun(ctx.db, run, message);
  } finally {
    reporting.end();
  }
}

async function importRun(
  ctx: JobContext,
  run: ClaimedRun,
  { signal, report }: Pick<ImportWork, 'signal' | 'report'>,
): Promise<WrittenImport> {
  const caller = await contextOf(ctx, ctx.db, run);
  const row = await findTarget(ctx.db, run);
  const { store_id: storeId, organization_id: owner } = row;
  const pageId = run.page_id ?? undefined;
  requireParent(await readTree(ctx, { store_id: storeId, root: row.root }), pageId);
  const deadline = deadlineOfRun(ctx.settings, performance.now());
  const work = openWork(ctx, { storeId, owner }, RUN_CONVERSION, { deadline, signal, report });
  const folder = await read(caller, work, owner, run);
  signal.throwIfAborted();
  const prepared = await prepareFolder(ctx, { storeId, pageId }, folder);
  signal.throwIfAborted();
  return await ctx.db.transaction().execute(async (db) => {
    const inside = await contextOf(ctx, db, run);
    const target = await findTarget(db, run);
    const written =
      'change_request_id' in target
        ? await writeToRequest(inside, target, pageId, prepared)
        : await writeToSpace(inside, target, pageId, prepared);
    const skippedList = written.skippedList.slice(0, MAX_LISTED);
    if (!(await completeRun(db, run, { ...written, skippedList }))) throw new Superseded();
    return written;
  });
}

/** The user may have been deleted since. */
async function contextOf(ctx: JobContext, db: Database, { user_id: userId }: ClaimedRun): Promise<Context> {
  const context = userId === null ? undefined : await contextForUser(ctx, db, userId);
  if (!context) throw notFound('The user who started the import');
  return context;
}

/** The content to add to, if the user may still edit it. */
async function findTarget(db: Database, run: ClaimedRun): Promise<ContentRow | RequestContentRow> {
  const { space_id: spaceId, change_request_id: requestId } = run;
  if (requestId === null) {
    const row = await authorised<ContentRow>(db, run, primaryContent, spaceId, 'target.space');
    requireLive(row);
    return row;
  }
  const row = await authorised<RequestContentRow>(db, run, requestTargets, requestId, 'target.changeRequest');
  requirePending(row.request_status);
  return row;
}

async function authorised<R extends Row>(
  db: Database,
  { user_id: userId }: ClaimedRun,
  resource: Resource<R>,
  id: string,
  path: string,
): Promise<R> {
  const wanted = { resource, action: 'edit', id, withinId: undefined, tenant: undefined, path };
  const refs = await authorise(db, userId ?? '', [wanted]);
  return refs.of(resource, id);
}

async function read(
  ctx: Context,
  work: ImportWork,
  organizationId: string,
  { source }: ClaimedRun,
): Promise<ImportedFolder> {
  if (source.type === 'website') return readSource(work, 'website', source.url);
  if (source.type === 'url') return readSource(work, source.source, source.url);
  const uploads = await findUploads(ctx.db, { organizationId, userId: ctx.caller.id }, source.files);
  const files = source.files.map((key): SourceFile => {
    const upload = uploads.get(key);
    const hash = upload?.hash;
    if (!upload || !hash) throw notFound(`Upload "${key}"`);
    return { name: upload.name, size: upload.size, open: () => openUpload(ctx, key, hash) };
  });
  return readFiles(work, files);
}

async function openUpload(ctx: Context, key: string, hash: string): Promise<AsyncIterable<Uint8Array>> {
  const opened = await ctx.files.open(storageName(hash));
  if (!opened) throw notFound(`Upload "${key}"`);
  return opened.stream;
}
