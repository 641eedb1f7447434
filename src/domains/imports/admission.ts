import { ApiError } from '../../platform/api/errors.ts';
import type { Context } from '../../platform/api/context.ts';
import { ThreadError } from '../../platform/threads/index.ts';
import { createFairQueue, type FairQueue } from '../../platform/threads/fair-queue.ts';
import { CONCURRENT_IMPORTS, MAX_WAIT_MS } from './limits.ts';

declare module '../../platform/api/context.ts' {
  interface Caches {
    /** Imports of requests: few run at a time, because each needs much memory. Runs have places of their own. */
    readonly importQueue: FairQueue;
  }
}

/** Imports that may wait, of all organizations and of one; further ones are refused at once. */
const MAX_WAITING = 100;
/** A slow website occupies a place for as long as it likes, up to the limit of a request: not all of them. */
const OF_ORGANIZATION = { running: 1, waiting: 10 };

export const createImportQueue = (): FairQueue =>
  createFairQueue(CONCURRENT_IMPORTS, MAX_WAITING, OF_ORGANIZATION);

type QueueContext = Pick<Context, 'caches'>;

/** Waits a few seconds until an import of a request may start. Call the result when it ends. */
export async function acquireSlot(
  ctx: QueueContext,
  organizationId: string,
  signal: AbortSignal,
): Promise<() => void> {
  const limit = AbortSignal.timeout(MAX_WAIT_MS);
  try {
    return await ctx.caches.importQueue.acquire(organizationId, AbortSignal.any([signal, limit]));
  } catch (error) {
    if (signal.aborted || !(limit.aborted || error instanceof ThreadError)) throw error;
    throw new ApiError(
      503,
      'The server is importing other content. Retry in a moment, or import in the background: ' +
        `POST /v1/org/${organizationId}/imports.`,
      { headers: { 'retry-after': '5' } },
    );
  }
}
