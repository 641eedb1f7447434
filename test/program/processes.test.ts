import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type ProxiedDatabase } from './database.ts';
import { send, type Answered } from './load.ts';
import { freePort, launch, MAIN, runProgram, startProgram, type Program } from './program.ts';

const SECRET = 'a secret for tests alone';
/** As long as the key of a share link. */
const PRIVATE = 'K3yOfASh4reL1nkWith32Characters0';
/** The maximum staleness in other processes after a change, as security.md states. */
const STALE_MS = 1_000;

let database: ProxiedDatabase;
let first: Program;
let second: Program;
let admin: string | undefined;

const environment = () => ({
  DATABASE_URL: database.url,
  OCTAVO_SECRET: SECRET,
  OCTAVO_REQUEST_LOG_LEVEL: 'info',
});
const parseBody = <T>(answer: Answered): T => JSON.parse(answer.body) as T;

beforeAll(async () => {
  database = await createDatabase();
  [first, second] = await Promise.all([
    startProgram({ env: environment() }),
    startProgram({ env: environment() }),
  ]);
  admin = first.token;
});

test('the hint for a lost token reveals nothing of the environment', () => {
  expect(first.stdout()).toMatch(
    /\n {2}Lost your token\? In the environment of this server: node \S+ token create --user admin@localhost\n$/,
  );
  expect(first.stdout()).not.toContain(SECRET);
});

/** An administrator token that both processes have used recently enough to cache it. */
async function cachedToken() {
  const created = await send(first.url, {
    method: 'POST',
    path: '/v1/user/tokens',
    token: admin,
    body: { label: 'kept' },
  });
  const { id, token } = parseBody<{ id: string; token: string }>(created);
  const read = (program: Program) => send(program.url, { path: '/v1/user', token });
  for (const program of [first, second, first, second]) expect((await read(program)).status).toBe(200);
  return { id, token, read, isStale: async () => (await read(second)).status !== 401 };
}

/** Polls without a pause; returns how long after `since` the last stale response was. */
async function lastStaleMs(since: number, isStale: () => Promise<boolean>): Promise<number> {
  let last = 0;
  for (const until = since + STALE_MS + 500; Date.now() < until;) {
    const asked = Date.now();
    if (await isStale()) last = asked - since;
    await delay(5);
  }
  return last;
}

/** Returns when the first process confirmed the deletion of the token. */
async function deleteToken({ id }: { id: string }): Promise<number> {
  const deleted = await send(first.url, { method: 'DELETE', path: `/v1/user/tokens/${id}`, token: admin });
  expect(deleted.status).toBe(205);
  return Date.now();
}

async function firstOrganization(): Promise<string> {
  const { items } = parseBody<{ items: { id: string }[] }>(
    await send(first.url, { path: '/v1/orgs', token: admin }),
  );
  return `/v1/orgs/${items[0]?.id}`;
}

/** What the process that answers reads, before and after the other one changes it: the body is too large for the former. */
async function renameByHeavyProcess({ url }: Program, organization: string): Promise<string[]> {
  const read = async () =>
    parseBody<{ title: string }>(await send(url, { path: organization, token: admin })).title;
  const before = await read();
  const body = { title: `${before}!`, unknown: 'x'.repeat(300_000) };
  const renamed = await send(url, { method: 'PATCH', path: organization, token: admin, body });
  expect(renamed.status, renamed.body).toBe(200);
  return [before, await read()];
}

describe('two servers on one database', () => {
  test('that start concurrently create one installation', async () => {
    expect(await database.query('select from organizations')).toHaveLength(1);
    // Each prints its own token, and both are valid.
    expect(first.token).not.toBe(second.token);
    for (const { url } of [first, second]) {
      for (const { token } of [first, second]) {
        expect((await send(url, { path: '/v1/user', token })).status).toBe(200);
      }
    }
  });

  test('refuse a deleted token: one immediately, the other within a second', async () => {
    const cached = await cachedToken();
    const since = await deleteToken(cached);
    expect((await cached.read(first)).status).toBe(401);
    expect(await lastStaleMs(since, cached.isStale)).toBeLessThan(STALE_MS);
  });

  test('see a changed role: one immediately, the other within a second', async () => {
    const organization = await firstOrganization();
    const id = organization.split('/').at(-1) ?? '';
    const grace = ['--email', 'grace@example.org', '--name', 'Grace', '--org', id, '--role', 'admin'];
    const user = await runProgram(['user', 'create', ...grace], environment());
    const created = await runProgram(['token', 'create', '--user', 'grace@example.org'], environment());
    const token = created.stdout.trim();
    const mayAdmin = async ({ url }: Program) => {
      const seen = await send(url, { path: organization, token });
      return parseBody<{ permissions: { admin: boolean } }>(seen).permissions.admin;
    };
    for (const program of [first, second, first, second]) expect(await mayAdmin(program)).toBe(true);

    const member = `${organization}/members/${user.stdout.trim()}`;
    const changed = await send(first.url, {
      method: 'PATCH',
      path: member,
      token: admin,
      body: { role: 'read' },
    });
    const since = Date.now();
    expect(changed.status).toBe(200);
    expect(await mayAdmin(first)).toBe(false);
    expect(await lastStaleMs(since, () => mayAdmin(second))).toBeLessThan(STALE_MS);
  });
});

