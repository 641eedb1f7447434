import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway, isRetryable } from '../database/connection.ts';
import { settle, settleAll, valueOf } from '../api/refusals.ts';
import { UnfinishedWork } from '../api/unfinished-work.ts';
import { admit } from './admit.ts';
import { isStoredMeanwhile, keyedRequest, once } from './idempotency.ts';
import type { Kernel } from './kernel.ts';
import { answerOf, inputOf, perform, type Answer } from './perform.ts';
import type { Plan } from './endpoint.ts';
import type { SentBody } from './request-body.ts';

/** A request that is to change something. */
export interface Write {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly sent: SentBody;
  readonly prepared: unknown;
}

const MAX_TRIES = 5;
/** How often long work is done between transactions. Then it is done inside: others may change the target each time. */
const MAX_INTERRUPTIONS = 8;

/** With a precondition, other than that any version will do. */
export const isConditional = ({ headers }: FastifyRequest): boolean =>
  (headers['if-match'] ?? '*').trim() !== '*';

/** Decides on the database alone, inside the transaction that acts. */
export async function transact(kernel: Kernel, plan: Plan, write: Write): Promise<Answer> {
  const { request, reply, sent, prepared } = write;
  const finished = new Map<string, unknown>();
  let interruptions = 0;
  for (let tries = 1; ; tries++) {
    const transaction = kernel.connection.db.transaction();
    // With a precondition, whoever changes the target meanwhile makes this fail and try again: compare-and-set. Where
    // any version will do there is nothing to compare, and many at once would only make each other fail.
    const isolated = isConditional(request) ? transaction.setIsolationLevel('repeatable read') : transaction;
    try {
      return await isolated.execute(async (db) => {
        const admitted = await admit(kernel, plan, request, reply, db, undefined);
        const body = sent.read();
        const finishedWork = interruptions < MAX_INTERRUPTIONS ? finished : undefined;
        const act = () => perform(kernel, plan, { request, db, admitted, body, prepared, finishedWork });
        const keyed =
          admitted.caller && keyedRequest(plan.operation, request, admitted.caller.id, sent.bytes);
        return keyed ? once(db, kernel.context.keys, keyed, kernel.constraints, act) : act();
      });
    } catch (error) {
      if (error instanceof UnfinishedWork) {
        for (const [key, result] of await error.work()) finished.set(key, result);
        interruptions++;
        tries--;
      } else if (tries === MAX_TRIES || !(isRetryable(error) || isStoredMeanwhile(error))) throw error;
    }
  }
}

/** Each as if it were alone, and in their order; in one transaction if nothing goes wrong. */
export async function transactAll(
  kernel: Kernel,
  plan: Plan,
  writes: readonly Write[],
): Promise<PromiseSettledResult<Answer>[]> {
  if (writes.length > 1) {
    try {
      return await transactTogether(kernel, plan, writes);
    } catch (error) {
      // Whether it took effect is unknown: it may not be done again.
      if (isDatabaseAway(error)) throw error;
      kernel.log.info({ err: error }, 'a group commit failed; its requests are retried one by one');
    }
  }
  const settled: PromiseSettledResult<Answer>[] = [];
  for (const write of writes) settled.push(...(await Promise.allSettled([transact(kernel, plan, write)])));
  return settled;
}

/** A request that is refused on its own account does not keep the others. Anything else undoes all of them. */
const transactTogether = (
  kernel: Kernel,
  plan: Plan,
  writes: readonly Write[],
): Promise<PromiseSettledResult<Answer>[]> =>
  kernel.connection.db.transaction().execute(async (db) => {
    // In one breath, so that who they are is one statement.
    const admissions = await Promise.all(
      writes.map((write) =>
        settle(async () => ({
          write,
          admitted: await admit(kernel, plan, write.request, write.reply, db, undefined),
        })),
      ),
    );
    const calls = await settleAll(admissions, async (admission) => {
      const { write, admitted } = valueOf(admission);
      const { request, sent, prepared } = write;
      // Whoever needs long work leaves the others.
      const call = { request, db, admitted, body: sent.read(), prepared, finishedWork: new Map() };
      return { admitted, input: await inputOf(kernel, plan, call) };
    });
    const [first, ...rest] = calls.flatMap((call) => (call.status === 'fulfilled' ? [call.value.input] : []));
    const results = first === undefined ? [] : await plan.operation.handleAll?.(db, [first, ...rest]);
    const answers = results?.values();
    return settleAll(calls, async (call) => {
      const { admitted } = valueOf(call);
      const result = answers?.next().value as PromiseSettledResult<unknown>;
      return answerOf(plan, valueOf(result), admitted, kernel.context.addresses);
    });
  });
