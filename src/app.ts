import path from 'node:path';
import type { Logger } from 'pino';
import { basePath, isPublic, type Config } from './config.ts';
import { startDelivery } from './domains/events/index.ts';
import { constraints, eventReaders, jobs, operations, pages } from './domains/index.ts';
import { createBlockCache } from './domains/comments/index.ts';
import { createImportCounters, createImportQueue } from './domains/imports/index.ts';
import { InsightsBuffer, startFlushing } from './domains/insights/index.ts';
import { createRequestLinkCache } from './domains/links/index.ts';
import { createSharedWork } from './domains/pdfs/shared-work.ts';
import {
  createGitBlobCache,
  createRevisionAnswerCache,
  createStorageCaches,
} from './domains/revisions/index.ts';
import { touchMembers } from './domains/members/index.ts';
import { callerSql, touchTokens, touchUnusedTokens } from './domains/users/index.ts';
import { openInstallation, type Installation } from './installation.ts';
import { openDatabase } from './open-database.ts';
import { createSiteCaches } from './site/read/caches.ts';
import { sitePages } from './site/serve/pages.ts';
import { recallAnswer } from './site/serve/ready-answers.ts';
import { createIdentify } from './platform/access/identify.ts';
import { createCache, NO_CACHE, type Cache } from './platform/access/cache.ts';
import type { Caches, Context, SharedContext } from './platform/api/context.ts';
import type { NamedOperation } from './platform/api/operation.ts';
import { listen, type Listener } from './platform/database/listener.ts';
import { startWorker, type Worker } from './platform/jobs/worker.ts';
import { createAnswerCache } from './platform/http/answer-cache.ts';
import { drainOnClose } from './platform/http/drain.ts';
import type { Kernel } from './platform/http/kernel.ts';
import { registerProbes } from './platform/http/probes.ts';
import { createRateLimiter } from './platform/http/rate-limit.ts';
import type { Page } from './platform/http/page.ts';
import { sendReadyAnswers, type Recall } from './platform/http/ready-answers.ts';
import { registerPages } from './platform/http/serve-pages.ts';
import { createServer, type Server } from './platform/http/server.ts';
import { createHeldBytes } from './platform/http/held-bytes.ts';
import { collectUses, type Uses } from './platform/http/last-use.ts';
import { createGit } from './platform/git/index.ts';
import { createMail } from './platform/mail/smtp.ts';
import { createOutbound, type Outbound } from './platform/outbound/index.ts';
import { createPdf } from './platform/pdf/index.ts';
import { createThreads } from './platform/threads/index.ts';
import { openApiDocument } from './platform/openapi/document.ts';
import { registerReference } from './platform/openapi/reference/index.ts';
import { PACKAGE_ROOT, VERSION } from './platform/version.ts';

/** The composition root: creates and connects the parts of the program. */

/** The module of content engine functions that run in worker threads. `build.js` bundles it next to `main.js`. */
const engineTasks = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? 'tasks.ts' : 'tasks.js', import.meta.url);

/**
 * Create it once per process: it contains the thread pool and the PDF compiler. `rows` are kept by a process that serves
 * requests, which learns what changes.
 */
export function sharedContext(
  config: Config,
  installation: Installation,
  rows: Cache = NO_CACHE,
): SharedContext {
  const outbound = outboundOf(config);
  return {
    addresses: addressesOf(config),
    keys: installation.keys,
    settings: {
      organizationCreation: config.organizationCreation,
      mail: config.smtpUrl !== undefined,
      home: config.handbook,
      imports: { pages: config.importPages, minutes: config.importMinutes },
    },
    mail: createMail(config.smtpUrl, config.smtpFrom),
    files: installation.files,
    pdf: createPdf({ limitMs: config.pdfSeconds * 1000 }),
    caches: createCaches(rows),
    threads: createThreads({ tasks: engineTasks() }),
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

export const addressesOf = (config: Config): Context['addresses'] => ({
  of: (path) => config.url + path,
  base: basePath(config),
});

/** Every process-wide cache of the product, so that two apps in one process share nothing. */
const createCaches = (rows: Cache): Caches => ({
  ...createStorageCaches(),
  revisionAnswers: createRevisionAnswerCache(),
  gitBlobs: createGitBlobCache(),
  commentedBlocks: createBlockCache(),
  requestLinks: createRequestLinkCache(),
  runningPdfs: createSharedWork(),
  importQueue: createImportQueue(),
  importCounters: createImportCounters(),
  sites: createSiteCaches(rows, path.join(PACKAGE_ROOT, 'dist', 'site')),
  insights: new InsightsBuffer(),
});

/** Starts background work: jobs, and the delivery of events. */
export async function startJobs(
  context: SharedContext,
  { connection }: Installation,
  log: Logger,
): Promise<Worker> {
  const ctx = { ...context, db: connection.db, log };
  await context.git.removeAbandoned();
  const worker = await startWorker(connection.pool, jobs, ctx);
  const delivery = startDelivery(ctx, eventReaders);
  return {
    ...worker,
    stop: async () => void (await Promise.all([worker.stop(), delivery.stop()])),
  };
}

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
}

export async function buildApp(
  config: Config,
  log: Logger,
  {
    served = { operations, pages: [...pages, ...sitePages], recall: recallAnswer },
    opening = openDatabase(config, log, true),
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
    exclusive: true,
    onCommit: cache.drop,
    opening,
  });
  listener = listen({
    target: installation.target,
    onChange: cache.drop,
    onGap: cache.clear,
    onError: (error) => log.warn({ err: error }, 'the listening connection failed'),
  });

  const context = sharedContext(config, installation, cache);
  const { db } = installation.connection;
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
    connection: installation.connection,
    identify: createIdentify(callerSql),
    cache,
    answerCache: createAnswerCache(),
    limiter: createRateLimiter(),
    rateLimit: config.rateLimit,
    heldBodies: createHeldBytes('large request bodies'),
    unsentAnswers: createHeldBytes('large responses'),
    context,
    log,
    tenantColumn: 'organization_id',
    isDiskFull: () => installation.disk.isNearlyFull(),
    constraints,
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
    const server = await buildServer(config, kernel, served);
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

async function buildServer(config: Config, kernel: Kernel, served: Served): Promise<Server> {
  const server = await createServer({
    kernel,
    operations: served.operations,
    trustProxy: config.trustedProxies,
    basePath: basePath(config),
    serviceHost: new URL(config.url).hostname,
  });
  registerPages(server, kernel, served.pages);
  const ready = served.recall && sendReadyAnswers(server, kernel.context, basePath(config), served.recall);
  const { imports, pages } = kernel.context.caches.importCounters;
  registerProbes(server, kernel.connection, { token: config.metricsToken, isPublic: isPublic(config) }, [
    imports,
    pages,
    ...(ready ? [ready] : []),
  ]);
  const document = () => openApiDocument(served.operations, { version: VERSION, url: config.url });
  await registerReference(server, basePath(config), document);
  // After the probes, which report the shutdown at once.
  drainOnClose(server);

  return server;
}
