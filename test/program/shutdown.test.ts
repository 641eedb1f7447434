import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { IS_EXHAUSTIVE } from '../exhaustive.ts';
import { startedBefore } from './data-directory.ts';
import { startLoad } from './load.ts';
import { freePort, launch, processesOf, startProgram, temporaryDirectory, type Program } from './program.ts';

/** A request is lost, if at all, in few of many stops. */
const STOPS = IS_EXHAUSTIVE ? 5 : 2;
const folder = temporaryDirectory();
const OCTAVO_DATA = path.join(folder, 'data');
beforeAll(() => startedBefore(OCTAVO_DATA));
let token: string | undefined;

async function start(): Promise<Program> {
  const program = await startProgram({ env: { OCTAVO_DATA, OCTAVO_LOG_LEVEL: 'warn' } });
  token ??= program.token;
  return program;
}

test(`SIGTERM under load drops no request (${STOPS} times)`, async () => {
  for (let stop = 0; stop < STOPS; stop++) {
    const program = await start();
    // At any moment some connections carry a request and others are idle; both must be handled.
    const loads = [0, 60].map((pauseMs) =>
      startLoad(program.url, {
        clients: 32,
        pauseMs,
        next: (client) =>
          client % 4 === 0
            ? { method: 'POST', path: '/v1/user/tokens', token, body: { label: 'load' } }
            : { path: '/v1/user', token },
      }),
    );
    for (const load of loads) while (load.answers.length < 200) await load.next();
    // Exit code 0: a graceful exit. A program that hangs while it stops ends with 130.
    const ended = await program.stop();
    for (const load of loads) {
      await load.end();
      expect(load.dropped.filter(({ reused }) => reused)).toEqual([]);
      expect([...new Set(load.answers.map(({ status }) => status))].toSorted()).toEqual([200, 201]);
    }
    expect(ended).toMatchObject({ code: 0, messages: [], log: [] });
  }
  expect(processesOf(folder)).toEqual([]);
});

test('a closing server responds 503 and closes connections; idle or incomplete ones do not delay it', async () => {
  const program = await start();
  const { port } = new URL(program.url);
  const incomplete = 'POST /v1/user/tokens HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{';
  const silent = ['', 'GET /v1/ HT', incomplete].map((text) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.write(text);
    return socket;
  });
  const load = startLoad(program.url, { clients: 4, pauseMs: 20, next: () => ({ path: '/readyz' }) });
  while (load.answers.length < 20) await load.next();
  const ended = await program.stop();
  await load.end();
  expect(load.answers[0]).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } });
  // A client between two requests may find the connection closed instead.
  const messages = new Set(load.answers.map(({ status, headers }) => `${status} ${headers.connection}`));
  expect(messages).toEqual(new Set(['200 keep-alive', '503 close']));
  expect(ended).toMatchObject({ code: 0, messages: [], log: [] });
  for (const socket of silent) socket.destroy();
});

test('a signal during the start stops it gracefully, too', async () => {
  const data = path.join(folder, 'interrupted');
  const misspelled = { OCTAVO_LOGLEVEL: 'warn' };
  for (const [afterMs, signal] of [
    [600, 'SIGTERM'],
    [150, 'SIGHUP'],
  ] as const) {
    const env = { OCTAVO_DATA: data, PORT: String(await freePort()), ...misspelled };
    const { child, ended } = launch({ env });
    while (processesOf(data).length === 0 && child.exitCode === null) await delay(10);
    await delay(afterMs);
    child.kill(signal);
    const { code, messages, log } = await ended;
    expect([code, messages]).toEqual([0, []]);
    expect(log[0]?.msg).toMatch(/^OCTAVO_LOGLEVEL is no variable of Octavo .* OCTAVO_LOG_LEVEL\?$/);
    expect(processesOf(data)).toEqual([]);
  }
});
