import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import pg from 'pg';
import { closed, type Connection, type ConnectionTarget } from './connection.ts';

const PAUSE_MS = 500;
/** Time is counted in steps: between two, answers that arrived while this process was busy are read. */
const STEP_MS = 500;
/** After these steps without an answer, `isAnswering` says no. */
const STEPS_TO_UNREADY = 3;
/** After these, the database hangs. Requests must be refused within 5 s. */
const STEPS_TO_HANG = 7;

export interface DatabaseWatch {
  /** Whether the database answers, known within 1.5 s. */
  isAnswering(): Promise<boolean>;
  /** Whether a newer program has migrated the database, as far as is known. */
  isNewer(): boolean;
  /** Asks now whether the database is newer: it may be why a statement failed. */
  askIsNewer(): Promise<boolean>;
  /** Resolves when a newer program has migrated the database. */
  readonly becameNewer: Promise<void>;
  stop(): Promise<void>;
}

interface WatchOptions {
  readonly target: ConnectionTarget;
  /** Interrupted while the database hangs. While it gets answers, the database is only slow. */
  readonly connection: Connection;
  /** How many migrations this program knows. All of them are applied. */
  readonly migrations: number;
  readonly log: Logger;
}

type Outcome = 'answered' | 'failed';

/** Asks the database regularly over a connection of its own, which no slow statement and no busy pool delays. */
export function watchDatabase({ target, connection, migrations, log }: WatchOptions): DatabaseWatch {
  let client: pg.Client | undefined;
  let asking: Promise<Outcome> | undefined;
  let isHanging = false;
  let isNewer = false;
  const stopping = new AbortController();
  let announceNewer: () => void = () => undefined;
  const becameNewer = new Promise<void>((resolve) => (announceNewer = resolve));

  async function connected(): Promise<pg.Client> {
    client = new pg.Client({ ...target, application_name: 'octavo watch', keepAlive: true });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async function ask(): Promise<Outcome> {
    try {
      const on = client ?? (await connected());
      const { rows } = await on.query<{ applied: number }>(
        'select count(*) as applied from kysely_migration',
      );
      noteMigrations(rows[0]?.applied ?? 0);
      return 'answered';
    } catch {
      drop();
      return 'failed';
    } finally {
      asking = undefined;
    }
  }

  const askOnce = () => (asking ??= ask());

  function drop(): void {
    // Not `end`, which waits for the server.
    client?.connection.stream.destroy();
    client = undefined;
  }

  function noteMigrations(applied: number): void {
    const wasNewer = isNewer;
    isNewer = applied > migrations;
    if (!isNewer || wasNewer) return;
    log.error(
      'A newer version of Octavo has migrated the database. Stop this process, and start the newer one.',
    );
    announceNewer();
  }

  async function check(): Promise<void> {
    const before = connection.bytesReceived();
    const outcome = await Promise.race([askOnce(), silence(STEPS_TO_HANG)]);
    if (outcome === 'silent') drop();
    const hangs = outcome === 'silent' && (isHanging || connection.bytesReceived() === before);
    if (hangs === isHanging || stopping.signal.aborted) return;
    isHanging = hangs;
    if (hangs) {
      log.error('The database does not answer. Requests are refused until it does.');
      connection.interrupt();
    } else {
      connection.resume();
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      await delay(PAUSE_MS, undefined, { ref: false });
      if (stopping.signal.aborted) return;
      await check();
    }
  }

  void watch();
  return {
    isAnswering: async () => (await Promise.race([askOnce(), silence(STEPS_TO_UNREADY)])) === 'answered',
    isNewer: () => isNewer,
    async askIsNewer() {
      // A question that is under way may have been answered before.
      const asked = Promise.resolve(asking).then(askOnce);
      await Promise.race([asked, silence(STEPS_TO_UNREADY)]);
      return isNewer;
    },
    becameNewer,
    async stop() {
      stopping.abort();
      await closed(client?.end());
    },
  };
}

async function silence(steps: number): Promise<'silent'> {
  for (let step = 0; step < steps; step++) await delay(STEP_MS, undefined, { ref: false });
  return 'silent';
}
