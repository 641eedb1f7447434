import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import type { SharedContext } from '../../api/context.ts';
import { matchesEtag } from '../../api/etag.ts';
import { newId } from '../../api/ids.ts';
import { withoutBase } from '../receive/base-path.ts';
import { PAGE_HEADERS, type PageAnswer, type RawRequest } from './page.ts';
import { isAnswering, recordResponse } from '../receive/pipelining.ts';
import { loggedPath, type LogRequest } from '../answer/request-log.ts';
import { cutStalled, LARGE_ANSWER } from '../answer/slow-readers.ts';

/** Finds an answer that was made before, without waiting for anything: one that is current, or was when last known. */
export type Recall = (
  ctx: SharedContext,
  request: RawRequest,
  age: 'current' | 'last known',
) => PageAnswer | undefined;

/** An answer as it is sent. */
interface Ready {
  readonly etag: string;
  readonly body: Buffer;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** The headers of a 304. */
  readonly unchangedHeaders: readonly string[];
}

/**
 * Sends answers that are ready before their requests reach the router, which costs more than such an answer does. They do
 * not count for rate limits: a refusal would cost as much. Returns their counter.
 */
export function sendReadyAnswers(
  app: FastifyInstance,
  ctx: SharedContext,
  basePath: string,
  recall: Recall,
  logRequest?: LogRequest,
): Counter {
  const sent = new Counter({
    name: 'octavo_ready_answers_total',
    help: 'Responses that were ready and sent before the router',
    registers: [],
  });
  const prepared = new WeakMap<PageAnswer, Ready>();
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });

  function find(request: IncomingMessage): Ready | undefined {
    if (isClosing || !isPlainGet(request) || isAnswering(request.socket)) return undefined;
    const { url = '/', headers } = request;
    const raw = { url: withoutBase(basePath, url), headers: headers as RawRequest['headers'] };
    const answer = recall(ctx, raw, 'current');
    if (!answer) return undefined;
    let ready = prepared.get(answer);
    if (!ready && (ready = prepare(answer))) prepared.set(answer, ready);
    return ready;
  }

  const [route] = app.server.listeners('request') as RequestListener[];
  if (!route) throw new Error('The server has no router');
  app.server.off('request', route).on('request', (request, response) => {
    const ready = find(request);
    if (!ready) return route(request, response);
    send(request, response, ready, logRequest);
    sent.inc();
  });
  return sent;
}

const isPlainGet = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined;

/** Undefined for an answer that the router sends. */
function prepare({ status, body, etag, type, cacheControl, headers = {} }: PageAnswer): Ready | undefined {
  if (status !== 200 || !Buffer.isBuffer(body) || body.length > LARGE_ANSWER) return undefined;
  if (!etag || !type || !cacheControl) return undefined;
  const { 'content-encoding': encoding, ...others } = headers;
  const unchanged = { ...PAGE_HEADERS, 'cache-control': cacheControl, etag, ...others };
  const own = {
    'content-type': type,
    'content-length': String(body.length),
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  };
  const unchangedHeaders = Object.entries(unchanged).flat();
  return { etag, body, unchangedHeaders, headers: [...unchangedHeaders, ...Object.entries(own).flat()] };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  ready: Ready,
  logRequest: LogRequest | undefined,
): void {
  recordResponse(request.socket, response);
  cutStalled(request.socket);
  const requestId = newId();
  const isUnchanged = matchesEtag(request.headers['if-none-match'], ready.etag);
  if (isUnchanged) response.writeHead(304, [...ready.unchangedHeaders, 'x-request-id', requestId]).end();
  else response.writeHead(200, [...ready.headers, 'x-request-id', requestId]).end(ready.body);
  logRequest?.({
    method: 'GET',
    path: loggedPath(request.url ?? ''),
    status: isUnchanged ? 304 : 200,
    ms: 0,
    requestId,
  });
}
