import { ApiError } from '../../platform/api/errors.ts';
import type { Context } from '../../platform/api/context.ts';
import { ThreadError } from '../../platform/threads/index.ts';
import { createFairQueue, type FairQueue } from '../../platform/threads/fair-queue.ts';
import { CONCURRENT_IMPORTS, MAX_WAIT_MS } from './limits.ts';

declare module '../../platform/api/context.ts' {
  interface Caches {
    /** Few imports run at a time, because each needs much memory. */
    readonly importQueue: FairQueue;
  }
}

/** Imports that may wait; further ones are refused at once. */
const MAX_WAITING = 100;

export const createImportQueue = (): FairQueue => createFairQueue(CONCURRENT_IMPORTS, MAX_WAITING);

type QueueContext = Pick<Context, 'caches'>;

/** Waits until a background import may start. Call the result when it ends. */
export const acquireSlot = (
  ctx: QueueContext,
  organizationId: string,
  signal: AbortSignal,
): Promise<() => void> => ctx.caches.importQueue.acquire(organizationId, signal);

/** The same for a request, which waits a few seconds only. */
export async function acquireSlotSoon(
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
