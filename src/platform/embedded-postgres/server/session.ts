import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { SessionOptions, Session } from './connection.ts';
import { connect, isConnectionLost } from './connection.ts';
import { AnotherServerRuns, claimServing, enter, findServer, leave } from './locks.ts';
import { findPostmaster } from './pid-file.ts';
import { startPostmaster, stopPostmaster } from './postmaster.ts';
import { StartError } from '../start-error.ts';

export const DATABASE = 'octavo';
const RETRY_MS = 10;
const START_TIMEOUT_MS = 60_000;
const RECONNECT_MS = 10_000;
const DEAD_SERVER_MS = 2000;
const MAX_FAILURES = 5;
const FIRST_RETRY_MS = 100;

/** Opens the database of a running postmaster, or starts one; of concurrent starts PostgreSQL accepts one. */
export async function joinDatabase(options: SessionOptions, stopping: AbortSignal): Promise<Session> {
  const failures: StartError[] = [];
  let deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    stopping.throwIfAborted();
    const running = findPostmaster(options.directory);
    // After a crash it replays its log first, which may take long.
    if (running?.status === 'starting') deadline = Date.now() + START_TIMEOUT_MS;
    let found = running && running.status !== 'ready' ? 'busy' : await connect(options);
    if (!running && found === 'absent') found = await startAndConnect(options, failures);
    if (typeof found === 'object' && (await admit(options, found))) return found;
    await delay(RETRY_MS);
  }
  throw new StartError(
    `PostgreSQL on ${options.directory.root} refuses the connection. See ${options.directory.log}.`,
  );
}

async function startAndConnect(
  options: SessionOptions,
  failures: StartError[],
): Promise<Session | 'busy' | 'absent'> {
  const failure = await startPostmaster(options.directory, options.packageFolder, options.settings);
  if (!failure) {
    try {
      return await connect(options);
    } catch (error) {
      // No process can connect with these credentials, so none would stop it.
      await stopPostmaster(options.directory);
      throw error;
    }
  }
  if (findPostmaster(options.directory)) return 'busy';
  if (!failure.isTransient || failures.push(failure.error) > MAX_FAILURES) throw failure.error;
  await delay(FIRST_RETRY_MS * 2 ** (failures.length - 1));
  return 'absent';
}

/** Releases our locks, and stops the postmaster if no other process uses it, also one that we did not start. */
export async function leaveDatabase(options: SessionOptions, entered: Session | undefined): Promise<void> {
  const session = entered && !entered.isEnded() ? entered : await reconnect(options);
  if (!session) return;
  try {
    if ((await leave(session.client)) && !(await stopPostmaster(options.directory))) {
      options.log(`PostgreSQL on ${options.directory.root} could not be stopped and is still running.`);
    }
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
  } finally {
    await session.client.end();
  }
}

async function reconnect(options: SessionOptions): Promise<Session | undefined> {
  const deadline = Date.now() + RECONNECT_MS;
  while (findPostmaster(options.directory) && Date.now() < deadline) {
    const found = await connect(options);
    if (typeof found === 'object') return found;
    await delay(RETRY_MS);
  }
  return undefined;
}

/** False if the database is being stopped, or was stopped meanwhile. */
async function admit(options: SessionOptions, session: Session): Promise<boolean> {
  try {
    if (await enter(session.client)) {
      if (options.exclusive) await requireServing(options, session.client);
      await ensureDatabase(session.client);
      return true;
    }
  } catch (error) {
    if (!isConnectionLost(error)) {
      await leaveDatabase(options, session);
      throw error;
    }
  }
  await session.client.end();
  return false;
}

async function requireServing(options: SessionOptions, client: Client): Promise<void> {
  const entered = Date.now();
  while (!(await claimServing(client))) {
    const server = await findServer(client);
    const timeoutMs = server?.isAlive ? options.lockTimeoutMs : DEAD_SERVER_MS;
    if (server && Date.now() - entered >= timeoutMs) {
      throw new AnotherServerRuns(
        `Another octavo server is running on ${options.directory.root} (process ${server.pid}). Stop it, or choose another directory with OCTAVO_DATA.`,
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
