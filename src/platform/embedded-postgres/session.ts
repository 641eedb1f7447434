import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Place, Session } from './connection.ts';
import { connect, tellsOfLoss } from './connection.ts';
import { AnotherServerRuns, claimServing, enter, findServer, leave } from './locks.ts';
import { findPostmaster } from './pid-file.ts';
import { startPostmaster, stopPostmaster } from './postmaster.ts';
import { StartError } from './start-error.ts';

export const DATABASE = 'octavo';
const RETRY_MS = 10;
const START_TIMEOUT_MS = 60_000;
const RECONNECT_MS = 10_000;
const DEAD_SERVER_MS = 2000;
const MAX_FAILURES = 5;
const FIRST_PAUSE_MS = 100;

/** Opens the database of a running postmaster, or starts one; of concurrent starts PostgreSQL accepts one. */
export async function joinDatabase(place: Place, stopping: AbortSignal): Promise<Session> {
  const failures: StartError[] = [];
  let deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    stopping.throwIfAborted();
    const running = findPostmaster(place.directory);
    // After a crash it replays its log first, which may take long.
    if (running?.status === 'starting') deadline = Date.now() + START_TIMEOUT_MS;
    let found = running && running.status !== 'ready' ? 'busy' : await connect(place);
    if (!running && found === 'absent') found = await startAndConnect(place, failures);
    if (typeof found === 'object' && (await admit(place, found))) return found;
    await delay(RETRY_MS);
  }
  throw new StartError(
    `PostgreSQL on ${place.directory.root} refuses the connection. See ${place.directory.log}.`,
  );
}

async function startAndConnect(place: Place, failures: StartError[]): Promise<Session | 'busy' | 'absent'> {
  const failure = await startPostmaster(place.directory, place.packageFolder);
  if (!failure) {
    try {
      return await connect(place);
    } catch (error) {
      // No process can connect with these credentials, so none would stop it.
      await stopPostmaster(place.directory);
      throw error;
    }
  }
  if (findPostmaster(place.directory)) return 'busy';
  if (!failure.mayPass || failures.push(failure.error) > MAX_FAILURES) throw failure.error;
  await delay(FIRST_PAUSE_MS * 2 ** (failures.length - 1));
  return 'absent';
}

/** Releases our locks, and stops the postmaster if no other process uses it, also one that we did not start. */
export async function leaveDatabase(place: Place, entered: Session | undefined): Promise<void> {
  const session = entered && !entered.isEnded() ? entered : await reconnect(place);
  if (!session) return;
  try {
    if ((await leave(session.client)) && !(await stopPostmaster(place.directory))) {
      place.log(`PostgreSQL on ${place.directory.root} could not be stopped and is still running.`);
    }
  } catch (error) {
    if (!tellsOfLoss(error)) throw error;
  } finally {
    await session.client.end();
  }
}

async function reconnect(place: Place): Promise<Session | undefined> {
  const deadline = Date.now() + RECONNECT_MS;
  while (findPostmaster(place.directory) && Date.now() < deadline) {
    const found = await connect(place);
    if (typeof found === 'object') return found;
    await delay(RETRY_MS);
  }
  return undefined;
}

/** False if the database is being stopped, or was stopped meanwhile. */
async function admit(place: Place, session: Session): Promise<boolean> {
  try {
    if (await enter(session.client)) {
      if (place.exclusive) await requireServing(place, session.client);
      await ensureDatabase(session.client);
      return true;
    }
  } catch (error) {
    if (!tellsOfLoss(error)) {
      await leaveDatabase(place, session);
      throw error;
    }
  }
  await session.client.end();
  return false;
}

async function requireServing(place: Place, client: Client): Promise<void> {
  const entered = Date.now();
  while (!(await claimServing(client))) {
    const server = await findServer(client);
    const timeoutMs = server?.isAlive ? place.lockTimeoutMs : DEAD_SERVER_MS;
    if (server && Date.now() - entered >= timeoutMs) {
      throw new AnotherServerRuns(
        `Another octavo server is running on ${place.directory.root} (process ${server.pid}). Stop it, or choose another directory with OCTAVO_DATA.`,
      );
    }
    await delay(RETRY_MS);
  }
}

async function ensureDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query(`select from pg_database where datname = '${DATABASE}'`);
  if (rowCount) return;
  try {
    await client.query(`create database ${DATABASE}`);
  } catch (error) {
    // 42P04 and 23505: another process was faster.
    if (!['42P04', '23505'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
