import { request as send, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, tooLarge, unavailable } from '../api/errors.ts';
import { followSignals } from '../follow-signals.ts';
import { ProcessLost } from '../heavy/attempts.ts';
import type { HeavyProcess } from '../heavy/heavy-process.ts';
import { createFairQueue } from '../threads/fair-queue.ts';
import { ThreadError } from '../threads/index.ts';
import { clientNetwork } from './admit/client-network.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The organization that it concerns, as soon as that is known: organizations take turns. */
    tenantId: string | undefined;
  }
}

/** Lets the heavy process perform a request from its beginning, and sends its response. */
export type Forward = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The process has one event loop, and a request may wait for the database or for other servers. */
const AT_ONCE = 4;
const MAX_WAITING = 500;
const OF_TENANT = { running: 2, waiting: 50 };
/** The time of a request, with its wait. Work that takes longer belongs into a job. */
const LIMIT_MS = 5 * 60_000;

/** `hearAll`: resolves when the caches of this process know all that other processes have committed. */
export function createForward(
  { perform }: Pick<HeavyProcess, 'perform'>,
  processes: number,
  hearAll: () => Promise<void>,
): Forward {
  const queue = createFairQueue(AT_ONCE * processes, MAX_WAITING, OF_TENANT);
  return async (request, reply) => {
    const owner = request.tenantId ?? request.callerId ?? clientNetwork(request.ip);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(tooLong()), LIMIT_MS);
    const leaving = new AbortController();
    // Not the signal of the request, which knows nothing of a client that leaves after its body was read.
    reply.raw.once('close', () => leaving.abort(new Error('The client has left.')));
    const { signal: waited, end } = followSignals([leaving.signal, limit.signal]);
    // A write that has begun keeps its place until it has ended, whether its client has left or not.
    const signal = request.method === 'GET' ? waited : limit.signal;
    try {
      const release = await queue.acquire(owner, waited);
      try {
        const response = await until(
          signal,
          perform((socket) => exchange(socket, request, signal)),
        );
        // The next request of this client finds what it has written.
        if (request.method !== 'GET') await hearAll();
        return reply
          .code(response.statusCode ?? 500)
          .headers(without(response.headers, HOP_BY_HOP))
          .send(response);
      } finally {
        release();
      }
    } catch (error) {
      throw refusalOf(error);
    } finally {
      clearTimeout(timer);
      end();
    }
  };
}

/** Only the first part is awaited: when the response begins, it is complete in the other process. */
function exchange(
  socketPath: string,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { method, originalUrl: path, body } = request;
  const bytes = Buffer.isBuffer(body) ? body : undefined;
  return new Promise((resolve, reject) => {
    let isCommitting = false;
    send({ socketPath, method, path, headers: headersOf(request, bytes), signal, agent: false })
      // 102: the only informational response that the process sends.
      .on('information', () => (isCommitting = true))
      .on('response', resolve)
      .on('error', (error) => {
        if (signal.aborted) reject(signal.reason as Error);
        else reject(isCommitting ? outcomeUnknown(error) : new ProcessLost('', { cause: error }));
      })
      .end(bytes);
  });
}

const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
/** Headers of the body as it was sent: it was received, and decompressed. */
const OF_BODY = ['content-encoding', 'content-length', 'expect'];

const without = <T>(headers: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

const headersOf = (request: FastifyRequest, body: Buffer | undefined): OutgoingHttpHeaders => ({
  ...without(request.headers, [...HOP_BY_HOP, ...OF_BODY]),
  ...(body && { 'content-length': body.length }),
  'x-forwarded-for': request.ip,
  'x-request-id': request.id,
});

const until = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

function refusalOf(error: unknown): unknown {
  if (error instanceof ThreadError)
    return unavailable(
      'Too many large requests of this organization are being processed. Retry in a moment.',
    );
  if (error instanceof ProcessLost)
    return tooLarge(
      'This request needs more memory or time than one request may take. Request less at once.',
    );
  return error;
}

const outcomeUnknown = (error: Error): ApiError =>
  unavailable(
    'The process that performed this request has ended. Whether the request took effect is unknown. Retry it (a POST with the same Idempotency-Key).',
    error,
  );

const tooLong = (): ApiError =>
  unavailable('This request took too long. Whether it took effect is unknown. Request less at once.');
