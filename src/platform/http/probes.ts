import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { collectDefaultMetrics, Histogram, Gauge, Registry, type Metric } from 'prom-client';
import type { Connection } from '../database/connection.ts';
import { forbidden, unauthorized } from '../api/errors.ts';
import { equalsSecret } from '../keys.ts';

/** Access to `/metrics`: with the token; without one configured, only on a server that is not public. */
export interface MetricsAccess {
  readonly token: string | undefined;
  readonly isPublic: boolean;
}

/**
 * `/healthz`: liveness. `/readyz`: readiness. `/metrics`: for Prometheus, with the counters of the product. None of them
 * needs a user.
 */
export function registerProbes(
  app: FastifyInstance,
  connection: Connection,
  access: MetricsAccess,
  counters: readonly Metric[],
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/readyz', async (_request, reply) => {
    if (isClosing) return reply.code(503).header('retry-after', '1').send({ status: 'closing' });
    try {
      await sql`select 1`.execute(connection.db);
      return { status: 'ready' };
    } catch {
      return reply.code(503).header('retry-after', '1').send({ status: 'the database is unavailable' });
    }
  });

  const registry = metricsOf(app, connection);
  for (const counter of counters) registry.registerMetric(counter);
  const scrape = oncePerSecond(() => registry.metrics());
  app.get('/metrics', { compress: false }, async (request, reply) => {
    requireMetrics(access, request);
    return reply.type(registry.contentType).send(await scrape());
  });
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
