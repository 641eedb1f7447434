import { Client } from 'pg';
import { DISK_FULL } from '../../database/sqlstates.ts';
import { DATABASE_USER, readPassword } from '../cluster/cluster.ts';
import type { DataDirectory } from '../cluster/data-directory.ts';
import { sessionName } from './locks.ts';
import { releaseReserve } from '../cluster/reserve.ts';
import { StartError } from '../start-error.ts';

/** The locks are held here, so that the database itself can be dropped and restored meanwhile. */
const LOCK_DATABASE = 'postgres';
const CONNECT_MS = 10_000;

export interface SessionOptions {
  readonly directory: DataDirectory;
  readonly packageFolder: string;
  readonly settings: Readonly<Record<string, string>> | undefined;
  readonly socketFolder: string;
  readonly exclusive: boolean;
  /** How long to wait for another process to release the lock SERVING. */
  readonly lockTimeoutMs: number;
  readonly log: (line: string) => void;
}

/** The connection that holds our locks. */
export interface Session {
  readonly client: Client;
  readonly ended: Promise<void>;
  isEnded(): boolean;
}

/** Complete connection settings, so that PGPORT or PGSSLMODE of the environment have no effect. */
export function connectionTo(directory: DataDirectory, socketFolder: string, database: string) {
  const password = readPassword(directory);
  return { host: socketFolder, port: 5432, user: DATABASE_USER, password, database, ssl: false } as const;
}

/** Why a connection failed: nothing listens (`absent`), or the server cannot accept it now. */
export async function connect(options: SessionOptions): Promise<Session | 'busy' | 'absent'> {
  const client = new Client({
    ...connectionTo(options.directory, options.socketFolder, LOCK_DATABASE),
    application_name: sessionName(options.exclusive),
    connectionTimeoutMillis: CONNECT_MS,
  });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  }).then(() => void (hasEnded = true));
  try {
    await client.connect();
    return { client, ended, isEnded: () => hasEnded };
  } catch (error) {
    return explainRefusal(options, error as NodeJS.ErrnoException);
  }
}

function explainRefusal(options: SessionOptions, { code = '' }: NodeJS.ErrnoException): 'busy' | 'absent' {
  if (code === '28P01') {
    throw new StartError(
      `The password in ${options.directory.password} is not the password of the database. Restore the file from a backup.`,
    );
  }
  if (code === 'EACCES' || code === 'EPERM') {
    throw new StartError(
      `PostgreSQL on ${options.directory.root} runs under another account. Run octavo as that account, or as root.`,
    );
  }
  // It runs, but cannot accept the connection that would tend the reserve later.
  if (code === DISK_FULL) releaseReserve(options.directory);
  return code === 'ENOENT' || code === 'ECONNREFUSED' ? 'absent' : 'busy';
}

/** The connection was lost. Errors of a query have the severity ERROR. */
export function isConnectionLost(error: unknown): boolean {
  const { severity, code, message } = error as Error & { severity?: string; code?: string };
  if (severity) return severity !== 'ERROR';
  return code === 'ECONNRESET' || code === 'EPIPE' || /^(Connection terminated|Client has )/.test(message);
}
