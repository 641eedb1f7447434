import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cache } from '../../access/cache.ts';
import { isRetryable } from '../../database/connection.ts';
import { admit } from '../admit/admit.ts';
import { matchesEtag } from '../../api/etag.ts';
import { LARGE_ANSWER } from '../answer/slow-readers.ts';
import { clientNetwork } from '../admit/client-network.ts';
import type { Kernel } from '../kernel.ts';
import { PRIVATE, type Answer } from '../answer/answer.ts';
import { perform, type Call } from './perform.ts';
import type { Endpoint } from '../endpoint.ts';
import { requestBody } from '../receive/request-body.ts';

/** Serves the requests of an operation that only reads. */
export const reader =
  (kernel: Kernel, endpoint: Endpoint) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    try {
      return await read(kernel, endpoint, request, reply, kernel.cache);
    } catch (error) {
      // A row was deleted after it was found: if it was the target, it is not admitted again.
      if (isRetryable(error)) return read(kernel, endpoint, request, reply, undefined);
      throw error;
    }
  };

async function read(
  kernel: Kernel,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  cache: Cache | undefined,
): Promise<Answer> {
  const { db } = kernel.connection;
  const isGet = endpoint.operation.method === 'GET';
  const body = isGet ? undefined : requestBody(endpoint, request);
  const admitted = await admit(kernel, endpoint, request, reply, db, cache);
  const known = isGet ? request.headers['if-none-match'] : undefined;
  const early = known && endpoint.operation.etag?.(admitted.target, admitted.query);
  if (early && matchesEtag(known, early)) return notModified(early);

  const { target } = admitted;
  const key =
    endpoint.operation.isCacheableByTarget && target && kernel.answerCache.keyOf(target, request.url);
  const cached = key ? kernel.answerCache.get(key) : undefined;
  const answer =
    cached ?? (await performInTurn(kernel, endpoint, { request, db, admitted, body: body?.read() }));
  if (key && !cached) kernel.answerCache.set(key, answer);
  const etag = answer.headers['etag'];
  if (etag && matchesEtag(known, etag)) return notModified(etag);
  const { length } = answer.body;
  if (length > LARGE_ANSWER)
    kernel.unsentAnswers.of(admitted.caller?.id ?? clientNetwork(request.ip), reply)(length);
  return answer;
}

async function performInTurn(kernel: Kernel, endpoint: Endpoint, call: Call): Promise<Answer> {
  const { target, caller } = call.admitted;
  const turn = kernel.turns.begin(call.request);
  try {
    if (endpoint.operation.takesTurn && target && caller) {
      const columns = target as Record<string, unknown>;
      await turn.take(String(columns[kernel.tenantColumn]), caller.id);
    }
    return await perform(kernel, endpoint, { ...call, turn });
  } finally {
    turn.end();
  }
}

const notModified = (etag: string): Answer => ({
  status: 304,
  headers: { etag, 'cache-control': PRIVATE },
  body: '',
});
