import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTo, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { inject } from 'vitest';
import { openEmbeddedDatabase } from '../../src/platform/embedded-postgres/index.ts';
import { onCleanup } from './program.ts';

/** A new database on the tests' PostgreSQL, behind a proxy that can cut connections. Dropped with its test or test file. */
export interface ProxiedDatabase {
  readonly url: string;
  query<R extends object>(text: string): Promise<R[]>;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Freezes open connections whose startup packet contains `name`. Returns how many. */
  freeze(name: string): number;
  /** Freezes every connection, and accepts new ones without an answer, as a server that hangs does. */
  hang(): void;
  /** Ends frozen connections and serves new ones. */
  wake(): void;
}

/** Empty, or a copy of a template. */
export async function createDatabase(template = 'template1'): Promise<ProxiedDatabase> {
  const { host, user, password } = inject('database');
  const database = `program_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ host, user, password, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${database} template ${template}`);
  const client = new pg.Client({ host, user, password, database });
  await client.connect();
  const proxy = await startProxy(`${host}/.s.PGSQL.5432`);
  onCleanup(async () => {
    await proxy.cut();
    await client.end();
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  });
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${proxy.port}/${database}`,
    query: async <R extends object>(text: string) => (await client.query<R>(text)).rows,
    cut: proxy.cut,
    restore: proxy.restore,
    freeze: proxy.freeze,
    hang: proxy.hang,
    wake: proxy.wake,
  };
}

async function startProxy(socketPath: string) {
  const pairs = new Map<Socket, { inner: Socket; greeting: string }>();
  const unanswered = new Set<Socket>();
  let isHanging = false;

  function serve(outer: Socket): void {
    if (isHanging) return void unanswered.add(outer.on('error', () => undefined));
    const inner = connectTo(socketPath);
    const pair = { inner, greeting: '' };
    pairs.set(outer, pair);
    outer.once('data', (bytes) => (pair.greeting = bytes.toString('latin1')));
    outer.pipe(inner).pipe(outer);
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      one.on('error', () => undefined);
      one.once('close', () => {
        pairs.delete(outer);
        other.destroy();
      });
    }
  }

  function freeze(name: string): number {
    const frozen = [...pairs].filter(([, { greeting }]) => greeting.includes(name));
    for (const [outer, { inner }] of frozen) {
      outer.unpipe(inner).pause();
      inner.unpipe(outer).pause();
    }
    return frozen.length;
  }

  let server: Server;
  const listen = async (at: number) => {
    server = createServer(serve).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  return {
    port,
    async cut() {
      server.close();
      for (const socket of unanswered) socket.destroy();
      for (const [outer, { inner }] of pairs) {
        outer.resetAndDestroy();
        inner.destroy();
      }
    },
    restore: async () => void (await listen(port)),
    freeze,
    hang() {
      isHanging = true;
      freeze('');
    },
    wake() {
      isHanging = false;
      for (const socket of [...unanswered, ...pairs.keys()]) socket.destroy();
      unanswered.clear();
    },
  };
}

/** Runs one statement on the database of a data directory, beside a server or alone; much cheaper than a command. */
export async function queryEmbedded<R extends object>(dataDirectory: string, text: string): Promise<R[]> {
  const database = await openEmbeddedDatabase({ dataDirectory, exclusive: false, log: () => undefined });
  const client = new pg.Client(database.connection);
  try {
    await client.connect();
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
    await database.stop();
  }
}
