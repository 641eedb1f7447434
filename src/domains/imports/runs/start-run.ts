import type { Context } from '../../../platform/api/context.ts';
import { ApiError, badRequest, conflict, notFound } from '../../../platform/api/errors.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { OutboundError, parseUrl } from '../../../platform/outbound/index.ts';
import { requirePending, type RequestContentRow } from '../../change-requests/index.ts';
import { findUploads } from '../../content/index.ts';
import { readTree } from '../../content-store/index.ts';
import { requireLive, type ContentRow } from '../../revisions/index.ts';
import { requireParent } from '../folder/add-prepared.ts';
import { runImports } from './jobs.ts';
import { MAX_RUNS } from '../limits.ts';
import type { RunRow } from '../policy.ts';
import type { StartImportRun } from '../schema.ts';
import { countUnfinished, getRun, insertRun } from './store.ts';

/** The rows of the ids in the body, authorised by the kernel. */
export interface RunTarget {
  readonly space: ContentRow;
  readonly request: RequestContentRow | undefined;
}

/** Inserts a run and its job. All that can be checked without a connection to the source is refused here. */
export async function startRun(
  ctx: Context,
  organizationId: string,
  { space, request }: RunTarget,
  { source, target }: StartImportRun,
): Promise<RunRow> {
  if (request && request.space_id !== space.space_id)
    throw notFound(`Change request "${request.change_request_id}" (body.target.changeRequest)`);
  if (request) requirePending(request.request_status);
  else requireLive(space);
  const content = request ?? space;
  requireParent(await readTree(ctx, content), target.page);
  if (source.type === 'file') await requireUploads(ctx, organizationId, source.files);
  else requireWebUrl(source.url);
  if ((await countUnfinished(ctx.db, organizationId)) >= MAX_RUNS) {
    throw new ApiError(
      429,
      `The organization has ${MAX_RUNS} unfinished imports. Wait until one ends, or cancel one.`,
      { headers: { 'retry-after': '60' } },
    );
  }
  const id = await insertRun(ctx.db, {
    spaceId: space.space_id,
    changeRequestId: request?.change_request_id,
    pageId: target.page,
    userId: ctx.caller.id,
    source,
  });
  await enqueue(ctx.db, runImports, {});
  return getRun(ctx.db, ctx.caller.id, id);
}

function requireWebUrl(url: string): void {
  const refuse = (why: string) =>
    badRequest(`body.source.url: ${why}`, [{ path: 'body.source.url', rule: why }]);
  try {
    parseUrl(url);
  } catch (error) {
    throw error instanceof OutboundError ? refuse(error.message) : error;
  }
}

async function requireUploads(ctx: Context, organizationId: string, keys: readonly string[]): Promise<void> {
  const uploads = await findUploads(ctx.db, { organizationId, userId: ctx.caller.id }, keys);
  for (const [index, key] of keys.entries()) {
    const name = `Upload "${key}" (body.source.files.${index})`;
    const upload = uploads.get(key);
    if (!upload) throw notFound(name);
    if (upload.hash === null)
      throw conflict(`${name} was not uploaded yet. Send its bytes to its URL first.`);
  }
}
