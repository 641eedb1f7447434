import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { admit, type Admitted } from './admit.ts';
import { matchesEtag } from '../api/etag.ts';
import type { Kernel } from './kernel.ts';
import { perform, PRIVATE, type Answer } from './perform.ts';
import type { Plan } from './endpoint.ts';

/** Serves the requests of an operation that only reads. */
export const reader = (kernel: Kernel, plan: Plan) => (request: FastifyRequest, reply: FastifyReply) =>
  read(kernel, plan, request, reply);

async function read(
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

  const key = keyOf(plan, request, admitted);
  const there = key === undefined ? undefined : kept.get(key);
  const answer = there ?? keep(key, await perform(kernel, plan, { request, db, admitted, body: undefined }));
  const etag = answer.headers['etag'];
  if (etag && matchesEtag(known, etag)) return notModified(etag);
  kernel.unsent.hold(admitted.caller?.id ?? request.ip, answer.body.length, reply);
  return answer;
}

const notModified = (etag: string): Answer => ({
  status: 304,
  headers: { etag, 'cache-control': PRIVATE },
  body: '',
});

/** Answers by the row and the address they were made of. A row that is kept is the same object every time. */
const kept = new LRUCache<string, Answer>({
  maxSize: 16 * 1024 * 1024,
  maxEntrySize: 256 * 1024,
  sizeCalculation: ({ body }) => body.length + 1024,
});

const serials = new WeakMap<object, number>();
let lastSerial = 0;

/** Undefined where the answer says more than the row does, and for a row that is seen for the first time: few are kept. */
function keyOf({ operation }: Plan, { url }: FastifyRequest, { target }: Admitted): string | undefined {
  if (!operation.isOfTarget || !target) return undefined;
  const serial = serials.get(target);
  if (serial === undefined) serials.set(target, ++lastSerial);
  return serial === undefined ? undefined : `${serial} ${url}`;
}

function keep(key: string | undefined, answer: Answer): Answer {
  if (key) kept.set(key, answer);
  return answer;
}
