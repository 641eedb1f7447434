import path from 'node:path';
import type { Logger } from 'pino';
import type { Metric } from 'prom-client';
import { addressesOf } from './addresses.ts';
import { basePath, isPublic, type Config } from './config.ts';
import { startDelivery } from './domains/events/index.ts';
import {
  constraints,
  createSliceCaches,
  eventReaders,
  jobs,
  operations,
  pages,
  visitorAccess,
} from './domains/index.ts';
import { startFlushing } from './domains/insights/index.ts';
import { touchMembers } from './domains/members/index.ts';
import { callerSql, touchTokens, touchUnusedTokens } from './domains/users/index.ts';
import { openInstallation, type Installation } from './installation.ts';
import { openDatabase } from './open-database.ts';
import { createSiteCaches } from './site/read/caches.ts';
import { sitePages } from './site/serve/pages.ts';
import { recallAnswer } from './site/serve/ready-answers.ts';
import { createIdentify } from './platform/access/identify.ts';
import { createCache, NO_CACHE, type Cache } from './platform/access/cache.ts';
import type { Caches, SharedContext } from './platform/api/context.ts';
import type { NamedOperation } from './platform/api/operation.ts';
import { listen, type Listener } from './platform/database/listener.ts';
import { jobMetrics } from './platform/jobs/metrics.ts';
import { startWorker, type Worker } from './platform/jobs/worker.ts';
import { processMetrics } from './platform/process-metrics.ts';
import { createAnswerCache } from './platform/http/answer/answer-cache.ts';
import { drainOnClose } from './platform/http/drain.ts';
import { createForward } from './platform/http/forward.ts';
import type { HeavyProcess } from './platform/heavy/heavy-process.ts';
import type { Kernel } from './platform/http/kernel.ts';
import { createProbeServer, registerProbes, type Probed } from './platform/http/probes.ts';
import { createRequestLog, logRequests } from './platform/http/answer/request-log.ts';
import { createRateLimiter } from './platform/http/admit/rate-limit.ts';
import type { Page } from './platform/http/pages/page.ts';
import { sendReadyAnswers, type Recall } from './platform/http/pages/ready-answers.ts';
import { registerPages } from './platform/http/pages/serve-pages.ts';
import { createServer, type Server } from './platform/http/server.ts';
import { createTurns, createWriteTurns } from './platform/http/admit/turns.ts';
import { createHeldBytes } from './platform/http/receive/held-bytes.ts';
import { collectUses, type Uses } from './platform/http/admit/last-use.ts';
import { createGit } from './platform/git/index.ts';
import { createMail } from './platform/mail/smtp.ts';
import { createOutbound, type Outbound } from './platform/outbound/index.ts';
import { createPdf } from './platform/pdf/index.ts';
import { createThreads } from './platform/threads/index.ts';
import { openApiDocument } from './platform/openapi/document.ts';
import { registerReference } from './platform/openapi/reference/index.ts';
import { scriptAt } from './platform/script.ts';
import { PACKAGE_ROOT, VERSION } from './platform/version.ts';

/** The composition root: creates and connects the parts of the program. */

/**
 * Create it once per process: it contains the thread pool and the PDF compiler. `rows` are kept by a process that serves
 * requests, which learns what changes.
 */
export function sharedContext(
  config: Config,
  installation: Installation,
  rows: Cache = NO_CACHE,
  isFront = false,
): SharedContext {
  const outbound = outboundOf(config);
  return {
    addresses: addressesOf(config),
    keys: installation.keys,
    settings: {
      organizationCreation: config.organizationCreation,
      mail: config.smtpUrl !== undefined,
      home: config.handbook,
      pageFormat: config.pageFormat,
      imports: { pages: config.importPages, minutes: config.importMinutes },
    },
    mail: createMail(config.smtpUrl, config.smtpFrom),
    files: installation.files,
    pdf: createPdf({ limitMs: config.pdfSeconds * 1000 }),
    caches: createCaches(rows),
    threads: createThreads({ tasks: scriptAt(new URL('tasks', import.meta.url)).url }),
    isFront,
    outbound,
    git: createGit({ folder: path.join(config.dataDirectory, 'git'), outbound }),
    now: () => new Date(),
  };
}

export const outboundOf = (config: Config): Outbound =>
  createOutbound({
    // Operators of other servers can see who sends requests, and whom to ask about them.
    userAgent: `Octavo/${VERSION} (+${config.url})`,
    allow: config.outboundAllow,
    dnsServers: config.dnsServers,
    ownAddresses: [`${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`],
  });

/** Every process-wide cache of the product, so that two apps in one process share nothing. */
const createCaches = (rows: Cache): Caches => ({
  ...createSliceCaches(),
  sites: createSiteCaches(rows, path.join(PACKAGE_ROOT, 'dist', 'site')),
});

/** Starts background work: jobs, and the delivery of events. */
export async function startJobs(
  context: SharedContext,
  { connection, watch }: Installation,
  log: Logger,
  onStart?: (workerId: string) => void,
): Promise<Worker> {
  const ctx = { ...context, db: connection.db, log };
  await context.git.removeAbandoned();
  const worker = await startWorker(connection.pool, jobs, ctx, onStart);
  const delivery = startDelivery(ctx, eventReaders);
  let stopped: Promise<unknown> | undefined;
  const stop = async () => void (await (stopped ??= Promise.all([worker.stop(), delivery.stop()])));
  // Jobs of this version may write what the newer one does not read.
  void watch.becameNewer.then(stop);
  return { ...worker, stop };
}

