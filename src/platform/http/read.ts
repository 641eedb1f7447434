import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit, type Admitted } from './admit.ts';
import { matchesEtag } from '../etag.ts';
import type { Kernel } from './kernel.ts';
import { perform, PRIVATE, type Answer } from './perform.ts';
import type { Plan } from './plan.ts';

export async function read(
  kernel: Kernel,
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const { db } = kernel.connection;
  const admitted = await admit(kernel, plan, request, reply, db, kernel.cache);
  const known = request.headers['if-none-match'];
  const early = known && plan.operation.etag?.(admitted.target, admitted.query as never);
  if (early && matchesEtag(known, early)) return notModified(early);

  const answer =
    keptAnswer(plan, admitted) ??
    keep(plan, admitted, await perform(kernel, plan, request, db, admitted, undefined));
  const etag = answer.headers['etag'];
  return etag && matchesEtag(known, etag) ? notModified(etag) : answer;
}

const notModified = (etag: string): Answer => ({
  status: 304,
  headers: { etag, 'cache-control': PRIVATE },
  body: '',
});

/** Answers by the row they were made of. A row that is kept is the same object every time; it goes, and they go. */
const keptAnswers = new WeakMap<object, Map<Plan, Answer>>();

const keptAnswer = (plan: Plan, { target }: Admitted): Answer | undefined =>
  plan.operation.isOfTarget && target ? keptAnswers.get(target)?.get(plan) : undefined;

function keep(plan: Plan, { target }: Admitted, answer: Answer): Answer {
  if (plan.operation.isOfTarget && target) {
    const answers = keptAnswers.get(target) ?? new Map<Plan, Answer>();
    keptAnswers.set(target, answers.set(plan, answer));
  }
  return answer;
}
