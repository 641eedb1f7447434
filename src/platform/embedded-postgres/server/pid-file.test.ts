import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DataDirectory } from '../cluster/data-directory.ts';
import { openDataDirectory } from '../cluster/data-directory.ts';
import { disownStaleLocks, findPostmaster } from './pid-file.ts';

let directory: DataDirectory;
let file: string;

beforeEach(() => {
  directory = openDataDirectory(mkdtempSync(join(tmpdir(), 'octavo-embedded-')));
  mkdirSync(directory.cluster);
  file = join(directory.cluster, 'postmaster.pid');
});

afterEach(() => rmSync(directory.root, { recursive: true, force: true }));

function lockOf(pid: number): string {
  return `${pid}\n${directory.cluster}\n1700000000\n5432\n../run\n\n  1234567         3\nready   \n`;
}

describe('a stale postmaster.pid', () => {
  it('of a living foreign process names no process afterwards, but still the shared memory', () => {
    writeFileSync(file, lockOf(process.pid));
    chmodSync(file, 0o600);
    expect(findPostmaster(directory)).toBeUndefined();
    disownStaleLocks(directory);
    expect(readFileSync(file, 'utf8')).toBe(lockOf(2_147_483_647));
  });

  it('of a process that is gone is left to PostgreSQL', () => {
    writeFileSync(file, lockOf(2_147_483_646));
    disownStaleLocks(directory);
    expect(readFileSync(file, 'utf8')).toBe(lockOf(2_147_483_646));
  });

  it('that is empty is removed, unless it was made just now', () => {
    writeFileSync(file, '');
    disownStaleLocks(directory);
    expect(existsSync(file)).toBe(true);
    utimesSync(file, 1, 1);
    disownStaleLocks(directory);
    expect(existsSync(file)).toBe(false);
  });

  it('that is a link is never written through', () => {
    const target = join(directory.root, 'target');
    writeFileSync(target, lockOf(process.pid));
    symlinkSync(target, file);
    expect(() => disownStaleLocks(directory)).toThrow('ELOOP');
    expect(readFileSync(target, 'utf8')).toBe(lockOf(process.pid));
  });
});
