import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as sendRequest, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import injectRequest from 'light-my-request';
import { inject } from 'vitest';
import pg from 'pg';
import type { Logger } from 'pino';
import { buildApp, type App, type Served } from '../src/app.ts';
import { createLog } from '../src/log.ts';
import { loadConfig, type Config } from '../src/config.ts';
import { readAdministrator } from '../src/first-start.ts';
import { deliver } from '../src/domains/events/index.ts';
import { eventReaders, operations, pages } from '../src/domains/index.ts';
import { sitePages } from '../src/site/serve/pages.ts';
import { recallAnswer } from '../src/site/serve/ready-answers.ts';
import type { NamedOperation } from '../src/platform/api/operation.ts';
import { createAttempts } from '../src/platform/heavy/attempts.ts';
import type { Page } from '../src/platform/http/pages/page.ts';
import { violationsOf } from './conformance/schemas.ts';
import { atEnd } from './at-end.ts';
import { aDatabaseFor, FIRST_START, urlOf, type TestDatabase } from './databases.ts';

export interface Call {
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** Sent verbatim, instead of `body`. */
  readonly raw?: string | Buffer;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- responses are untyped in tests
  readonly body: any;
}

export interface TestApp {
  readonly app: App;
  /** How many requests the front has left to the heavy process, repetitions included. */
  forwarded(): number;
  /** The path of the socket at which the heavy process listens. */
  readonly heavySocket: string | undefined;
  /** The heavy process is lost with each request while `work` runs: after it has committed, before it answers. */
  losingAnswers<T>(work: () => Promise<T>): Promise<T>;
  /** The administrator token that the first start created. */
  readonly adminToken: string;
  readonly database: TestDatabase;
  /** One request over HTTP. Every successful response is checked against the public schema. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** Delivers pending events to their readers, as a process does in the background. */
  tellReaders(): Promise<void>;
  /** For changes that no operation makes, such as the passing of time or corruption. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

export interface AppOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Another app whose database to use: a second process of the same installation. */
  readonly beside?: TestApp;
  /** Two apps, as two processes: a front, and one for what is large. */
  readonly hasHeavy?: boolean;
  /** Instead of the pages of published sites. */
  readonly pages?: readonly Page[];
}

/** The whole service on its own database, closed after the test file. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const database = options.beside?.database ?? (await aDatabaseFor(options.environment ?? {}));
  const data = mkdtempSync(path.join(tmpdir(), 'octavo-data-'));
  const config = loadConfig({
    ...FIRST_START,
    DATABASE_URL: urlOf(database),
    OCTAVO_LOG_LEVEL: 'silent',
    OCTAVO_RATE_LIMIT: '0',
    OCTAVO_DATABASE_POOL: '6',
    OCTAVO_DATA: data,
    OCTAVO_FILES: path.join(data, 'files'),
    OCTAVO_URL: 'http://octavo.test',
    OCTAVO_OUTBOUND_ALLOW: inject('source'),
    // No test asks a name server of the internet.
    OCTAVO_DNS_SERVERS: '127.0.0.1:1',
    ...options.environment,
  });
  const log = createLog(config);
  const served = { operations, pages: [...pages, ...(options.pages ?? sitePages)], recall: recallAnswer };
  const heavy = options.hasHeavy ? await startHeavy(config, log, served, data) : undefined;
  const app = await buildApp(config, log, { served, ...(heavy && { heavy }) });
  const { installation } = app;
  const administrator = await readAdministrator(installation.connection.db, config);
  await app.server.ready();
  const direct = new pg.Pool({ ...database, max: 1 });
  // A lost connection fails the next query, not the process.
  direct.on('error', () => undefined);
  atEnd(async () => {
    await direct.end();
    await app.close();
    await heavy?.close();
    rmSync(data, { recursive: true });
  });
  return {
    app,
    forwarded: () => heavy?.count() ?? 0,
    heavySocket: heavy?.socket,
    losingAnswers: async (work) => {
      if (!heavy) throw new Error('this app has no heavy process');
      return heavy.losingAnswers(work);
    },
    adminToken: administrator?.token ?? '',
    database,
    call: (method, path, call = {}) => request(app, method, path, call),
    tellReaders: async () => {
      await deliver({ ...app.context, db: installation.connection.db, log }, eventReaders, new Map());
    },
    sql: async (text, values = []) => (await direct.query(text, values)).rows,
  };
}

async function startHeavy(config: Config, log: Logger, served: Served, folder: string) {
  const behind = await buildApp({ ...config, rateLimit: 0 }, log, { served, isBehindFront: true });
  const socket = path.join(folder, 'heavy.sock');
  await behind.server.listen({ path: socket });
  const attempts = createAttempts(() => Promise.resolve());
  let used = socket;
  let count = 0;
  return {
    count: () => count,
    socket,
    perform<T>(attempt: (socket: string) => Promise<T>) {
      return attempts.perform(() => {
        count += 1;
        return attempt(used);
      });
    },
    async losingAnswers<T>(work: () => Promise<T>): Promise<T> {
      const relay = relayWithoutAnswers(socket);
      used = path.join(folder, 'lost.sock');
      await new Promise<void>((resolve) => relay.listen(used, resolve));
      try {
        return await work();
      } finally {
        used = socket;
        relay.close();
      }
    },
    close: () => behind.close(),
  };
}

/** Passes requests on, and informational responses back; where a response begins, the connection ends. */
const relayWithoutAnswers = (socketPath: string): Server =>
  createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming;
    incoming.pipe(
      sendRequest({ socketPath, path: url, method, headers })
        .on('information', () => outgoing.writeProcessing())
        .on('response', () => outgoing.destroy()),
    );
  });

async function request(app: App, method: string, path: string, call: Call): Promise<Answer> {
  const hasBody = call.raw !== undefined || call.body !== undefined;
  // Through the listener of the server, so that answers that are ready are sent before the router.
  const listener = (incoming: object, outgoing: object) =>
    app.server.server.emit('request', incoming, outgoing);
  const response = await injectRequest(listener, {
    method: method as 'GET',
    url: path,
    query: Object.fromEntries(
      Object.entries(call.query ?? {}).map(([name, value]) => [
        name,
        Array.isArray(value) ? [...value] : String(value),
      ]),
    ),
    headers: {
      ...(call.token ? { authorization: `Bearer ${call.token}` } : {}),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...call.headers,
    },
    ...(hasBody ? { payload: call.raw ?? JSON.stringify(call.body) } : {}),
  });
  const answer = {
    status: response.statusCode,
    headers: response.headers as Record<string, string | undefined>,
    text: response.body,
    body: parsed(response.body),
  };
  requireConformance(method, path, answer);
  return answer;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every successful response of a test must conform to the public schema. */
function requireConformance(method: string, path: string, answer: Answer): void {
  const operation = operationAt(method, path);
  // At the hostname of a site, a path of the API may be that of a page.
  const isPage = answer.headers['content-type']?.startsWith('text/html') ?? false;
  if (!operation || isPage || answer.status >= 300) return;
  const violations = violationsOf(method, operation.path, answer.status, answer.body);
  if (violations.length > 0)
    throw new Error(`${operation.id} breaks the public schema:\n${violations.join('\n')}`);
}

const patterns = operations.map(
  (operation) => [operation, new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const,
);

export function operationAt(method: string, path: string): NamedOperation | undefined {
  const [pathname = ''] = path.split('?');
  return patterns.find(([operation, pattern]) => operation.method === method && pattern.test(pathname))?.[0];
}
