import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../api/context.ts';
import { unsupportedMedia } from '../api/errors.ts';
import { limit } from './admit.ts';
import { contextOf, type Kernel } from './kernel.ts';

/** A page, picture or file of the service, for browsers: no token, no JSON. One value, like an operation. */
export interface Page {
  /** A form that was filled in is POST, in a transaction; PUT is bytes, which `content` gives as they come. */
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** Nobody can guess their way by it, and a page may show hundreds of them: not limited. */
  readonly isUnlimited?: boolean;
  /** Never compressed: its length, its tag and ranges of it are those of the bytes themselves. */
  readonly isSentAsItIs?: boolean;
  handle(request: Visit): Promise<PageAnswer>;
}

export interface Visit {
  readonly ctx: Omit<Context, 'caller'>;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly form: URLSearchParams;
  readonly content: Readable;
}

export interface PageAnswer {
  readonly status: number;
  readonly body: string | Readable;
  readonly type?: string;
  readonly cacheControl?: string;
  readonly location?: string;
  /** Beside and before those that every page has. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const page = (declaration: Page): Page => declaration;

/** Somebody at a keyboard needs far fewer; somebody who guesses links needs far more. */
const PER_MINUTE = 120;

/** Anybody may send a form. */
const MAX_FORM = 64 * 1024;

export function registerPages(app: FastifyInstance, kernel: Kernel, pages: readonly Page[]): void {
  const routeOf = (declared: Page) => ({
    method: declared.method,
    url: declared.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(declared.isSentAsItIs ? { compress: false as const } : {}),
    bodyLimit: MAX_FORM,
    onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (!declared.isUnlimited) limit(kernel, reply, `page ${request.ip}`, PER_MINUTE);
      done();
    },
    handler: (request: FastifyRequest, reply: FastifyReply) => servePage(kernel, declared, request, reply),
  });
  for (const declared of pages) if (declared.method !== 'PUT') app.route(routeOf(declared));
  void app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    // Not read here: the page says how much it takes.
    uploads.addContentTypeParser('*', (request, payload, done) =>
      request.headers['content-encoding'] === undefined
        ? done(null, payload)
        : done(unsupportedMedia('Send the bytes uncompressed, without `Content-Encoding`.')),
    );
    for (const declared of pages) if (declared.method === 'PUT') uploads.route(routeOf(declared));
  });
}

async function servePage(kernel: Kernel, declared: Page, request: FastifyRequest, reply: FastifyReply) {
  const { db } = kernel.connection;
  const params = request.params as Record<string, string>;
  const { body } = request;
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
  const content = body instanceof Readable ? body : Readable.from([]);
  const headers = request.headers as Record<string, string | undefined>;
  const run = (on: typeof db) =>
    declared.handle({ ctx: contextOf(kernel, on, undefined, undefined), params, headers, form, content });
  const answer = declared.method === 'POST' ? await db.transaction().execute(run) : await run(db);
  void reply.headers({
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': answer.cacheControl ?? 'no-store',
    ...(answer.location ? { location: answer.location } : {}),
    ...answer.headers,
  });
  if (!answer.headers?.['content-type']) void reply.type(answer.type ?? 'text/html; charset=utf-8');
  return reply.code(answer.status).send(answer.body === '' ? undefined : answer.body);
}
