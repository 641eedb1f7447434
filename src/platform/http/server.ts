import compress from '@fastify/compress';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { newId } from '../ids.ts';
import type { NamedOperation } from '../operation.ts';
import { notFound } from '../errors.ts';
import { limitAddress } from './admit.ts';
import { answerBrokenConnection, answerError } from './errors.ts';
import type { Kernel } from './kernel.ts';
import { planOf } from './plan.ts';
import { serving } from './serve.ts';

const BODY_LIMIT = 1024 * 1024;

export type Server = FastifyInstance;

export interface ServerOptions {
  readonly kernel: Kernel;
  readonly operations: readonly NamedOperation[];
  readonly trustProxy: readonly string[];
}

/** What is refused before any operation is asked counts too: somebody may be guessing. */
function limited(kernel: Kernel, request: FastifyRequest, reply: FastifyReply): unknown {
  try {
    limitAddress(kernel, request, reply);
    return undefined;
  } catch (error) {
    return error;
  }
}

const routeOf = ({ path, takesRest }: NamedOperation): string =>
  (takesRest ? path.replace(/\{\w+\}$/, '*') : path).replaceAll(/\{(\w+)\}/g, ':$1');

/** Operations become routes; whatever they throw becomes an answer. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { kernel } = options;
  const app = fastify({
    loggerInstance: kernel.log,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    // One for all: making one for each request costs more than it tells.
    childLoggerFactory: (log) => log,
    genReqId: newId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    // While closing, requests on open connections are still served: they were sent in good faith.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2048, ignoreTrailingSlash: true },
    http: {
      headersTimeout: 10_000,
      // How often Node looks for connections whose time is up; its own 30 s would make 10 s mean up to 40.
      connectionsCheckingInterval: 2_000,
      // Joined, a doubled header is no longer a valid one. Node would keep the first `Authorization` and drop the rest.
      joinDuplicateHeaders: true,
    },
    // What fails before there is a route (a path that is not well encoded) or before there is a request at all.
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      answerError(error, request, reply, kernel.constraints);
    },
    clientErrorHandler: answerBrokenConnection,
  }) as unknown as FastifyInstance;

  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] });
  app.removeAllContentTypeParsers();
  // Bodies are parsed by the kernel, after authorisation; here they are only bytes.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  app.setErrorHandler((error, request, reply) =>
    answerError(limited(kernel, request, reply) ?? error, request, reply, kernel.constraints),
  );
  app.setNotFoundHandler((request) => {
    throw notFound(`${request.method} ${request.url.split('?')[0]}: this operation`);
  });

  for (const operation of options.operations) {
    app.route({
      method: operation.method,
      url: routeOf(operation),
      bodyLimit: operation.bodyLimit ?? BODY_LIMIT,
      handler: serving(kernel, planOf(operation)),
    });
  }
  return app;
}
