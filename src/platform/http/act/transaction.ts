import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway, isRetryable, type Database } from '../../database/connection.ts';
import { captureRefusal, captureRefusals, unwrap } from '../../api/refusals.ts';
import { admit } from '../admit/admit.ts';
import { clientNetwork } from '../admit/client-network.ts';
import type { Endpoint } from '../endpoint.ts';
import { isStoredMeanwhile, keyedRequest, once } from './idempotency.ts';
import type { Kernel } from '../kernel.ts';
import { answerOf, type Answer } from '../answer/answer.ts';
import { inputOf, perform, requireScopes } from './perform.ts';
import type { RequestBody } from '../receive/request-body.ts';

/** A request that changes something. */
export interface Write {
  readonly endpoint: Endpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: RequestBody;
  readonly prepared: unknown;
}

const MAX_TRIES = 5;

/** Whether a request has a precondition other than that the target exists. */
export const isConditional = ({ headers }: FastifyRequest): boolean =>
  (headers['if-match'] ?? '*').trim() !== '*';

/** Checks access on the database, never on the cache, in the transaction that acts. */
export const transact = (kernel: Kernel, write: Write): Promise<Answer> =>
  inTurn(kernel, write.request, write.request, () => transactNow(kernel, write));

/** Never aborted: other requests of a group wait, too. */
const { signal: NEVER } = new AbortController();

/** Waits until the caller of the request may have a connection. */
async function inTurn<T>(
  { writeTurns }: Kernel,
  { callerId, ip }: FastifyRequest,
  cancelled: { readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const owner = callerId ?? clientNetwork(ip);
  const release = writeTurns.acquireNow(owner) ?? (await writeTurns.acquire(owner, cancelled.signal));
  try {
    return await work();
  } finally {
    release();
  }
}

async function transactNow(kernel: Kernel, write: Write): Promise<Answer> {
  const { endpoint, request, reply, body } = write;
  for (let tries = 1; ; tries++) {
    const transaction = kernel.connection.db.transaction();
    // With a precondition, a concurrent change of the target makes this fail and try again: compare-and-set. Without
    // one there is nothing to compare, and concurrent transactions would only make each other fail.
    const isolated = isConditional(request) ? transaction.setIsolationLevel('repeatable read') : transaction;
    try {
      return await isolated.execute(async (db) => {
        const admitted = await admit(kernel, endpoint, request, reply, db, undefined);
        const call = { ...write, db, admitted, body: body.read() };
        const act = () => perform(kernel, endpoint, call);
        const keyed = admitted.caller && keyedRequest(endpoint.operation, request, admitted.caller, body);
        if (keyed) requireScopes(kernel, endpoint, call);
        const answer = await (keyed ? once(db, kernel.context.keys, keyed, kernel.constraints, act) : act());
        kernel.announceCommit?.(reply);
        return answer;
      });
    } catch (error) {
      if (tries === MAX_TRIES || !(isRetryable(error) || isStoredMeanwhile(error))) throw error;
    }
  }
}

/** Group commit: one transaction for all; if it fails, each request gets a transaction of its own, in order. */
export async function transactAll(
  kernel: Kernel,
  writes: readonly Write[],
): Promise<PromiseSettledResult<Answer>[]> {
  const [first, second] = writes;
  if (first && second) {
    try {
      return await inTurn(kernel, first.request, { signal: NEVER }, () => groupCommit(kernel, writes));
    } catch (error) {
      // Whether the commit took effect is unknown: it must not be repeated.
      if (isDatabaseAway(error)) throw error;
      kernel.log.info({ err: error }, 'a group commit failed; its requests are retried one by one');
    }
  }
  const outcomes: PromiseSettledResult<Answer>[] = [];
  for (const write of writes) outcomes.push(...(await Promise.allSettled([transact(kernel, write)])));
  return outcomes;
}

/**
 * The requests of each operation together, operation by operation. All of them are concurrent, so any order is valid;
 * those of one operation keep theirs.
 */
const groupCommit = (kernel: Kernel, writes: readonly Write[]): Promise<PromiseSettledResult<Answer>[]> =>
  kernel.connection.db.transaction().execute(async (db) => {
    const outcomes = new Map<Write, PromiseSettledResult<Answer>>();
    for (const endpoint of new Set(writes.map((write) => write.endpoint))) {
      const batch = writes.filter((write) => write.endpoint === endpoint);
      const results = await actTogether(kernel, endpoint, batch, db);
      for (const [index, write] of batch.entries()) {
        const result = results[index];
        if (result) outcomes.set(write, result);
      }
    }
    for (const { reply } of writes) kernel.announceCommit?.(reply);
    return writes.flatMap((write) => outcomes.get(write) ?? []);
  });

/** A refused request leaves the batch; any other error fails all of it. */
async function actTogether(
  kernel: Kernel,
  endpoint: Endpoint,
  writes: readonly Write[],
  db: Database,
): Promise<PromiseSettledResult<Answer>[]> {
  // Concurrently, so that the lookups share one statement.
  const admissions = await Promise.all(
    writes.map((write) =>
      captureRefusal(async () => ({
        write,
        admitted: await admit(kernel, endpoint, write.request, write.reply, db, undefined),
      })),
    ),
  );
  const calls = await captureRefusals(admissions, async (admission) => {
    const { write, admitted } = unwrap(admission);
    const call = { ...write, db, admitted, body: write.body.read() };
    return { admitted, input: await inputOf(kernel, endpoint, call) };
  });
  const [first, ...rest] = calls.flatMap((call) => (call.status === 'fulfilled' ? [call.value.input] : []));
  const results = first && (await endpoint.operation.handleAll?.([first, ...rest]));
  const remaining = results?.values();
  return captureRefusals(calls, async (call) => {
    const { admitted } = unwrap(call);
    const result = remaining?.next().value;
    if (!result) throw new Error(`${endpoint.operation.id} answered fewer requests than it was given`);
    return answerOf(endpoint, unwrap(result), admitted, kernel.context);
  });
}
