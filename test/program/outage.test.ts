import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { FIRST_START, SEEDED_TEMPLATE } from '../databases.ts';
import { startedBefore } from './data-directory.ts';
import { createDatabase, queryEmbedded } from './database.ts';
import { send, startLoad, type Answered, type Load } from './load.ts';
import { postmasterOf, processesOf, startProgram, temporaryDirectory } from './program.ts';

const loadOn = (url: string, token: string | undefined): Load =>
  startLoad(url, {
    clients: 12,
    pauseMs: 10,
    next: (client) =>
      client % 3 === 0
        ? { method: 'POST', path: '/v1/user/tokens', token, body: { label: 'kept' } }
        : { path: client % 3 === 1 ? '/v1/user' : '/v1/user/tokens?limit=1', token },
  });

/** A 503 has Retry-After and the common error format. */
function expectUnavailable(answers: readonly Answered[]): void {
  const refused = answers.filter(({ status }) => status >= 300);
  for (const { status, headers, body } of refused) {
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([
      503,
      '1',
      'application/json; charset=utf-8',
    ]);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 503, message: expect.any(String) } });
  }
  // No response took as long as the timeouts of the program.
  expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(60_000);
}

/** Waits until requests succeed again, repeatedly. */
async function waitForRecovery(load: Load): Promise<void> {
  for (let since = load.answers.length; ; since = load.answers.length) {
    while (load.answers.length < since + 50) await load.next();
    if (load.answers.slice(since).every(({ status }) => status < 300)) return;
  }
}

test('if the embedded database dies under load, requests get 503 until it is restarted', async () => {
  const folder = temporaryDirectory();
  const data = await startedBefore(path.join(folder, 'data'));
  const program = await startProgram({ env: { OCTAVO_DATA: data, OCTAVO_LOG_LEVEL: 'fatal' } });
  const load = loadOn(program.url, program.token);
  while (load.answers.length < 100) await load.next();
  // An immediate shutdown, like a crash of PostgreSQL; then one that leaves its backends behind.
  for (const signal of ['SIGQUIT', 'SIGKILL', 'SIGKILL'] as const) {
    process.kill(postmasterOf(data), signal);
    await waitForRecovery(load);
  }
  await load.end();
  expect(load.dropped).toEqual([]);
  expectUnavailable(load.answers);
  expect(load.answers.some(({ status }) => status === 503)).toBe(true);
  expect(await program.stop()).toMatchObject({ code: 0, messages: [], log: [] });
  expect(processesOf(folder)).toEqual([]);

  const tokens = await queryEmbedded<{ id: string }>(data, 'select id from tokens');
  const stored = new Set(tokens.map(({ id }) => id));
  const acknowledged = load.answers
    .filter(({ status }) => status === 201)
    .map(({ body }) => (JSON.parse(body) as { id: string }).id);
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
});

test('during an outage of a database server, /readyz reports it, and everything recovers afterwards', async () => {
  const database = await createDatabase(SEEDED_TEMPLATE);
  const mail = await startSilentMailServer();
  const program = await startProgram({
    env: {
      ...FIRST_START,
      DATABASE_URL: database.url,
      OCTAVO_SMTP_URL: mail.url,
      OCTAVO_LOG_LEVEL: 'silent',
    },
  });
  const probe = async (at: string) => (await send(program.url, { path: at })).status;
  const load = loadOn(program.url, program.token);
  while (load.answers.length < 50) await load.next();
  expect(await probe('/readyz')).toBe(200);

  const [organization] = await database.query<{ id: string }>('select id from organizations');
  await send(program.url, {
    method: 'POST',
    path: `/v1/orgs/${organization?.id}/invites`,
    token: program.token,
    body: { emails: ['ada@example.org'], role: 'read' },
  });
  await mail.connected(1);

  await database.cut();
  mail.disconnect();
  await expect.poll(() => probe('/readyz')).toBe(503);
  for (const until = Date.now() + 3_000; Date.now() < until; await delay(200)) {
    expect(await send(program.url, { path: '/readyz' })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
    });
  }
  expect(await probe('/healthz')).toBe(200);
  await database.restore();
  await waitForRecovery(load);
  expect(await probe('/readyz')).toBe(200);
  await load.end();
  expect(load.dropped).toEqual([]);
  expectUnavailable(load.answers);

  // Jobs recover too, especially the one that could not record its result.
  await mail.connected(2);
  mail.disconnect();
  const { code } = await program.stop();
  expect(code).toBe(0);
});

test('while a database server hangs, requests get 503 at once, and public pages are still served', async () => {
  const database = await createDatabase();
  const program = await startProgram({
    env: {
      ...FIRST_START,
      OCTAVO_HANDBOOK: 'on',
      DATABASE_URL: database.url,
      OCTAVO_LOG_LEVEL: 'error',
      OCTAVO_REQUEST_LOG_LEVEL: 'error',
    },
  });
  const { token } = program;
  let visits = 0;
  const home = () => {
    visits++;
    return send(program.url, { path: '/' });
  };
  // Jobs change what pages show, and a process that misses notifications while others use the processor caches nothing.
  await expect
    .poll(() => database.query('select from graphile_worker.jobs where run_at <= now()'))
    .toEqual([]);
  const countReady = async () =>
    Number(
      /^octavo_ready_answers_total (\d+)$/m.exec((await send(program.url, { path: '/metrics' })).body)?.[1],
    );
  await expect.poll(() => home().then(countReady)).toBeGreaterThan(0);
  const shown = await home();
  expect(shown.status).toBe(200);

  database.hang();
  const label = { label: 'unknown' };
  const requests = () => [
    ...Array.from({ length: 20 }, () => send(program.url, { path: '/v1/user', token })),
    send(program.url, { method: 'POST', path: '/v1/user/tokens', token, body: label }),
    send(program.url, { path: '/readyz' }),
  ];
  // Those that meet the hanging connections, then those that find it out.
  for (let round = 0; round < 2; round++) {
    const [page, ...refused] = await Promise.all([home(), ...requests()]);
    expect([page.status, page.body]).toEqual([200, shown.body]);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    // They do not wait for the timeout of a statement, 30 s.
    expect(Math.max(...[page, ...refused].map(({ took }) => took))).toBeLessThan(25_000);
  }
  const unknown = await send(program.url, { path: '/nothing' });
  expect(unknown).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });

  database.wake();
  const load = loadOn(program.url, token);
  await waitForRecovery(load);
  await load.end();
  expect((await send(program.url, { path: '/readyz' })).status).toBe(200);
  const { code, log } = await program.stop();
  expect(code).toBe(0);
  // Every page, also those that were ready; no probe.
  const pathsOf = (path: string) => log.filter((line) => 'path' in line && line.path === path);
  expect([pathsOf('/'), pathsOf('/readyz')]).toMatchObject([
    Array.from({ length: visits }, () => ({ status: 200 })),
    [],
  ]);
  const found = log.filter(({ msg }) => msg.startsWith('The database does not answer'));
  // The heavy process finds it out, too, if it has started.
  expect(found.filter((line) => 'pid' in line && line.pid === program.pid)).toHaveLength(1);
});

/** Accepts connections and stays silent, so that a job that sends mail runs until it is disconnected. */
async function startSilentMailServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const disconnect = () => sockets.forEach((socket) => socket.destroy());
  onTestFinished(() => {
    disconnect();
    server.close();
  });
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disconnect,
    async connected(times: number) {
      while (sockets.length < times) await once(server, 'connection');
    },
  };
}
