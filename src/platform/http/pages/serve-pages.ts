import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway, type Database } from '../../database/connection.ts';
import { unsupportedMedia } from '../../api/errors.ts';
import { matchesEtag } from '../../api/etag.ts';
import { policyText, STRICT_POLICY } from '../../api/content-security-policy.ts';
import { clientNetwork } from '../admit/client-network.ts';
import { parseCookies } from './cookies.ts';
import { hostOf } from '../receive/host.ts';
import { contextOf, type Kernel } from '../kernel.ts';
import { limit } from '../admit/rate-limit.ts';
import type { Recall } from './ready-answers.ts';
import { TooLargeHere } from '../../api/too-large-here.ts';
import type { Turn } from '../../api/context.ts';
import {
  PAGE_HEADERS,
  PAGE_LIMIT,
  type BrowserRequest,
  type Page,
  type PageAnswer,
  type Visit,
} from './page.ts';

/** A form needs no authorisation. */
const MAX_FORM = 64 * 1024;

/** The body of requests without one, which nothing reads. */
const NO_CONTENT = Readable.from([]);

export interface ServedPages {
  readonly pages: readonly Page[];
  readonly recall?: Recall | undefined;
}

export function registerPages(app: FastifyInstance, kernel: Kernel, { pages, recall }: ServedPages): void {
  for (const each of pages) {
    if (each.method !== 'PUT') app.route(routeOf(kernel, each, recall));
    if (each.answerOtherMethod) app.route(otherMethodsOf(kernel, each, each.answerOtherMethod));
  }
  void app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    // A stream: the page decides how much of it is read.
    uploads.addContentTypeParser('*', (request, payload, done) =>
      request.headers['content-encoding'] === undefined
        ? done(null, payload)
        : done(unsupportedMedia('Send the bytes uncompressed, without `Content-Encoding`.')),
    );
    for (const each of pages) if (each.method === 'PUT') uploads.route(routeOf(kernel, each));
  });
}

const addressOf = ({ path, host, isUncompressed }: Page) => ({
  url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
  ...(host ? { constraints: { hostKind: host } } : {}),
  ...(isUncompressed ? { compress: false as const } : {}),
});

const headersOfPage = ({ contentSecurityPolicy = STRICT_POLICY, cacheControl = 'no-store' }: Page) => ({
  ...PAGE_HEADERS,
  'content-security-policy': policyText(contentSecurityPolicy),
  'cache-control': cacheControl,
});

function limitPage(kernel: Kernel, page: Page, request: FastifyRequest, reply: FastifyReply): void {
  const pageLimit = page.limit ?? PAGE_LIMIT;
  if (pageLimit === 'none') return;
  const key = pageLimit.key(placeOf(request), kernel.context);
  limit(kernel, reply, `${pageLimit.name} ${key}`, pageLimit.perMinute);
}

function routeOf(kernel: Kernel, page: Page, recall?: Recall) {
  const headers = headersOfPage(page);
  return {
    ...addressOf(page),
    method: page.method,
    bodyLimit: page.maxBody ?? MAX_FORM,
    onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      limitPage(kernel, page, request, reply);
      done();
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { forward } = kernel;
      if (forward && page.isHeavy) return forward(request, reply);
      try {
        const answer = await answerOf(kernel, page, request);
        // Not before: a refusal has headers of its own.
        return send(request, reply.headers(headers), answer);
      } catch (error) {
        if (forward && error instanceof TooLargeHere) return forward(request, reply);
        const last = page.method === 'GET' && isDatabaseAway(error) && recallLast(kernel, request, recall);
        if (last) return send(request, reply, last);
        throw error;
      }
    },
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Answered by a hook, because the body is read before a handler. */
function otherMethodsOf(
  kernel: Kernel,
  page: Page,
  answerOtherMethod: NonNullable<Page['answerOtherMethod']>,
) {
  const headers = headersOfPage(page);
  return {
    ...addressOf(page),
    method: METHODS.filter((method) => method !== page.method),
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      limitPage(kernel, page, request, reply);
      const { db } = kernel.connection;
      const answer = await inVisit(kernel, request, (visit) =>
        answerOtherMethod(withContext(kernel, visit, db), request.method),
      );
      return send(request, reply.headers(headers), answer);
    },
    handler: () => {
      throw new Error('the hook has answered');
    },
  };
}

async function answerOf(kernel: Kernel, page: Page, request: FastifyRequest): Promise<PageAnswer> {
  const { db } = kernel.connection;
  return inVisit(kernel, request, (visit) => {
    const handle = (on: typeof db) => page.handle(withContext(kernel, visit, on));
    return page.method === 'POST' && !page.isReadOnly ? db.transaction().execute(handle) : handle(db);
  });
}

/** While there is no database, pages that every visitor was shown are shown again. */
const recallLast = (kernel: Kernel, request: FastifyRequest, recall?: Recall): PageAnswer | undefined =>
  recall?.(kernel.context, { url: request.url, headers: headersOf(request) }, 'last known');

type VisitWithoutContext = Omit<Visit, 'ctx'>;

const withContext = (kernel: Kernel, visit: VisitWithoutContext, db: Database): Visit => ({
  ...visit,
  ctx: contextOf(kernel, db, undefined, undefined),
});

async function inVisit(
  kernel: Kernel,
  request: FastifyRequest,
  answer: (visit: VisitWithoutContext) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const turn = kernel.turns.begin(request);
  try {
    return await answer(visitOf(request, turn));
  } finally {
    turn.end();
  }
}

function visitOf(request: FastifyRequest, turn: Turn): VisitWithoutContext {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return {
    ...requestOf(request),
    body,
    form: () => new URLSearchParams(body.toString('utf8')),
    content: request.body instanceof Readable ? request.body : NO_CONTENT,
    visitor: undefined,
    signal: request.signal,
    turn,
  };
}

/** Repeated headers are joined. */
const headersOf = ({ headers }: FastifyRequest) => headers as Record<string, string | undefined>;

const queryStart = (url: string): number => (url.includes('?') ? url.indexOf('?') : url.length);

/** Where a request was sent, and by which client. */
const placeOf = ({ url, ip, headers }: FastifyRequest) => ({
  host: hostOf(headers),
  path: url.slice(0, queryStart(url)),
  address: clientNetwork(ip),
});

function requestOf(request: FastifyRequest): BrowserRequest {
  const { url, params } = request;
  const headers = headersOf(request);
  return {
    ...placeOf(request),
    url,
    headers,
    params: params as Record<string, string>,
    query: new URLSearchParams(url.slice(queryStart(url))),
    cookies: parseCookies(headers['cookie']),
  };
}

function send(request: FastifyRequest, reply: FastifyReply, answer: PageAnswer): FastifyReply {
  const { cacheControl, etag, location, type = 'text/html; charset=utf-8' } = answer;
  if (cacheControl) void reply.header('cache-control', cacheControl);
  if (etag) void reply.header('etag', etag);
  if (location) void reply.header('location', location);
  if (answer.headers) void reply.headers(answer.headers);
  if (etag && matchesEtag(request.headers['if-none-match'], etag)) {
    if (answer.body instanceof Readable) answer.body.destroy();
    return reply.code(304).send();
  }
  if (!answer.headers?.['content-type']) void reply.type(type);
  return reply.code(answer.status).send(answer.body === '' ? undefined : answer.body);
}
