import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Histogram, Gauge, Registry, type Metric } from 'prom-client';
import type { Connection } from '../database/connection.ts';
import type { DatabaseWatch } from '../database/watch.ts';
import { databaseIsNewer, forbidden, unauthorized } from '../api/errors.ts';
import { equalsSecret } from '../keys.ts';
import { answerError } from './answer/error-response.ts';
import type { HeavyProcess } from '../heavy/heavy-process.ts';
import { METRICS_OF_HEAVY, metricsOfHeavy, together } from './heavy-metrics.ts';

const PROBES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

/** Requests of monitoring: never refused, and not logged one by one. */
export const isProbe = (route: string | undefined): boolean => PROBES.has(route);

/** Access to `/metrics`: with the token; without one configured, only on a server that is not public. */
export interface MetricsAccess {
  readonly token: string | undefined;
  readonly isPublic: boolean;
}

/** The process that is probed. */
export interface Probed {
  readonly connection: Connection;
  readonly watch: DatabaseWatch;
  readonly access: MetricsAccess;
  /** Besides those of requests and of the process. */
  readonly metrics: readonly Metric[];
  /** The heavy process, whose metrics the front shows with its own. */
  readonly heavy?: Pick<HeavyProcess, 'perform'> | undefined;
  readonly isBehindFront?: boolean;
}

/**
 * `/healthz`: liveness. `/readyz`: readiness. `/metrics`: for Prometheus, with the metrics of the product. None of them
 * needs a user.
 */
export function registerProbes(
  app: FastifyInstance,
  { connection, watch, access, metrics, heavy, isBehindFront = false }: Probed,
): void {
  refuseRequestsWhenOlder(app, watch);
  app.get('/healthz', async () => ({ status: 'ok' }));

  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/readyz', async (_request, reply) => {
    const refuse = (status: string) => reply.code(503).header('retry-after', '1').send({ status });
    if (isClosing) return refuse('closing');
    if (!(await watch.isAnswering())) return refuse('the database is unavailable');
    return watch.isNewer() ? refuse('the database is newer than this program') : { status: 'ready' };
  });

  const registry = metricsOf(app, connection);
  for (const metric of metrics) registry.registerMetric(metric);
  if (isBehindFront) {
    registry.setDefaultLabels({ process: 'heavy' });
    app.get(METRICS_OF_HEAVY, () => registry.getMetricsAsJSON());
  }
  const scrape = oncePerSecond(async () =>
    heavy ? together([await registry.getMetricsAsJSON(), await metricsOfHeavy(heavy)]) : registry.metrics(),
  );
  app.get('/metrics', { compress: false }, async (request, reply) => {
    requireMetrics(access, request);
    return reply.type(registry.contentType).send(await scrape());
  });
}

/** Statements of an older program fail, or write what the newer one does not read. */
function refuseRequestsWhenOlder(app: FastifyInstance, watch: DatabaseWatch): void {
  app.addHook('onRequest', (request, _reply, done) =>
    watch.isNewer() && !isProbe(request.routeOptions.url) ? done(databaseIsNewer()) : done(),
  );
}

/** The text can have half a megabyte: concurrent requests share one. */
function oncePerSecond(make: () => Promise<string>): () => Promise<string> {
  let made: { readonly text: Promise<string>; readonly at: number } | undefined;
  return () => {
    if (!made || Date.now() - made.at > 1000) made = { text: make(), at: Date.now() };
    return made.text;
  };
}

/** Set by proxies, behind which every client looks local. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

function requireMetrics({ token, isPublic }: MetricsAccess, { headers }: FastifyRequest): void {
  if (token !== undefined) {
    if (equalsSecret(headers.authorization ?? '', `Bearer ${token}`)) return;
    throw unauthorized('Metrics require the token set in OCTAVO_METRICS_TOKEN.');
  }
  if (isPublic || FORWARDED.some((name) => name in headers)) {
    throw forbidden('A server with a public address requires a token for metrics. Set OCTAVO_METRICS_TOKEN.');
  }
}

function metricsOf(app: FastifyInstance, connection: Connection): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'octavo_request_seconds',
    help: 'Response time by operation path and status',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const path = request.routeOptions.url ?? 'unknown';
    durations.observe({ method: request.method, path, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  registry.registerMetric(
    new Gauge({
      name: 'octavo_database_connections',
      help: 'Connections of the pool in use and idle, and requests waiting for one',
      labelNames: ['state'],
      collect() {
        const { totalCount, idleCount, waitingCount } = connection.pool;
        this.set({ state: 'in use' }, totalCount - idleCount);
        this.set({ state: 'idle' }, idleCount);
        this.set({ state: 'waited for' }, waitingCount);
      },
      registers: [],
    }),
  );
  return registry;
}

/** Probes and metrics of a process that serves nothing else. */
export function createProbeServer(log: Logger, probed: Probed): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    return503OnClosing: false,
  }) as unknown as FastifyInstance;
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, {}));
  registerProbes(app, probed);
  return app;
}
