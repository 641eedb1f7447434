import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { startedBefore } from './data-directory.ts';
import { send } from './load.ts';
import { heavyProcessOf, processesOf, startProgram, temporaryDirectory, type Program } from './program.ts';

/** The process for jobs and large requests is lost; the other one answers, and starts it again. */

let data: string;
let program: Program;
let space: string;

beforeAll(async () => {
  data = await startedBefore(path.join(temporaryDirectory(), 'data'));
  program = await startProgram({ env: { OCTAVO_DATA: data, OCTAVO_LOG_LEVEL: 'fatal' }, shared: true });
  const [organization] = (await call('GET', '/v1/orgs')).items;
  const { id } = await call('POST', `/v1/orgs/${organization.id}/spaces`, {
    title: 'Guide',
    editMode: 'live',
  });
  space = `/v1/spaces/${id}`;
});

const ask = (method: string, to: string, body?: object) =>
  send(program.url, { method, path: to, token: program.token, ...(body && { body }) });

async function call(method: string, to: string, body?: object) {
  const answer = await ask(method, to, body);
  expect(answer.status, answer.body).toBeLessThan(300);
  return JSON.parse(answer.body);
}

const LARGE = 'A paragraph of *words*, [a link](https://example.org) and `code`.\n\n'.repeat(8_000);
const insert = (title: string) =>
  ask('POST', `${space}/content`, {
    changes: [{ operation: 'insert_page', title, document: { markdown: LARGE } }],
  });
const titles = async (): Promise<string[]> =>
  (await call('GET', `${space}/content/pages`)).pages.map(({ title }: { title: string }) => title);

/** Waits until the process, which is not the one that was lost, has a connection: it performs a request. */
async function performingHeavy(lost?: number): Promise<number> {
  const heavy = await nextHeavy(lost);
  for (;;) {
    // Between fork and exec, the arguments are those of the parent.
    const socket = readFileSync(`/proc/${heavy}/cmdline`, 'utf8').split('\0').at(-2) ?? '';
    if (socket.endsWith('.sock') && hasConnection(socket)) return heavy;
    await delay(5);
  }
}

const CONNECTED = / 0[23] +\d+ /;
const hasConnection = (socket: string): boolean =>
  readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .some((line) => line.endsWith(` ${socket}`) && CONNECTED.test(line));

async function nextHeavy(after?: number): Promise<number> {
  for (;;) {
    const found = heavyProcessOf(program.pid);
    if (found !== undefined && found !== after) return found;
    await delay(20);
  }
}

describe('when the process for large requests is killed', () => {
  test('a request that it performs is performed by the next one, once', async () => {
    const sent = insert('Once');
    const heavy = await performingHeavy();
    process.kill(heavy, 'SIGKILL');
    const answer = await sent;
    const found = (await titles()).filter((title) => title === 'Once').length;
    // Lost before it began to commit, the request is performed again. After that, its outcome is unknown.
    expect([`200, ${1}`, `503, ${found}`]).toContain(`${answer.status}, ${found}`);
    expect(found).toBeLessThanOrEqual(1);
    expect(await nextHeavy(heavy)).not.toBe(heavy);
  });

  test('the server remains ready, and performs small requests', async () => {
    const heavy = await nextHeavy();
    process.kill(heavy, 'SIGKILL');
    for (let i = 0; i < 20; i++) {
      expect((await ask('GET', '/readyz')).status).toBe(200);
      expect((await ask('GET', '/v1/user')).status).toBe(200);
    }
    expect((await insert('After')).status).toBe(200);
  });

  test('twice with the same request, that is refused', async () => {
    const sent = insert('Never');
    const heavy = await performingHeavy();
    process.kill(heavy, 'SIGKILL');
    process.kill(await performingHeavy(heavy), 'SIGKILL');
    const { status, body } = await sent;
    expect([status, body]).toEqual([413, expect.stringMatching(/needs more memory or time/)]);
    expect(await titles()).not.toContain('Never');
    expect((await insert('Later')).status).toBe(200);
  });
});

test('when the server alone is killed, the other process ends, and the database with it', async () => {
  await nextHeavy();
  process.kill(program.pid, 'SIGKILL');
  await program.ended;
  await expect.poll(() => processesOf(data), { timeout: 120_000 }).toEqual([]);
});
