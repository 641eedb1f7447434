import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { queryEmbedded } from './database.ts';
import { freePort, processesOf, runProgram, startProgram, temporaryDirectory } from './program.ts';
import type { Environment } from './program.ts';

/** Serving fails, a person reads these lines and no others, and the log says nothing worse than what is going on. */
async function expectRefusal(env: Environment, ...lines: (string | RegExp)[]): Promise<void> {
  const { code, stdout, said, log } = await runProgram(['serve'], env);
  expect(said).toEqual(lines.map((line) => expect.stringMatching(line)));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(log.filter(({ level }) => level > 30)).toEqual([]);
}

describe('a start that cannot be', () => {
  const folder = temporaryDirectory();
  const data = path.join(folder, 'data');

  test('because the port is taken or the directory is in use', async () => {
    const running = await startProgram({ env: { OCTAVO_DATA: data } });
    const { port } = new URL(running.url);
    const elsewhere = path.join(folder, 'elsewhere');
    await expectRefusal(
      { OCTAVO_DATA: elsewhere, PORT: port },
      `^Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port with PORT.$`,
    );
    expect(processesOf(elsewhere)).toEqual([]);
    await expectRefusal(
      { OCTAVO_DATA: data, PORT: String(await freePort()) },
      `^Another octavo server is running on ${data} .process ${running.pid}.. Stop it, or choose another directory with OCTAVO_DATA.$`,
    );
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    await running.stop();
    expect(processesOf(folder)).toEqual([]);
  });

  test('because the secret is another one', async () => {
    await expectRefusal(
      { OCTAVO_DATA: data, OCTAVO_SECRET: 'not the one of before' },
      /^OCTAVO_SECRET differs from the secret .* Set the original secret\.$/,
    );
    expect(processesOf(folder)).toEqual([]);
  });

  test('because the database is newer than the program', async () => {
    await queryEmbedded(data, `insert into kysely_migration values ('2999-01-01T0000-later', now()::text)`);
    await expectRefusal(
      { OCTAVO_DATA: data },
      /^The database is newer than this program \(unknown migrations: 2999-01-01T0000-later\)\. Run a newer Octavo, or restore a backup\.$/,
    );
    expect(processesOf(folder)).toEqual([]);
  });

  test('because the data directory may not be written, or is none', async () => {
    await expectRefusal(
      { OCTAVO_DATA: unwritable() },
      /^The data directory \S+ is (not writable|on a read-only file system).* choose another directory with OCTAVO_DATA\.$/,
    );
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    await expectRefusal(
      { OCTAVO_DATA: file },
      /^The data directory \S+ is a file, .* choose another directory with OCTAVO_DATA\.$/,
    );
  });
});

describe('an environment that is not right', () => {
  const OCTAVO_DATA = path.join(temporaryDirectory(), 'data');

  test('is told all at once, before anything is touched', async () => {
    await expectRefusal(
      {
        OCTAVO_DATA,
        HOST: 'http://localhost',
        PORT: '0',
        OCTAVO_URL: 'docs',
        OCTAVO_FILES: 's3://k:s@docs?endpoint=zz',
        OCTAVO_ADMIN_TOKEN: 'short',
        OCTAVO_CACHE: '1',
      },
      /^Invalid environment variables:$/,
      /^ {2}- PORT must be a whole number from 1 to 65535, not "0"$/,
      /^ {2}- HOST must be an IP address or a host name/,
      /^ {2}- OCTAVO_URL must be a URL/,
      /^ {2}- OCTAVO_FILES: endpoint must be a URL/,
      /^ {2}- OCTAVO_ADMIN_TOKEN must have 20 to 512 characters/,
      /^ {2}- OCTAVO_CACHE must be one of on, off/,
    );
    expect(existsSync(OCTAVO_DATA)).toBe(false);
  });

  test('has DATABASE_URL without OCTAVO_SECRET', async () => {
    await expectRefusal(
      { OCTAVO_DATA, DATABASE_URL: 'postgres://nobody@127.0.0.1/nothing' },
      /^Invalid environment variables:$/,
      /^ {2}- OCTAVO_SECRET must be set with DATABASE_URL/,
    );
  });

  test('names a database server that is not there', async () => {
    const server = `localhost:${await freePort()}`;
    await expectRefusal(
      {
        OCTAVO_DATA,
        DATABASE_URL: `postgres://somebody:secret@${server}/octavo`,
        OCTAVO_SECRET: 'a secret for tests alone',
      },
      `^Cannot use the database ${server}/octavo: .*ECONNREFUSED.*. Start it, or correct DATABASE_URL.$`,
    );
    expect(existsSync(OCTAVO_DATA)).toBe(false);
  });
});

/** Modes mean nothing to root, but nobody makes folders in /sys. */
function unwritable(): string {
  if (process.getuid?.() === 0) return '/sys/octavo';
  const sealed = temporaryDirectory();
  chmodSync(sealed, 0o500);
  return path.join(sealed, 'data');
}
