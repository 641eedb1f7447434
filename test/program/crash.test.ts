import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyCheckout, linkPackages } from './checkout.ts';
import { startedBefore } from './data-directory.ts';
import { queryEmbedded } from './database.ts';
import { startLoad } from './load.ts';
import { processesOf, ROOT, startProgram, temporaryDirectory } from './program.ts';

test('acknowledged writes survive kill -9, and the next start recovers by itself', async () => {
  const folder = temporaryDirectory();
  const env = { OCTAVO_DATA: await startedBefore(path.join(folder, 'data')) };
  let token: string | undefined;
  const acknowledged: string[] = [];
  for (let crash = 0; crash < 2; crash++) {
    const program = await startProgram({ env });
    token ??= program.token;
    const load = startLoad(program.url, {
      clients: 8,
      pauseMs: 5,
      next: () => ({ method: 'POST', path: '/v1/user/tokens', token, body: { label: 'kept' } }),
    });
    while (load.answers.length < 50) await load.next();
    expect(await program.kill()).toMatchObject({ code: 'SIGKILL' });
    await load.end();
    expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([201]));
    acknowledged.push(...load.answers.map(({ body }) => (JSON.parse(body) as { id: string }).id));
  }
  expect(processesOf(folder)).not.toEqual([]);

  // Adopts the database that the last crash left running, and stops it.
  const tokens = await queryEmbedded<{ id: string }>(env.OCTAVO_DATA, 'select id from tokens');
  const stored = new Set(tokens.map(({ id }) => id));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(100);
  expect(processesOf(folder)).toEqual([]);
});

describe('npm start', () => {
  // A copy, because it builds: other test files run the build of this folder.
  const folder = temporaryDirectory();
  const checkout = copyCheckout(path.join(folder, 'octavo'));
  linkPackages(checkout);
  const start = () =>
    startProgram({
      env: {},
      command: ['npm', 'start'],
      folder: checkout,
      detached: true,
    });

  test('stops gracefully when npm is signalled', async () => {
    const program = await start();
    expect(program.token).toBeDefined();
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
    expect(await program.stop('SIGTERM')).toMatchObject({ code: 0 });
    expect(processesOf(folder)).toEqual([]);
  });

  test('stops gracefully on Ctrl-C, which reaches npm and, twice, the program', async () => {
    // The build, which the test above proves, has ended before the signal.
    cpSync(path.join(ROOT, 'dist'), path.join(checkout, 'dist'), { recursive: true });
    writeFileSync(path.join(checkout, 'build.js'), '');
    const program = await start();
    process.kill(-program.pid, 'SIGINT');
    const { code, log } = await program.ended;
    expect({ code, alarming: log.filter(({ level }) => level > 30) }).toEqual({ code: 0, alarming: [] });
    expect(processesOf(folder)).toEqual([]);
  });
});
