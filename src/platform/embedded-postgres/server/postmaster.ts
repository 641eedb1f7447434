import { spawn, spawnSync } from 'node:child_process';
import { closeSync, lchownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from '../cluster/account.ts';
import { chooseAccount, commandAs } from '../cluster/account.ts';
import { usableBinaries } from '../cluster/binaries.ts';
import type { DataDirectory } from '../cluster/data-directory.ts';
import { findReason, logSize, openLog } from '../cluster/log-file.ts';
import { disownStaleLocks, findPostmaster, readPidFile } from './pid-file.ts';
import { CLEAN_ENVIRONMENT, isPostmasterOf, signal, terminateOrphans } from './process-identity.ts';
import { isFull, releaseReserve } from '../cluster/reserve.ts';
import { explainFileError, noSpaceLeft, StartError, isNoSpaceMessage } from '../start-error.ts';

const POLL_MS = 5;
const FAST_SHUTDOWN_MS = 60_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

const SETTINGS = {
  listen_addresses: '',
  // Relative to the working directory of the server: an absolute path could exceed the limit for sockets.
  unix_socket_directories: '../run',
  port: '5432',
  max_connections: '100',
  shared_buffers: '128MB',
  huge_pages: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
  // Replication is not used. With origins, each checkpoint writes a file, and PostgreSQL ends if the disk has no space for it.
  max_active_replication_origins: '0',
};

/** Why a postmaster ended instead of accepting connections. */
export interface StartFailure {
  readonly error: StartError;
  /** Another postmaster was faster, or backends of the last one still run. */
  readonly isTransient: boolean;
}

export async function startPostmaster(
  directory: DataDirectory,
  packageFolder: string,
  otherSettings: Readonly<Record<string, string>> = {},
): Promise<StartFailure | undefined> {
  const account = chooseAccount(directory);
  const bin = await usableBinaries(directory, account, packageFolder);
  try {
    prepareFiles(directory, account);
    return await spawnPostmaster(directory, account, join(bin, 'postgres'), {
      ...SETTINGS,
      ...otherSettings,
    });
  } catch (error) {
    throw explainFileError(error, directory.root);
  }
}

/** Fast shutdown: closes every connection, then stops the server. False if it could not be stopped. */
export async function stopPostmaster(directory: DataDirectory): Promise<boolean> {
  const pid = findPostmaster(directory)?.pid;
  if (!pid) return false;
  return (
    (signal(pid, 'SIGINT') && (await hasEnded(directory, pid, FAST_SHUTDOWN_MS))) ||
    (signal(pid, 'SIGQUIT') && (await hasEnded(directory, pid, IMMEDIATE_SHUTDOWN_MS)))
  );
}

function prepareFiles(directory: DataDirectory, account: Account): void {
  if (statSync(directory.cluster).uid !== account.uid) giveClusterTo(account, directory);
  mkdirSync(directory.sockets, { recursive: true, mode: 0o700 });
  lchownSync(directory.sockets, account.uid, account.gid);
  disownStaleLocks(directory);
  releaseReserve(directory);
}

/** The directory was moved to a place where another account must be used. */
function giveClusterTo({ uid, gid }: Account, directory: DataDirectory): void {
  const folders = [directory.cluster, directory.password, directory.sockets];
  spawnSync('chown', ['-Rh', `${uid}:${gid}`, ...folders], { env: CLEAN_ENVIRONMENT });
}

async function spawnPostmaster(
  directory: DataDirectory,
  account: Account,
  program: string,
  settings: Readonly<Record<string, string>>,
): Promise<StartFailure | undefined> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = commandAs(account, program, ['-D', directory.cluster, ...flags]);
  const output = openLog(directory, account);
  const logged = logSize(directory);
  // A session of its own, so that Ctrl-C ends this process first and the database afterwards.
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  let ended: { status: number | null } | { error: Error } | undefined;
  child.once('error', (error) => (ended = { error }));
  child.once('exit', (status) => (ended ??= { status }));
  child.unref();
  while (!isReady(directory, child.pid)) {
    if (ended && 'error' in ended) throw ended.error;
    // It was ready only briefly: another process entered, left as the last one, and stopped it.
    if (ended && !ended.status)
      return { error: notStarted(directory, 'the process was terminated'), isTransient: true };
    if (ended) return explainEnd(directory, findReason(directory, logged, child.pid ?? 0));
    await delay(POLL_MS);
  }
  return undefined;
}

/** The server writes to its pid file when it accepts connections. `pg_ctl` checks the same. */
function isReady(directory: DataDirectory, pid: number | undefined): boolean {
  const named = readPidFile(directory);
  return named?.pid === pid && named?.status === 'ready';
}

function explainEnd(directory: DataDirectory, found: string | undefined): StartFailure {
  // The log itself may have had no space for the reason.
  const isNoSpace = found === undefined ? isFull(directory) : isNoSpaceMessage(found);
  if (isNoSpace) return { error: noSpaceLeft(directory.root), isTransient: false };
  const reason = found ?? 'no reason given';
  if (reason.includes('shared memory block')) terminateOrphans(directory.cluster);
  return { error: notStarted(directory, reason), isTransient: /shared memory block|lock file/.test(reason) };
}

function notStarted(directory: DataDirectory, reason: string): StartError {
  return new StartError(`PostgreSQL did not start: ${reason}. See ${directory.log}.`);
}

async function hasEnded(directory: DataDirectory, pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isPostmasterOf(directory.cluster, pid)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
