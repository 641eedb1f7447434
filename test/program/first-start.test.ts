import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from './database.ts';
import { send } from './load.ts';
import { launch, MAIN, processesOf, runProgram, startProgram, temporaryDirectory } from './program.ts';
import { VERSION } from '../../src/platform/version.ts';

const bodyOf = async (url: string, at: string, token: string | undefined) => {
  const { status, body } = await send(url, { path: at, token });
  return { status, ...(JSON.parse(body) as { items?: unknown[] }) };
};

describe('the first start', () => {
  const folder = temporaryDirectory();
  const data = path.join(folder, "it's data");
  let token: string | undefined;

  test('prints the URLs and one working administrator token', async () => {
    const program = await startProgram({ env: { OCTAVO_DATA: data, OCTAVO_HANDBOOK: 'on' } });
    const port = new URL(program.url).port;
    expect(program.stdout()).toMatch(
      new RegExp(
        String.raw`^Octavo \S+ is running
  Site       http://localhost:${port}/
  Reference  http://localhost:${port}/reference
  API        http://localhost:${port}/v1

  Administrator token \(shown this once\): ov_\w+
  Lost your token\? OCTAVO_DATA='${folder}/it'\\''s data' node ${MAIN} token create --user admin@localhost
$`,
      ),
    );
    const lost = /Lost your token\? (.*)\n$/.exec(program.stdout())?.[1] ?? '';
    const another = await launch({ env: {}, command: ['sh', '-c', lost], folder: '/' }).ended;
    expect(await bodyOf(program.url, '/v1/user', another.stdout.trim())).toMatchObject({ status: 200 });
    token = program.token;
    for (const [at, type] of [
      ['/', 'text/html'],
      ['/handbook/', 'text/html'],
      ['/reference', 'text/html'],
      ['/v1/', 'application/json'],
      ['/openapi.json', 'application/json'],
    ] as const) {
      const { status, headers } = await send(program.url, { path: at });
      expect([at, status, headers['content-type']]).toEqual([at, 200, expect.stringContaining(type)]);
    }
    expect(await bodyOf(program.url, '/v1/user', token)).toMatchObject({
      status: 200,
      email: 'admin@localhost',
    });
    expect(await bodyOf(program.url, '/v1/', token)).toMatchObject({ version: VERSION });
    expect(program.stdout()).toContain(`Octavo ${VERSION} is running\n`);
    const organizations = await bodyOf(program.url, '/v1/orgs', token);
    expect(organizations.items).toMatchObject([{ title: 'My organization' }]);
    const created = await send(program.url, {
      method: 'POST',
      path: '/v1/orgs',
      token,
      body: { title: 'Kept' },
    });
    expect(created.status).toBe(201);
    expect(await program.stop()).toMatchObject({ code: 0, messages: [] });
    expect(processesOf(folder)).toEqual([]);
  });

  test('prints the only token if that is used; data survives a restart', async () => {
    const program = await startProgram({ env: { OCTAVO_DATA: data } });
    expect(program.token).toBeUndefined();
    expect(program.stdout()).not.toContain('ov_');
    expect(program.stdout()).toMatch(/\n {2}Lost your token\? OCTAVO_DATA=.* node .* token create .*\n$/);
    const organizations = await bodyOf(program.url, '/v1/orgs', token);
    expect(organizations.items).toEqual(expect.arrayContaining([expect.objectContaining({ title: 'Kept' })]));
    expect(await program.stop('SIGINT')).toMatchObject({ code: 0, messages: [] });
    expect(processesOf(folder)).toEqual([]);
  });
});

test('every start prints a token until one is used; unused ones are revoked at the start after that', async () => {
  const env = { OCTAVO_DATA: path.join(temporaryDirectory(), 'data') };
  const occupied = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void occupied.close());
  await once(occupied, 'listening');
  const failed = await runProgram(['serve'], {
    ...env,
    PORT: String((occupied.address() as AddressInfo).port),
  });
  expect([failed.code, failed.stdout]).toEqual([1, '']);

  const unused = await startProgram({ env });
  await unused.stop();
  const used = await startProgram({ env });
  expect(used.token).not.toBe(unused.token);
  expect(await bodyOf(used.url, '/v1/user', used.token)).toMatchObject({ status: 200 });
  await used.stop();
  const last = await startProgram({ env });
  expect(last.token).toBeUndefined();
  expect(await bodyOf(last.url, '/v1/user', used.token)).toMatchObject({ status: 200 });
  expect(await bodyOf(last.url, '/v1/user', unused.token)).toMatchObject({ status: 401 });
  await last.stop();
});

test('the first start takes token, e-mail address and title from the environment or from files', async () => {
  const folder = temporaryDirectory();
  const given = `ov_${'given'.repeat(8)}`;
  const fileWith = (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, `${text}\n`);
    return file;
  };
  const program = await startProgram({
    env: {
      OCTAVO_DATA: path.join(folder, 'data'),
      OCTAVO_ADMIN_TOKEN_FILE: fileWith('token', given),
      OCTAVO_ADMIN_EMAIL: 'Ada@Example.org',
      OCTAVO_ORG_TITLE_FILE: fileWith('title', 'Analytical Engines'),
      OCTAVO_URL: 'https://docs.example.org/',
    },
  });
  expect(program.stdout()).toContain('API        https://docs.example.org/v1\n');
  expect(program.stdout()).toMatch(
    /\n\n {2}Lost your token\? OCTAVO_DATA=\S+ node \S+ token create --user ada@example\.org\n$/,
  );
  expect(program.stdout()).not.toContain(given);
  expect(await bodyOf(program.url, '/v1/user', given)).toMatchObject({
    status: 200,
    email: 'ada@example.org',
    urls: { location: expect.stringMatching(/^https:\/\/docs\.example\.org\/v1\/users\//) },
  });
  const organizations = await bodyOf(program.url, '/v1/orgs', given);
  expect(organizations.items).toMatchObject([{ title: 'Analytical Engines' }]);
  expect(await program.stop()).toMatchObject({ code: 0, messages: [] });

  // The same on a database server, where no cluster has to be created.
  const database = await createDatabase();
  const env = { OCTAVO_SECRET: 'a secret for tests alone', DATABASE_URL: database.url };
  const other = { ...env, OCTAVO_DATA: path.join(folder, 'other'), OCTAVO_ADMIN_TOKEN: given };
  expect(await runProgram(['migrate'], other)).toMatchObject({ code: 0, messages: [], log: [] });
  expect(await database.query('select from tokens')).toHaveLength(1);
});
