import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unsupportedMedia } from '../api/errors.ts';
import { matchesEtag } from '../api/etag.ts';
import { policyText, STRICT_POLICY } from '../api/content-security-policy.ts';
import { parseCookies } from './cookies.ts';
import { hostKindOf, hostOf } from './host.ts';
import { contextOf, type Kernel } from './kernel.ts';
import { limit } from './rate-limit.ts';
import { PAGE_HEADERS, PAGE_LIMIT, type BrowserRequest, type Page, type PageAnswer } from './page.ts';

/** A form needs no authorisation. */
const MAX_FORM = 64 * 1024;

/** Of requests without a body, which nothing reads. */
const NO_CONTENT = Readable.from([]);

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0];
type RouteHandler = NonNullable<ReturnType<ReturnType<Strategy['storage']>['get']>>;

/** `serviceHost`: the host of the service's own address. */
export function registerPages(
  app: FastifyInstance,
  kernel: Kernel,
  pages: readonly Page[],
  serviceHost: string,
): void {
  app.addConstraintStrategy({
    name: 'hostKind',
    storage: () => {
      const handlers = new Map<unknown, RouteHandler>();
      return {
        get: (kind) => handlers.get(kind) ?? null,
        set: (kind, handler) => void handlers.set(kind, handler),
      };
    },
    deriveConstraint: ({ headers }) => hostKindOf(hostOf(headers), serviceHost),
  });
  for (const each of pages) if (each.method !== 'PUT') app.route(routeOf(kernel, each));
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

function routeOf(kernel: Kernel, page: Page) {
  const pageLimit = page.limit ?? PAGE_LIMIT;
  const headers = {
    ...PAGE_HEADERS,
    'content-security-policy': policyText(page.contentSecurityPolicy ?? STRICT_POLICY),
    'cache-control': page.cacheControl ?? 'no-store',
  };
  return {
    method: page.method,
    url: page.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: page.maxBody ?? MAX_FORM,
    ...(page.host ? { constraints: { hostKind: page.host } } : {}),
    ...(page.isUncompressed ? { compress: false as const } : {}),
    onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (pageLimit !== 'none') {
        const { ip: address, headers: sent } = request;
        const key = pageLimit.key({ host: hostOf(sent), address });
        limit(kernel, reply, `${pageLimit.name} ${key}`, pageLimit.perMinute);
      }
      done();
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const answer = await answerOf(kernel, page, request);
      return send(request, reply.headers(headers), answer);
    },
  };
}

async function answerOf(kernel: Kernel, page: Page, request: FastifyRequest): Promise<PageAnswer> {
  const { db } = kernel.connection;
  const { body } = request;
  const visit = {
    ...requestOf(request),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    form: new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : ''),
    content: body instanceof Readable ? body : NO_CONTENT,
    visitor: undefined,
  };
  const handle = (on: typeof db) =>
    page.handle({ ...visit, ctx: contextOf(kernel, on, undefined, undefined) });
  return page.method === 'POST' && !page.isReadOnly ? db.transaction().execute(handle) : handle(db);
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
