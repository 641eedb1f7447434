import type { JobContext } from '../../../platform/jobs/job.ts';
import {
  deleteInAppChecks,
  listDueUrls,
  saveChecks,
  type CheckedUrl,
  type DueUrl,
} from '../../link-index/index.ts';
import { lockSpace } from '../../spaces/index.ts';
import { checkHosts } from './check-hosts.ts';
import { requestUrl, type Method, type Verdict } from './check-url.ts';
import { platformOf } from '../list/read-outside.ts';

export type CheckContext = Pick<JobContext, 'db' | 'outbound' | 'addresses' | 'log'>;

export interface CheckOptions {
  /** Ends the check early. Results until then are saved. */
  readonly signal: AbortSignal;
  readonly onChecked?: (url: CheckedUrl) => void;
  /** Between two requests to one host. */
  readonly pauseMs?: number;
}

const SAVE_EVERY_MS = 2_000;
const SAVE_COUNT = 50;

/**
 * Checks the external URLs of a space whose check the caller has claimed. False: the signal ended it before all were
 * checked. The results are the progress: it may be interrupted, and may run twice.
 */
export async function checkLinks(
  ctx: CheckContext,
  spaceId: string,
  options: CheckOptions,
): Promise<boolean> {
  const platform = platformOf(ctx);
  await ctx.db.transaction().execute(async (db) => {
    await lockSpace(db, spaceId);
    await deleteInAppChecks(db, spaceId, platform);
  });
  for (;;) {
    const due = await listDueUrls(ctx.db, spaceId, platform);
    if (due.length === 0) return true;
    await checkUrls(ctx, spaceId, due, options);
    if (options.signal.aborted) return false;
  }
}

async function checkUrls(
  ctx: CheckContext,
  spaceId: string,
  due: readonly DueUrl[],
  { signal, onChecked, pauseMs }: CheckOptions,
): Promise<void> {
  const unsaved: CheckedUrl[] = [];
  let savedAt = performance.now();
  const save = async () => {
    savedAt = performance.now();
    const results = unsaved.splice(0);
    await ctx.db.transaction().execute(async (db) => {
      // The order of locks is that of publishing.
      await lockSpace(db, spaceId);
      await saveChecks(db, spaceId, results);
    });
  };
  try {
    await checkHosts(due.map(withTarget), {
      signal,
      pauseMs,
      request: (method, url, until) => request(ctx, method, url, until),
      async onResult({ url, address }, { isBroken, problem }) {
        const checked = { url, address, isBroken, problem };
        unsaved.push(checked);
        onChecked?.(checked);
        if (unsaved.length >= SAVE_COUNT || performance.now() - savedAt >= SAVE_EVERY_MS) await save();
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (unsaved.length > 0) await save();
}

/** A URL without a scheme is one with https, as its address is. */
const withTarget = (due: DueUrl) => ({ ...due, target: new URL(due.url, 'https://-') });

/** An error of ours must not prevent the check of other URLs. */
async function request(
  { outbound, log }: CheckContext,
  method: Method,
  url: URL,
  signal: AbortSignal,
): Promise<Verdict> {
  try {
    return await requestUrl(outbound, method, url, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    log.error({ err: error, url: url.href }, 'a link could not be checked');
    return { isBroken: false, problem: 'Not checked: an unexpected error, see the log of the server' };
  }
}
