import { setTimeout as delay } from 'node:timers/promises';
import type { Place, Session } from './connection.ts';
import { AnotherServerRuns } from './locks.ts';
import { joinDatabase, leaveDatabase } from './session.ts';
import type { StartError } from './start-error.ts';

const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
const LASTING_MS = 10_000;
/** Our own lost connection may hold the lock for serving a moment longer. */
const OWN_LOCK_MS = 2000;

export interface ReconnectingSession {
  readonly lost: Promise<StartError>;
  end(): Promise<void>;
}

/**
 * Holds a session and reopens it when it breaks. That covers a postmaster that was killed (it is restarted) and one that
 * restarted by itself, without watching a child process.
 */
export async function openReconnectingSession(place: Place): Promise<ReconnectingSession> {
  const stopping = new AbortController();
  let session = await joinDatabase(place, stopping.signal);
  let entering: Promise<void> | undefined;
  let shortLives = 0;
  let lose: (reason: StartError) => void;
  const lost = new Promise<StartError>((resolve) => (lose = resolve));

  async function watch(current: Session): Promise<void> {
    const since = Date.now();
    await current.ended;
    if (stopping.signal.aborted) return;
    shortLives = Date.now() - since < LASTING_MS ? shortLives + 1 : 0;
    place.log('The connection to PostgreSQL was lost; restarting the database.');
    entering = enterAgain();
  }

  async function enterAgain(): Promise<void> {
    for (let attempt = Math.max(0, shortLives - 1); !stopping.signal.aborted; attempt += 1) {
      try {
        await delay(Math.min(LONGEST_PAUSE_MS, PAUSE_MS * attempt), undefined, { signal: stopping.signal });
        session = await joinDatabase({ ...place, servingPatience: OWN_LOCK_MS }, stopping.signal);
        place.log('The database is available again.');
        void watch(session);
        return;
      } catch (error) {
        if (error instanceof AnotherServerRuns) return lose(error);
        if (!stopping.signal.aborted) place.log((error as Error).message);
      }
    }
  }

  async function end(): Promise<void> {
    stopping.abort();
    await entering;
    await leaveDatabase(place, session);
  }

  void watch(session);
  return { lost, end };
}
