import { unavailable } from '../../api/errors.ts';
import type { Turn } from '../../api/context.ts';
import { createFairQueue, type FairQueue } from '../../threads/fair-queue.ts';
import { ThreadError } from '../../threads/index.ts';

/**
 * Requests that compute run on one event loop. Few of one tenant run at the same time, so that the requests of the others
 * find it free; tenants that wait take turns. A part of a tenant, such as one of its sites, has still fewer.
 */
export interface Turns {
  begin(request: { readonly signal: AbortSignal; tenantId: string | undefined }): Turn;
}

const AT_ONCE = 16;
const MAX_WAITING = 1000;
const OF_TENANT = { running: 2, waiting: 100 };
const OF_PART = { running: 2, waiting: 50 };

/** Connections that no write gets: reads need one for a statement only. */
const KEPT_FOR_READS = 2;

/** Writes of one caller at the same time, while others wait for a connection. */
const OF_CALLER = 2;

/**
 * A write holds a connection through several round trips, and maybe a wait for a lock. Callers take turns at them, and those
 * of one caller leave some to others. By caller: the organization is not known before the transaction.
 */
export function createWriteTurns(poolSize: number, pool: { readonly waitingCount: number }): FairQueue {
  const slots = Math.max(OF_CALLER, poolSize - KEPT_FOR_READS);
  const alone = Math.ceil(slots * 0.75);
  return createFairQueue(slots, Number.POSITIVE_INFINITY, {
    running: () => (pool.waitingCount > 0 ? OF_CALLER : alone),
  });
}

export function createTurns(): Turns {
  const tenants = createFairQueue(AT_ONCE, MAX_WAITING, OF_TENANT);
  const parts = createFairQueue(Number.POSITIVE_INFINITY, MAX_WAITING, OF_PART);
  return {
    begin(request) {
      const releases: (() => void)[] = [];
      return {
        async take(tenant, part) {
          const { signal } = request;
          request.tenantId = tenant;
          try {
            releases.push(await parts.acquire(part, signal));
            releases.push(await tenants.acquire(tenant, signal));
          } catch (error) {
            throw error instanceof ThreadError ? tooBusy() : error;
          }
        },
        end() {
          for (const release of releases) release();
        },
      };
    },
  };
}

const tooBusy = () =>
  unavailable('Too many requests of this organization are being processed. Retry in a moment.');
