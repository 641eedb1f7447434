import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { insert } from '../content.ts';
import { FIRST_START, SEEDED_TEMPLATE } from '../databases.ts';
import { startGitRemote, type GitRemote } from '../git-remote.ts';
import type { TestRepository } from '../git-repository.ts';
import { createDatabase, type ProxiedDatabase } from './database.ts';
import { send } from './load.ts';
import { processesOf, startProgram, temporaryDirectory, type Program } from './program.ts';

/** A server that is killed during an operation of Git. The next one carries the operation out. */

let remote: GitRemote;
let database: ProxiedDatabase;
let data: string;
let env: Record<string, string>;
/** The server that the test before has started last, unless that test failed. */
let program: Program | undefined;
let token: string | undefined;

beforeAll(async () => {
  remote = await startGitRemote();
  database = await createDatabase(SEEDED_TEMPLATE);
  data = path.join(temporaryDirectory(), 'data');
  env = {
    ...FIRST_START,
    OCTAVO_DATA: data,
    DATABASE_URL: database.url,
    OCTAVO_OUTBOUND_ALLOW: new URL(remote.origin).host,
  };
});

async function startServer(): Promise<void> {
  program = await startProgram({ env, shared: true });
  token ??= program.token;
}

async function killServer(): Promise<void> {
  const killed = program;
  program = undefined;
  if (killed) expect(await killed.kill()).toMatchObject({ code: 'SIGKILL' });
}

/** A failed test must not affect the next. */
async function reset(): Promise<void> {
  remote.intercept = undefined;
  await database.query('rollback');
  await killServer();
}

async function call(method: string, to: string, body?: object) {
  if (!program) throw new Error('No server runs');
  const answer = await send(program.url, { method, path: to, token, body });
  expect(answer.status, answer.body).toBeLessThan(300);
  return answer.body === '' ? undefined : JSON.parse(answer.body);
}

const README = '# Welcome\n\nHello.\n';

async function aSpace(): Promise<{ space: string; repository: TestRepository }> {
  const repository = await remote.addRepository();
  await repository.commit({ 'README.md': README });
  onTestFailed(reset);
  if (!program) await startServer();
  const { items } = await call('GET', '/v1/orgs');
  const { id } = await call('POST', `/v1/orgs/${items[0].id}/spaces`, { title: 'Guide' });
  await call('PATCH', `/v1/spaces/${id}`, { editMode: 'live' });
  return { space: `/v1/spaces/${id}`, repository };
}

async function start(direction: 'import' | 'export', space: string, { url }: TestRepository): Promise<void> {
  const message = direction === 'export' ? { commitMessage: 'Update' } : {};
  await call('POST', `${space}/git/${direction}`, { url, ref: 'refs/heads/main', ...message });
}

const latest = async (space: string) => (await call('GET', `${space}/git/operations?limit=1`)).items[0];
const stateOf = async (space: string): Promise<string> => (await latest(space)).state;
const titles = async (space: string): Promise<string[]> =>
  (await call('GET', `${space}/content/pages`)).pages.map(({ title }: { title: string }) => title);
const addPage = (space: string, title: string) =>
  call('POST', `${space}/content`, {
    changes: [insert(title, 'Text.')],
  });

/** Resolves when a request of this kind arrives. It is not answered; `before` runs instead. */
function holdRequest(
  suffix: string,
  before?: (request: Parameters<NonNullable<GitRemote['intercept']>>[0]) => boolean,
) {
  return new Promise<void>((resolve) => {
    remote.intercept = (request) => {
      if (request.method !== 'POST' || !request.url?.endsWith(suffix)) return false;
      resolve();
      return before?.(request) ?? true;
    };
  });
}

/** Whether the server waits for a lock of our transaction. */
async function isWaitedFor(): Promise<boolean> {
  const waiting =
    'select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
  return (await database.query(waiting)).length > 0;
}

const jobFolders = async (): Promise<string[]> =>
  (await readdir(path.join(data, 'git')).catch(() => [])).filter((name) => name.endsWith('.job'));

