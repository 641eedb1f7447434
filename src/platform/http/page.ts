import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { tooManyRequests } from '../errors.ts';
import { contextOf, type Kernel } from './kernel.ts';

/** A page or picture of the service itself, for browsers: no token, no JSON. One value, like an operation. */
export interface Page {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** It asks no database and hides nothing, and a page may show hundreds of them: not limited. */
  readonly isDrawnFromItsAddress?: boolean;
  handle(request: PageRequest): Promise<PageAnswer>;
}

export interface PageRequest {
  readonly ctx: Omit<Context, 'caller'>;
  readonly params: Readonly<Record<string, string>>;
  readonly form: URLSearchParams;
}

export interface PageAnswer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
  readonly cacheControl?: string;
  readonly location?: string;
}

export const page = (declaration: Page): Page => declaration;

/** Somebody at a keyboard needs far fewer; somebody who guesses links needs far more. */
const PER_MINUTE = 120;

export function registerPages(app: FastifyInstance, kernel: Kernel, pages: readonly Page[]): void {
  for (const declared of pages) {
    app.route({
      method: declared.method,
      url: declared.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) => servePage(kernel, declared, request, reply),
    });
  }
}

async function servePage(kernel: Kernel, declared: Page, request: FastifyRequest, reply: FastifyReply) {
  if (!declared.isDrawnFromItsAddress && kernel.rateLimit > 0) {
    const taken = kernel.limiter.take(`page ${request.ip}`, PER_MINUTE);
    if (taken.exceeded) throw tooManyRequests(60);
  }
  const { db } = kernel.connection;
  const params = request.params as Record<string, string>;
  const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
  const run = (on: typeof db) =>
    declared.handle({ ctx: contextOf(kernel, on, undefined, kernel.log), params, form });
  const answer = declared.method === 'GET' ? await run(db) : await db.transaction().execute(run);
  void reply.headers({
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': answer.cacheControl ?? 'no-store',
    ...(answer.location ? { location: answer.location } : {}),
  });
  return reply
    .code(answer.status)
    .type(answer.type ?? 'text/html; charset=utf-8')
    .send(answer.body);
}
