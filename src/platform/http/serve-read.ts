import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cache } from '../access/cache.ts';
import { isRetryable } from '../database/connection.ts';
import { admit } from './admit.ts';
import { matchesEtag } from '../api/etag.ts';
import { LARGE_ANSWER } from './slow-readers.ts';
import type { Kernel } from './kernel.ts';
import { PRIVATE, type Answer } from './answer.ts';
import { perform } from './perform.ts';
import type { Endpoint } from './endpoint.ts';

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
  const admitted = await admit(kernel, endpoint, request, reply, db, cache);
  const known = request.headers['if-none-match'];
  const early = known && endpoint.operation.etag?.(admitted.target, admitted.query);
  if (early && matchesEtag(known, early)) return notModified(early);

  const { target } = admitted;
  const key =
    endpoint.operation.isCacheableByTarget && target && kernel.answerCache.keyOf(target, request.url);
  const cached = key ? kernel.answerCache.get(key) : undefined;
  const answer = cached ?? (await perform(kernel, endpoint, { request, db, admitted, body: undefined }));
  if (key && !cached) kernel.answerCache.set(key, answer);
  const etag = answer.headers['etag'];
  if (etag && matchesEtag(known, etag)) return notModified(etag);
  const { length } = answer.body;
  if (length > LARGE_ANSWER) kernel.unsentAnswers.of(admitted.caller?.id ?? request.ip, reply)(length);
  return answer;
}

const notModified = (etag: string): Answer => ({
  status: 304,
  headers: { etag, 'cache-control': PRIVATE },
  body: '',
});
