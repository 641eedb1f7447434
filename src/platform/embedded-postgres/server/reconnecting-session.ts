import { setTimeout as delay } from 'node:timers/promises';
import type { SessionOptions, Session } from './connection.ts';
import { AnotherServerRuns } from './locks.ts';
import { joinDatabase, leaveDatabase } from './session.ts';
import type { StartError } from '../start-error.ts';

const RETRY_MS = 250;
const MAX_RETRY_MS = 5000;
/** A session that ends sooner delays the next attempt. */
const STABLE_MS = 10_000;
/** PostgreSQL may release the server lock of this process only a moment after the connection is lost. */
const LOCK_TIMEOUT_MS = 2000;

export interface ReconnectingSession {
  /** Resolves when the session cannot be reopened. */
  readonly lost: Promise<StartError>;
  end(): Promise<void>;
}

/**
 * Opens a session and reopens it when it is lost. This covers a postmaster that was killed (it is restarted) and one that
 * restarted by itself, without watching a child process.
 */
export async function openReconnectingSession(options: SessionOptions): Promise<ReconnectingSession> {
  const stopping = new AbortController();
  let session = await joinDatabase(options, stopping.signal);
  let reconnecting: Promise<void> | undefined;
  let unstableSessions = 0;
  let lose: (reason: StartError) => void;
  const lost = new Promise<StartError>((resolve) => (lose = resolve));

  async function watch(current: Session): Promise<void> {
    const since = Date.now();
    await current.ended;
    if (stopping.signal.aborted) return;
    unstableSessions = Date.now() - since < STABLE_MS ? unstableSessions + 1 : 0;
    options.log('The connection to PostgreSQL was lost; restarting the database.');
    reconnecting = reconnect();
  }

  async function reconnect(): Promise<void> {
    for (let attempt = Math.max(0, unstableSessions - 1); !stopping.signal.aborted; attempt += 1) {
      try {
        await delay(Math.min(MAX_RETRY_MS, RETRY_MS * attempt), undefined, { signal: stopping.signal });
        session = await joinDatabase({ ...options, lockTimeoutMs: LOCK_TIMEOUT_MS }, stopping.signal);
        options.log('The database is available again.');
        void watch(session);
        return;
      } catch (error) {
        if (error instanceof AnotherServerRuns) return lose(error);
        if (!stopping.signal.aborted) options.log((error as Error).message);
      }
    }
  }

  async function end(): Promise<void> {
    stopping.abort();
    await reconnecting;
    await leaveDatabase(options, session);
  }

  void watch(session);
  return { lost, end };
}
