import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { chooseAccount, commandAs } from './account.ts';
import { majorVersion, usableBinaries } from './binaries.ts';
import type { DataDirectory } from './data-directory.ts';
import { tolerating, withStaging } from './data-directory.ts';
import { noSpaceLeft, StartError, isNoSpaceMessage } from '../start-error.ts';

export const DATABASE_USER = 'octavo';

/** The builtin locale orders and folds text the same on every system, so that indexes survive a move. */
const INITDB_OPTIONS = [
  `--username=${DATABASE_USER}`,
  '--auth=scram-sha-256',
  '--data-checksums',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

/** Creates the cluster if there is none, and refuses one that this PostgreSQL cannot read. */
export async function ensureCluster(
  directory: DataDirectory,
  packageFolder: string,
  log: (line: string) => void,
): Promise<void> {
  if (!hasCluster(directory.cluster)) {
    log(`Creating the database in ${directory.cluster}.`);
    await createCluster(directory, packageFolder);
  }
  const clusterVersion = findVersion(directory);
  const bundledVersion = majorVersion(packageFolder);
  if (clusterVersion === bundledVersion) return;
  // Without this check, an account that cannot read the database would get a less helpful message.
  if (!clusterVersion) chooseAccount(directory);
  throw new StartError(
    clusterVersion
      ? `The database in ${directory.cluster} was created by PostgreSQL ${clusterVersion}, but this version of octavo contains PostgreSQL ${bundledVersion}. Dump it with pg_dump and PostgreSQL ${clusterVersion}, and restore the dump into a new directory.`
      : `${directory.cluster} is not a PostgreSQL data directory. Move it away, or choose another directory with OCTAVO_DATA.`,
  );
}

export function readPassword(directory: DataDirectory): string {
  try {
    return readFileSync(directory.password, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new StartError(
        `${directory.password} is missing. The database cannot be opened without it. Restore the file from a backup.`,
      );
    }
    throw new StartError(
      `${directory.password} cannot be read by this account. Run octavo as the account that runs the server, or as root.`,
    );
  }
}

/** A folder that cannot be read counts as one: opening it reports the error. */
export function hasCluster(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function findVersion(directory: DataDirectory): string | undefined {
  const file = join(directory.cluster, 'PG_VERSION');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

async function createCluster(directory: DataDirectory, packageFolder: string): Promise<void> {
  const account = chooseAccount(directory);
  const bin = await usableBinaries(directory, account, packageFolder);
  await withStaging(directory, async (folder) => {
    lchownSync(folder, account.uid, account.gid);
    ensurePassword(directory, folder, account);
    const stagedCluster = join(folder, 'cluster');
    const options = [...INITDB_OPTIONS, `--pwfile=${directory.password}`, `--pgdata=${stagedCluster}`];
    const problem = await runInitdb(account, join(bin, 'initdb'), options);
    if (problem && isNoSpaceMessage(problem)) throw noSpaceLeft(directory.root);
    if (problem) throw new StartError(`PostgreSQL could not create ${directory.cluster}: ${problem}`);
    publishCluster(stagedCluster, directory);
  });
}

/** Written and synced before it gets its name; of two processes the first one wins. */
function ensurePassword(directory: DataDirectory, folder: string, account: Account): void {
  const draft = join(folder, 'password');
  const file = openSync(draft, 'wx', 0o600);
  writeSync(file, `${randomBytes(24).toString('base64url')}\n`);
  fchownSync(file, account.uid, account.gid);
  fsyncSync(file);
  closeSync(file);
  tolerating(['EEXIST'], () => linkSync(draft, directory.password));
  lchownSync(directory.password, account.uid, account.gid);
}

/** Another process may have been faster; its cluster has the same password. */
function publishCluster(stagedCluster: string, directory: DataDirectory): void {
  tolerating(['ENOTEMPTY', 'EEXIST', 'ENOTDIR'], () => renameSync(stagedCluster, directory.cluster));
  const folder = openSync(directory.root, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function runInitdb(
  account: Account,
  program: string,
  options: readonly string[],
): Promise<string | undefined> {
  const command = commandAs(account, program, options);
  return new Promise((resolve, reject) => {
    const child = spawn(command.file, command.args, {
      ...command.options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (status) => resolve(status === 0 ? undefined : firstProblem(stderr)));
  });
}

function firstProblem(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return (
    lines.find((line) => /FATAL|PANIC|error:|could not/.test(line)) ?? lines.at(-1) ?? 'no reason given.'
  );
}
