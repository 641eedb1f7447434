import { ApiError } from '../../platform/api/errors.ts';
import type { Context } from '../../platform/api/context.ts';
import { ThreadError } from '../../platform/threads/index.ts';
import { createTurns, type Turns } from '../../platform/threads/turns.ts';
import { CONCURRENT_IMPORTS, TURN_MS } from './limits.ts';

declare module '../../platform/api/context.ts' {
  interface Caches {
    /** Places for imports, which need much memory. */
    readonly importTurns: Turns;
  }
}

/** Requests that may wait for a place; further ones are refused at once. */
const MAX_WAITING = 100;

export const createImportTurns = (): Turns => createTurns(CONCURRENT_IMPORTS, MAX_WAITING);

type TurnContext = Pick<Context, 'caches'>;

/** For a run in the background. Call the result when the import ends. */
export const waitForTurn = (
  ctx: TurnContext,
  organizationId: string,
  signal: AbortSignal,
): Promise<() => void> => ctx.caches.importTurns.enter(organizationId, signal);

/** For a request of an organization, which waits a few seconds. */
export async function requireTurn(
  ctx: TurnContext,
  organizationId: string,
  signal: AbortSignal,
): Promise<() => void> {
  const limit = AbortSignal.timeout(TURN_MS);
  try {
    return await ctx.caches.importTurns.enter(organizationId, AbortSignal.any([signal, limit]));
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
