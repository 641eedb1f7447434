import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../api/ids.ts';
import { closed, type ConnectionTarget } from './connection.ts';

/** If no heartbeat arrives for this long, notifications may be missing too. */
const DEAF_AFTER_MS = 500;
const BEAT_EVERY_MS = 200;
const RECONNECT_AFTER_MS = 250;

export interface Listener {
  /** Whether notifications of other processes are received at this moment. */
  isHearing(): boolean;
  /** Resolves when all that has been committed before is announced, or this no longer hears. */
  hearAll(): Promise<void>;
  stop(): Promise<void>;
}

/** The time of the first call in this turn of the event loop: one system call for many requests. */
function createClock(): () => number {
  let time: number | undefined;
  const forget = () => (time = undefined);
  return () => {
    if (time === undefined) {
      time = Date.now();
      setImmediate(forget);
    }
    return time;
  };
}

const timeOfTurn = createClock();

interface ListenOptions {
  readonly target: ConnectionTarget;
  readonly onChange: (tags: readonly string[]) => void;
  /** Notifications may have been missed: caches must be cleared. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Receives what transactions of all processes announce (`announce_change` in the migrations). It checks itself with
 * heartbeats over the same connection: a connection that hangs looks alive but returns no heartbeat.
 */
export function listen(options: ListenOptions): Listener {
  const beatChannel = `octavo_beat_${newId().toLowerCase()}`;
  let client: pg.Client | undefined;
  let heardAt = 0;
  let stopped = false;
  /** While the database is away, its first error is enough. */
  let isAway = false;
  /** The connection whose last heartbeat is outstanding. */
  let awaited: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  const report = (error: unknown) => stopped || options.onError(error);

  async function open() {
    const opening = new pg.Client({
      ...options.target,
      application_name: 'octavo listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client = opening;
    opening.on('error', report);
    opening.on('end', () => reopen(opening));
    opening.on('notification', ({ channel, payload }) => {
      if (channel === beatChannel) heardAt = Date.now();
      else options.onChange((payload ?? '').split(' '));
    });
    try {
      await opening.connect();
      await opening.query(`listen octavo_changed; listen ${beatChannel}`);
      isAway = false;
      options.onGap();
      beat(opening, Date.now());
    } catch (error) {
      if (!isAway) report(error);
      isAway = true;
      opening.end().catch(() => undefined);
      reopen(opening);
    }
  }

  function reopen(ended: pg.Client) {
    if (stopped || client !== ended) return;
    client = undefined;
    heardAt = 0;
    clearTimeout(timer);
    timer = setTimeout(() => void open(), RECONNECT_AFTER_MS);
  }

  function beat(on: pg.Client, since: number) {
    if (stopped || client !== on) return;
    // One at a time: another one would wait behind it.
    if (awaited !== on) {
      awaited = on;
      const back = () => awaited === on && (awaited = undefined);
      on.query(`notify ${beatChannel}`).catch(report).finally(back);
    }
    timer = setTimeout(() => {
      // A connection that loses heartbeats is replaced: a broken network may never report its end.
      if (Date.now() - Math.max(heardAt, since) > 10 * DEAF_AFTER_MS) on.end().catch(() => undefined);
      else beat(on, since);
    }, BEAT_EVERY_MS);
  }

  const isHearing = (): boolean => timeOfTurn() - heardAt <= DEAF_AFTER_MS;

  void open();
  return {
    isHearing,
    async hearAll() {
      if (!client || !isHearing()) return;
      // PostgreSQL sends notifications in the order of commits, and a session its own before the statement is complete.
      const heard = client.query(`notify ${beatChannel}`).catch(() => undefined);
      await Promise.race([heard, delay(DEAF_AFTER_MS, undefined, { ref: false })]);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await closed(client?.end());
    },
  };
}
