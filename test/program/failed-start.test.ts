import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CERTIFICATE, KEY } from '../certificate.ts';
import { startedBefore } from './data-directory.ts';
import { createDatabase, queryEmbedded } from './database.ts';
import {
  freePort,
  launch,
  processesOf,
  ROOT,
  runProgram,
  startProgram,
  temporaryDirectory,
} from './program.ts';
import type { Environment } from './program.ts';

/** Serving fails, standard error has these lines only, and the log contains no errors. */
async function expectRefusal(env: Environment, ...lines: (string | RegExp)[]): Promise<void> {
  const { code, stdout, messages, log } = await runProgram(['serve'], env);
  expect(messages).toEqual(lines.map((line) => expect.stringMatching(line)));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(log.filter(({ level }) => level > 30)).toEqual([]);
}

describe('a start fails', () => {
  const folder = temporaryDirectory();
  const data = path.join(folder, 'data');
  beforeAll(() => startedBefore(data));

  test('if the port is taken or the directory is in use', async () => {
    const running = await startProgram({ env: { OCTAVO_DATA: data } });
    const { port } = new URL(running.url);
    const otherData = await startedBefore(path.join(folder, 'elsewhere'));
    await expectRefusal(
      { OCTAVO_DATA: otherData, PORT: port },
      `^Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port with PORT.$`,
    );
    expect(processesOf(otherData)).toEqual([]);
    await expectRefusal(
      { OCTAVO_DATA: data, PORT: String(await freePort()) },
      `^Another octavo server is running on ${data} .process ${running.pid}.. Stop it, or choose another directory with OCTAVO_DATA.$`,
    );
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    await running.stop();
    expect(processesOf(folder)).toEqual([]);
  });

  test('if the secret has changed', async () => {
    await expectRefusal(
      { OCTAVO_DATA: data, OCTAVO_SECRET: 'not the one of before' },
      /^OCTAVO_SECRET differs from the secret .* Set the original secret\.$/,
    );
    expect(processesOf(folder)).toEqual([]);
  });

  test('if the master key is lost, and writes no other one', async () => {
    const secret = path.join(data, 'secret');
    const key = readFileSync(secret, 'utf8');
    rmSync(secret);
    await expectRefusal(
      { OCTAVO_DATA: data },
      `^The master key ${secret} is missing, .* Restore the file from a backup, or set OCTAVO_SECRET to what it contained\\.$`,
    );
    expect(existsSync(secret)).toBe(false);
    writeFileSync(secret, 'another key than before\n');
    await expectRefusal(
      { OCTAVO_DATA: data },
      `^${secret} differs from the secret .* Set the original secret\\.$`,
    );
    writeFileSync(secret, key);
    expect(processesOf(folder)).toEqual([]);
  });

  test('if the database is newer than the program', async () => {
    await queryEmbedded(data, `insert into kysely_migration values ('9999-later', now()::text)`);
    await expectRefusal(
      { OCTAVO_DATA: data },
      /^The database is newer than this program \(unknown migrations: 9999-later\)\. Run a newer Octavo, or restore a backup\.$/,
    );
    expect(processesOf(folder)).toEqual([]);
  });

  test('if a part of the program cannot be loaded, while PostgreSQL starts', async () => {
    const copy = temporaryDirectory();
    for (const name of ['dist', 'migrations', 'package.json'])
      cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
    const parts = readdirSync(path.join(copy, 'dist')).filter((name) => /^app-.*\.js$/.test(name));
    expect(parts).not.toEqual([]);
    for (const part of parts) writeFileSync(path.join(copy, 'dist', part), 'throw new Error("damaged");');
    const command = [process.execPath, path.join(copy, 'dist/main.js'), 'serve'] as const;
    const { code, messages } = await launch({ env: { OCTAVO_DATA: data }, command }).ended;
    expect(code).not.toBe(0);
    expect(messages.join('\n')).toContain('Error: damaged');
    expect(processesOf(folder)).toEqual([]);
  });

  test('if the data directory is not writable, or no directory', async () => {
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

describe('an invalid environment', () => {
  const OCTAVO_DATA = path.join(temporaryDirectory(), 'data');

  test('is reported completely, before anything is written', async () => {
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

  test('is reported for DATABASE_URL without OCTAVO_SECRET', async () => {
    await expectRefusal(
      { OCTAVO_DATA, DATABASE_URL: 'postgres://nobody@127.0.0.1/nothing' },
      /^Invalid environment variables:$/,
      /^ {2}- OCTAVO_SECRET must be set with DATABASE_URL/,
    );
  });

  test('is reported for an unreachable database server', async () => {
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

describe('a database server without the TLS that DATABASE_URL asks for is reported', () => {
  const OCTAVO_SECRET = 'a secret for tests alone';

  test('if it has none', async () => {
    const database = await createDatabase();
    await expectRefusal(
      { DATABASE_URL: `${database.url}?sslmode=require`, OCTAVO_SECRET },
      /^Cannot use the database 127\.0\.0\.1:\d+\/\w+: The server does not support SSL connections\. Enable TLS on that server, or remove sslmode from DATABASE_URL\.$/,
    );
  });

  test('if its certificate is not trusted', async () => {
    // The server of another program: it only shakes hands.
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.write('S');
          new TLSSocket(socket, { isServer: true, key: KEY, cert: CERTIFICATE }).on('error', () => undefined);
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await expectRefusal(
      { DATABASE_URL: `postgres://u@127.0.0.1:${port}/octavo?sslmode=verify-full`, OCTAVO_SECRET },
      /: self-signed certificate\. Name the certificate of its authority in DATABASE_URL with sslrootcert=FILE; sslmode=no-verify accepts any certificate\.$/,
    );
  });
});

/** Root ignores file modes, but no account creates folders in /sys. */
function unwritable(): string {
  if (process.getuid?.() === 0) return '/sys/octavo';
  const readOnly = temporaryDirectory();
  chmodSync(readOnly, 0o500);
  return path.join(readOnly, 'data');
}
