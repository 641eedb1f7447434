import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unsupportedMedia } from '../api/errors.ts';
import { matchesEtag } from '../api/etag.ts';
import { policyText, STRICT_POLICY } from '../api/content-security-policy.ts';
import { parseCookies } from './cookies.ts';
import { hostOf } from './host.ts';
import { contextOf, type Kernel } from './kernel.ts';
import { limit } from './rate-limit.ts';
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

/** Of requests without a body, which nothing reads. */
const NO_CONTENT = Readable.from([]);

export function registerPages(app: FastifyInstance, kernel: Kernel, pages: readonly Page[]): void {
  for (const each of pages) {
    if (each.method !== 'PUT') app.route(routeOf(kernel, each));
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
  const key = pageLimit.key({ host: hostOf(request.headers), address: request.ip });
  limit(kernel, reply, `${pageLimit.name} ${key}`, pageLimit.perMinute);
}

function routeOf(kernel: Kernel, page: Page) {
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
      const answer = await answerOf(kernel, page, request);
      return send(request, reply.headers(headers), answer);
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
      const ctx = contextOf(kernel, kernel.connection.db, undefined, undefined);
      const answer = await answerOtherMethod({ ...visitOf(request), ctx }, request.method);
      return send(request, reply.headers(headers), answer);
    },
    handler: () => {
      throw new Error('the hook has answered');
    },
  };
}

async function answerOf(kernel: Kernel, page: Page, request: FastifyRequest): Promise<PageAnswer> {
  const { db } = kernel.connection;
  const visit = visitOf(request);
  const handle = (on: typeof db) =>
    page.handle({ ...visit, ctx: contextOf(kernel, on, undefined, undefined) });
  return page.method === 'POST' && !page.isReadOnly ? db.transaction().execute(handle) : handle(db);
}

function visitOf(request: FastifyRequest): Omit<Visit, 'ctx'> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return {
    ...requestOf(request),
    body,
    form: () => new URLSearchParams(body.toString('utf8')),
    content: request.body instanceof Readable ? request.body : NO_CONTENT,
    visitor: undefined,
  };
}

/** Repeated headers are joined. */
const headersOf = ({ headers }: FastifyRequest) => headers as Record<string, string | undefined>;

function requestOf(request: FastifyRequest): BrowserRequest {
  const { url, ip, params } = request;
  const headers = headersOf(request);
  const end = url.indexOf('?');
  return {
    url,
    headers,
    host: hostOf(headers),
    path: end === -1 ? url : url.slice(0, end),
    address: ip,
    params: params as Record<string, string>,
    query: new URLSearchParams(end === -1 ? '' : url.slice(end + 1)),
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