describe('a server without notifications of the other is stale for at most a second', () => {
  test('when its listening connection was closed', async () => {
    const cached = await cachedToken();
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'octavo listener' and datname = current_database()`,
    );
    expect(await lastStaleMs(await deleteToken(cached), cached.isStale)).toBeLessThan(STALE_MS);
  });

  test('when its listening connection hangs', async () => {
    const cached = await cachedToken();
    const organization = await firstOrganization();
    const [title = ''] = await renameByHeavyProcess(first, organization);
    // Each server has two processes.
    expect(database.freeze('octavo listener')).toBe(4);
    const since = await deleteToken(cached);
    expect((await cached.read(first)).status).toBe(401);
    expect(await renameByHeavyProcess(first, organization)).toEqual([`${title}!`, `${title}!!`]);
    expect(await lastStaleMs(since, cached.isStale)).toBeLessThan(STALE_MS);
  });
});

test('a worker serves its probes and metrics', async () => {
  const port = await freePort();
  const env = { ...environment(), OCTAVO_PROBE_PORT: String(port) };
  const { child, ended, stdout } = launch({ env, command: [process.execPath, MAIN, 'worker'] });
  await expect.poll(stdout).toContain('Waiting for jobs.');
  const get = async (at: string) => send(`http://127.0.0.1:${port}`, { path: at });
  expect([(await get('/healthz')).status, (await get('/readyz')).status]).toEqual([200, 200]);
  const metrics = (await get('/metrics')).body;
  for (const name of [
    'octavo_jobs',
    'octavo_build_info',
    'octavo_imports_total',
    'process_resident_memory_bytes',
  ])
    expect(metrics).toContain(`# TYPE ${name} `);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, messages: [] });
});

test('each request is a line of the log', async () => {
  const { id } = parseBody<{ id: string }>(await send(first.url, { path: '/v1/user', token: admin }));
  const answers = [
    await send(first.url, { path: `/v1/user?token=${PRIVATE}&jwt_token=${PRIVATE}`, token: admin }),
    await send(first.url, { path: `/invite/${PRIVATE}` }),
    await send(first.url, { path: `/some-site/${PRIVATE}/page` }),
    await send(first.url, { path: `/some-site/${PRIVATE.replace('K', '%4B')}/page` }),
  ];
  const requestIds = answers.map(({ headers }) => headers['x-request-id']);
  const line = { method: 'GET', ms: expect.any(Number), msg: 'request' };
  await first.stop();
  const { log } = await first.ended;
  const lines = requestIds.map((requestId) =>
    log.find((each) => 'requestId' in each && each.requestId === requestId),
  );
  expect(lines).toMatchObject([
    { ...line, path: '/v1/user', status: 200, caller: id },
    { ...line, path: '/invite/***', status: 404 },
    { ...line, path: '/some-site/***/page', status: 404 },
    { ...line, path: '/some-site/***/page', status: 404 },
  ]);
  expect(JSON.stringify(log)).not.toContain(PRIVATE);
});

test('both stop gracefully, and the log contains no secret', async () => {
  const ended = await Promise.all([first.stop(), second.stop()]);
  expect(ended.map(({ code, messages }) => [code, messages])).toEqual([
    [0, []],
    [0, []],
  ]);
  const logged = JSON.stringify(ended.map(({ log }) => log));
  expect(logged).toContain('the listening connection failed');
  for (const secret of [SECRET, new URL(database.url).password, admin]) expect(logged).not.toContain(secret);
});