/** The state of a process, for its probes and metrics. */
function probed(
  config: Config,
  { connection, watch, context }: Pick<Kernel, 'connection' | 'watch' | 'context'>,
  metrics: readonly Metric[] = [],
  processes: Pick<Probed, 'heavy' | 'isBehindFront'> = {},
): Probed {
  const { imports, pages } = context.caches.importCounters;
  const tasks = jobs.map(({ name }) => name);
  return {
    ...processes,
    connection,
    watch,
    access: { token: config.metricsToken, isPublic: isPublic(config) },
    metrics: [
      ...processMetrics(config.dataDirectory),
      ...jobMetrics(connection.db, tasks),
      imports,
      pages,
      ...metrics,
    ],
  };
}

/** The probes of `octavo worker`. */
export const probeServer = (
  config: Config,
  log: Logger,
  { connection, watch }: Installation,
  context: SharedContext,
): Pick<Server, 'listen' | 'close'> => createProbeServer(log, probed(config, { connection, watch, context }));

export interface App {
  readonly server: Server;
  readonly installation: Installation;
  readonly context: SharedContext;
  /** Answers requests in flight, then closes the database. */
  close(): Promise<void>;
}

/** The operations and pages of the server; tests add their own. */
export interface Served {
  readonly operations: readonly NamedOperation[];
  readonly pages: readonly Page[];
  readonly recall?: Recall;
}

interface BuildOptions {
  readonly served?: Served;
  readonly opening?: ReturnType<typeof openDatabase>;
  /** Makes this the front, which leaves to that process what is large. */
  readonly heavy?: Pick<HeavyProcess, 'perform'>;
  /** Makes this the heavy process. */
  readonly isBehindFront?: boolean;
}

export async function buildApp(
  config: Config,
  log: Logger,
  {
    served = { operations, pages: [...pages, ...sitePages], recall: recallAnswer },
    isBehindFront = false,
    opening = openDatabase(config, log, !isBehindFront),
    heavy,
  }: BuildOptions = {},
): Promise<App> {
  let listener: Listener | undefined;
  const cache = createCache({
    maxEntries: 50_000,
    maxBytes: 64 * 1024 * 1024,
    isUsable: () => config.cache && (listener?.isHearing() ?? false),
  });
  const installation = await openInstallation({
    config,
    log,
    exclusive: !isBehindFront,
    onCommit: cache.drop,
    opening,
  });
  const { target, connection, watch } = installation;
  const { db } = connection;
  listener = listen({
    target,
    onChange: cache.drop,
    onGap: cache.clear,
    onError: (error) => log.warn({ err: error }, 'the listening connection failed'),
  });

  const context = sharedContext(config, installation, cache, heavy !== undefined);
  const writeUses = {
    firstUse: (tokenIds: readonly string[]) => touchUnusedTokens(db, tokenIds),
    async lastUse({ tokenIds, userIds }: Uses) {
      await touchTokens(db, tokenIds);
      await touchMembers(db, userIds);
    },
  };
  const uses = collectUses(writeUses, log);
  const insights = startFlushing(db, context.caches.insights, log);
  const kernel: Kernel = {
    connection,
    watch,
    identify: createIdentify(callerSql),
    cache,
    answerCache: createAnswerCache(),
    limiter: createRateLimiter(),
    turns: createTurns(),
    writeTurns: createWriteTurns(config.databasePool, connection.pool),
    rateLimit: config.rateLimit,
    heldBodies: createHeldBytes('large request bodies'),
    unsentAnswers: createHeldBytes('large responses'),
    context,
    forward: heavy && createForward(heavy, config.heavyProcesses, listener.hearAll),
    announceCommit: isBehindFront ? ({ raw }) => raw.writeProcessing() : undefined,
    log,
    tenantColumn: 'organization_id',
    isDiskFull: () => installation.disk.isNearlyFull(),
    constraints,
    visitors: visitorAccess,
    used: uses.add,
  };
  const closeAll = async () => {
    await uses.flush();
    await insights.stop();
    await listener.stop();
    await context.threads.close();
    await installation.close();
  };
  try {
    const server = await buildServer(config, kernel, served, { heavy, isBehindFront });
    return {
      server,
      installation,
      context,
      async close() {
        await server.close();
        await closeAll();
      },
    };
  } catch (error) {
    // No process may remain, in particular not the embedded database.
    await closeAll();
    throw error;
  }
}

async function buildServer(
  config: Config,
  kernel: Kernel,
  served: Served,
  processes: Pick<BuildOptions, 'heavy'> & { readonly isBehindFront: boolean },
): Promise<Server> {
  const server = await createServer({
    kernel,
    operations: served.operations,
    trustProxy: config.trustedProxies,
    isBehindFront: processes.isBehindFront,
    basePath: basePath(config),
    serviceHost: new URL(config.url).hostname,
  });
  registerPages(server, kernel, served);
  const logRequest = createRequestLog(kernel.log, config.requestLogLevel);
  if (logRequest) logRequests(server, logRequest);
  const ready =
    served.recall && sendReadyAnswers(server, kernel.context, basePath(config), served.recall, logRequest);
  registerProbes(server, probed(config, kernel, ready ? [ready] : [], processes));
  const document = () => openApiDocument(served.operations, { version: VERSION, url: config.url });
  await registerReference(server, basePath(config), document);
  // After the probes, which report the shutdown at once.
  drainOnClose(server);

  return server;
}