/** Kills the server, and starts the next one, in which half a minute has passed. */
async function killAndRestart(whenKilled?: () => Promise<unknown>): Promise<void> {
  await killServer();
  expect(await jobFolders()).toHaveLength(1);
  await whenKilled?.();
  // Alive until time passes, however long the next start takes.
  await database.query(
    `update git_operations set seen_at = now() + interval '1 hour' where state = 'running'`,
  );
  remote.intercept = undefined;
  await startServer();
  await expect.poll(jobFolders).toEqual([]);
  await expect.poll(() => processesOf(remote.origin)).toEqual([]);
}

/** The schedule enqueues the job every minute. */
async function passTime(): Promise<void> {
  await database.query(
    `update git_operations set seen_at = now() - interval '1 minute' where state = 'running'`,
  );
  await database.query(`select graphile_worker.add_job('git.run', '{}')`);
}

async function expectFree(space: string, repository: TestRepository): Promise<void> {
  await addPage(space, 'Afterwards');
  await start('export', space, repository);
  await expect.poll(() => stateOf(space)).toBe('success');
  expect(Object.keys(await repository.files())).toContain('afterwards.md');
  await expect.poll(jobFolders).toEqual([]);
}

describe('a server that is killed', () => {
  test('while it fetches leaves no process, and the next one imports', async () => {
    const { space, repository } = await aSpace();
    const fetching = holdRequest('/git-upload-pack');
    await start('import', space, repository);
    await fetching;
    await killAndRestart(async () => expect(processesOf(remote.origin)).not.toEqual([]));
    expect(await latest(space)).toMatchObject({ state: 'running' });
    expect(await titles(space)).toEqual([]);
    await passTime();
    await expect.poll(() => stateOf(space)).toBe('success');
    expect(await titles(space)).toEqual(['Welcome']);
    await expectFree(space, repository);
  });

  test('while it publishes leaves the content as it was, and the next one imports', async () => {
    const { space, repository } = await aSpace();
    await addPage(space, 'Mine');
    await database.query('begin');
    await database.query('lock table git_states in share mode');
    await start('import', space, repository);
    await expect.poll(isWaitedFor).toBe(true);
    await killAndRestart(() => database.query('rollback'));
    expect(await titles(space)).toEqual(['Mine']);
    await passTime();
    await expect.poll(() => stateOf(space)).toBe('success');
    expect(await titles(space)).toEqual(['Welcome']);
    const revisions = await call('GET', `${space}/git/operations`);
    expect(revisions.items).toHaveLength(1);
    await expectFree(space, repository);
  });

  test('while it pushes leaves the branch as it was, and the next one exports', async () => {
    const { space, repository } = await aSpace();
    await start('import', space, repository);
    await expect.poll(() => stateOf(space)).toBe('success');
    await addPage(space, 'Added');
    const head = await repository.head();
    const pushing = holdRequest('/git-receive-pack');
    await start('export', space, repository);
    await pushing;
    await killAndRestart(async () => expect(processesOf(remote.origin)).not.toEqual([]));
    expect(await repository.head()).toBe(head);
    await passTime();
    await expect.poll(() => stateOf(space)).toBe('success');
    expect(await repository.commits()).toHaveLength(2);
    await expectFree(space, repository);
  });

  test('after it pushed makes no second commit', async () => {
    const { space, repository } = await aSpace();
    await start('import', space, repository);
    await expect.poll(() => stateOf(space)).toBe('success');
    await addPage(space, 'Added');
    await database.query('begin');
    await database.query(`select 1 from spaces where id = '${space.split('/').at(-1)}' for share`);
    await start('export', space, repository);
    await expect.poll(isWaitedFor).toBe(true);
    const pushed = await repository.head();
    expect(await repository.commits()).toHaveLength(2);
    await killAndRestart(() => database.query('rollback'));
    await passTime();
    await expect.poll(() => stateOf(space)).toBe('success');
    expect(await latest(space)).toMatchObject({ commit: pushed });
    expect(await repository.head()).toBe(pushed);
    expect(await titles(space)).toEqual(['Welcome', 'Added']);
    await expectFree(space, repository);
  });
});
