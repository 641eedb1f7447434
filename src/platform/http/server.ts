import type { IncomingMessage } from 'node:http';
import compress from '@fastify/compress';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { newId } from '../api/ids.ts';
import type { NamedOperation } from '../api/operation.ts';
import {
  badRequest,
  databaseIsNewer,
  expectationFailed,
  methodNotAllowed,
  noSuchOperation,
} from '../api/errors.ts';
import { limitAddress } from './admit/rate-limit.ts';
import { closeUnread } from './receive/close-unread-body.ts';
import { allowEveryOrigin, answerPreflight, isPreflight } from './answer/cors.ts';
import { decompress } from './receive/decompress.ts';
import { admitEarly } from './admit/early-admission.ts';
import { answerBrokenConnection, answerError, toApiError } from './answer/error-response.ts';
import type { Kernel } from './kernel.ts';
import { routeInTurn } from './receive/pipelining.ts';
import { answerOptions, methodsByPath } from './answer/allowed-methods.ts';
import { withoutBase } from './receive/base-path.ts';
import { endpointOf } from './endpoint.ts';
import { hostConstraint, hostKindOf, hostOf, isHostTooLong } from './receive/host.ts';
import { receiveBody } from './receive/body-bytes.ts';
import { routeHandler } from './act/route-handler.ts';
import { createWriteQueue } from './act/serve-write.ts';
import { cutSlowReader } from './answer/slow-readers.ts';

const BODY_LIMIT = 1024 * 1024;

export type Server = FastifyInstance;

export interface ServerOptions {
  readonly kernel: Kernel;
  readonly operations: readonly NamedOperation[];
  readonly trustProxy: readonly string[];
  /** All requests come from the front, which says who sent them and what their ids are. */
  readonly isBehindFront: boolean;
  /** The path of the public address. Requests are served with and without it: a proxy may strip it or not. */
  readonly basePath: string;
  /** The host of the public address. */
  readonly serviceHost: string;
}

/** Requests that are refused before an operation runs count too: they may be guesses. */
function limited(kernel: Kernel, request: FastifyRequest, reply: FastifyReply): unknown {
  try {
    limitAddress(kernel, request, reply);
    return undefined;
  } catch (error) {
    return error;
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '';

const isExpectationKnown = ({ headers: { expect } }: FastifyRequest): boolean =>
  expect === undefined || expect.toLowerCase() === '100-continue';

const routeOf = ({ path, takesRest }: NamedOperation): string =>
  (takesRest ? path.replace(/\{\w+\}$/, '*') : path).replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Whether a request for the API has no operation, and the router found only the page of all other paths. At the hostname of a
 * site, that may be a page of its version 1.
 */
const isBehindPages = (request: FastifyRequest, serviceHost: string): boolean =>
  request.url.startsWith('/v1/') &&
  request.routeOptions.url === '/*' &&
  hostKindOf(hostOf(request.headers), serviceHost) === 'service';

/** Registers the operations as routes, and turns errors into responses. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { kernel, isBehindFront } = options;
  const app = fastify({
    loggerInstance: kernel.log,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    // One logger for all requests: a child logger per request is expensive.
    childLoggerFactory: (log) => log,
    genReqId: ({ headers }) => (isBehindFront && headers['x-request-id']?.toString()) || newId(),
    rewriteUrl: ({ url = '/' }) => withoutBase(options.basePath, url),
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    trustProxy: isBehindFront || (options.trustProxy.length > 0 ? [...options.trustProxy] : false),
    // While closing, requests on open connections are still served.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2048, ignoreTrailingSlash: true },
    http: {
      headersTimeout: 10_000,
      // Node's default of 30 s would make a timeout of 10 s mean up to 40.
      connectionsCheckingInterval: 2_000,
      // A joined duplicate header is invalid, as it should be. Node would use the first `Authorization` and drop the rest.
      joinDuplicateHeaders: true,
    },
    // Errors before routing (a malformed path), and before there is a request.
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      allowEveryOrigin(request, reply);
      answerError(error, request, reply, kernel.constraints);
    },
    clientErrorHandler: answerBrokenConnection,
  }) as unknown as FastifyInstance;

  // Before any route: adding it later builds all routes again.
  app.addConstraintStrategy(hostConstraint(options.serviceHost));
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
  });
  app.decorateRequest('holdBytes', undefined);
  app.decorateRequest('callerId', undefined);
  app.decorateRequest('tenantId', undefined);
  app.removeAllContentTypeParsers();
  // Bodies are parsed by the kernel, after authorisation; here they are only bytes.
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) =>
    decompress(
      await receiveBody(request, payload),
      request.headers['content-encoding'],
      request.routeOptions.bodyLimit,
      request.holdBytes,
    ),
  );
  // A client that waits for `100 Continue` gets it when its body is about to be read.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  // Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
    done(null, payload);
  });

  routeInTurn(app.server);
  const methodsAt = methodsByPath(
    options.operations.map((operation) => ({ method: operation.method, url: routeOf(operation) })),
  );
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    allowEveryOrigin(request, reply);
    if (isHostTooLong(request.headers))
      done(badRequest('The Host header is longer than a host name can be.'));
    else if (isPreflight(request)) void answerPreflight(reply);
    else if (!isExpectationKnown(request)) done(expectationFailed());
    else if (!request.is404 && !isBehindPages(request, options.serviceHost)) done();
    else {
      const { method } = request;
      const path = pathOf(request);
      const methods = methodsAt(path);
      if (methods.includes(method) && !request.is404) done(badRequest('A part of the path is too long.'));
      else if (methods.length === 0 || methods.includes(method)) done(noSuchOperation(method, path));
      else if (method === 'OPTIONS') void answerOptions(reply, methods);
      else done(methodNotAllowed(method, methods));
    }
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    cutSlowReader(reply, payload);
    closeUnread(request, reply, () => done(null, payload));
  });
  app.setErrorHandler(async (error, request, reply) => {
    const thrown = limited(kernel, request, reply) ?? error;
    const isUnknown = toApiError(thrown, kernel.constraints) === undefined;
    const refusal = isUnknown && (await kernel.watch.askIsNewer()) ? databaseIsNewer(thrown) : thrown;
    return answerError(refusal, request, reply, kernel.constraints);
  });
  // Only reached by `reply.callNotFound()`: requests without a route are refused before their body is read.
  app.setNotFoundHandler((request) => {
    throw noSuchOperation(request.method, pathOf(request));
  });

  const queue = createWriteQueue(kernel);
  for (const operation of options.operations) {
    const endpoint = endpointOf(operation);
    app.route({
      method: operation.method,
      url: routeOf(operation),
      bodyLimit: operation.bodyLimit ?? BODY_LIMIT,
      ...(operation.method === 'GET' ? {} : { onRequest: admitEarly(kernel, endpoint) }),
      handler: routeHandler(kernel, queue, endpoint),
    });
  }
  return app;
}
