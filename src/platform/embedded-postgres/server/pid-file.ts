import {
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DataDirectory } from '../cluster/data-directory.ts';
import { isAlive, isPostmasterOf } from './process-identity.ts';

/** Positive, as PostgreSQL requires, and higher than any pid of a system. */
const NO_PROCESS = 2_147_483_647;
const STATUS_LINE = 7;
const EMPTY_FOR_TOO_LONG = 1000;

export interface Postmaster {
  readonly pid: number;
  readonly status: string;
}

/** The postmaster that runs on this cluster, whichever process started it. */
export function findPostmaster(directory: DataDirectory): Postmaster | undefined {
  const named = readPidFile(directory);
  return named && isPostmasterOf(directory.cluster, named.pid) ? named : undefined;
}

export function readPidFile(directory: DataDirectory): Postmaster | undefined {
  const lines = findText(pidFile(directory))?.split('\n') ?? [];
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, status: lines[STATUS_LINE]?.trim() ?? '' } : undefined;
}

/**
 * PostgreSQL ignores lock files of processes that have ended, but not those whose pid was reused by another program, nor
 * empty ones.
 */
export function disownStaleLocks(directory: DataDirectory): void {
  [pidFile(directory), join(directory.sockets, '.s.PGSQL.5432.lock')].forEach((file) =>
    disownStaleLock(file, directory.cluster),
  );
}

function disownStaleLock(path: string, cluster: string): void {
  const text = findText(path);
  if (text === undefined) return;
  if (text.trim() === '') {
    if (Date.now() - statSync(path).mtimeMs > EMPTY_FOR_TOO_LONG) rmSync(path, { force: true });
    return;
  }
  const pid = Number.parseInt(text, 10);
  if (!isAlive(pid) || isPostmasterOf(cluster, pid)) return;
  // Written in place, to keep the owner of the file; never through a link: we may be root in a folder of another user.
  const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    if (readFileSync(file, 'utf8') !== text) return;
    ftruncateSync(file);
    // The other lines stay: they name the shared memory by which PostgreSQL detects running backends.
    writeSync(file, text.replace(/^.*/, String(NO_PROCESS)), 0);
  } finally {
    closeSync(file);
  }
}

function pidFile(directory: DataDirectory): string {
  return join(directory.cluster, 'postmaster.pid');
}

function findText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
