import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startGitRemote } from '../../test/git-remote.ts';
import { ENVIRONMENT, type TestRepository } from '../../test/git-repository.ts';
import type { Api } from '../api.ts';
import { residentMemory } from '../child.ts';
import { atLeast, atMost, type Bench, type Check } from '../check.ts';
import type { Cleanup } from '../cleanup.ts';
import { makePage } from '../corpus.ts';
import { median } from '../load.ts';
import { createSpace } from '../space.ts';
import { startVictim } from '../victim.ts';

/** Git operations against a smart-HTTP remote on this machine. */

const FILES = 2000;
const MANY_FILES = 20_000;
const TIMES = 5;
const REF = 'refs/heads/main';
const run = promisify(execFile);

const pageOf = (n: number, sentence = 'As it was.'): string =>
  `# Page ${n}\n\n${sentence}\n\n${makePage(n, 2000).markdown}`;

async function aRepository(cleanup: Cleanup, count: number): Promise<TestRepository> {
  const remote = await startGitRemote();
  cleanup.add(remote.close);
  const files: Record<string, string> = { 'README.md': '# Start\n' };
  const summary = ['# Table of contents', '', '* [Start](README.md)'];
  for (let n = 0; n < count; n++) {
    files[`part-${n % 50}/page-${n}.md`] = pageOf(n);
    summary.push(`* [Page ${n}](part-${n % 50}/page-${n}.md)`);
  }
  files['SUMMARY.md'] = `${summary.join('\n')}\n`;
  const repository = await remote.addRepository();
  await repository.commit(files);
  return repository;
}

/** Starts an operation, waits for its end, and returns the milliseconds that it took. */
async function carryOut(api: Api, spaceId: string, direction: 'import' | 'export', { url }: TestRepository) {
  const operations = `/v1/spaces/${spaceId}/git/operations?limit=1`;
  const body = { url, ref: REF, ...(direction === 'export' ? { commitMessage: 'Measured' } : {}) };
  await api.send({ method: 'POST', path: `/v1/spaces/${spaceId}/git/${direction}`, body });
  for (;;) {
    await delay(50);
    const { items } = await api.send<{ items: readonly Operation[] }>({ path: operations });
    const [last] = items;
    if (!last || last.state === 'queued' || last.state === 'running') continue;
    if (last.state !== 'success') throw new Error(`the ${direction} failed: ${last.error}`);
    return Date.parse(last.completedAt) - Date.parse(last.startedAt);
  }
}

interface Operation {
  readonly state: string;
  readonly error?: string;
  readonly startedAt: string;
  readonly completedAt: string;
}

/** The milliseconds of work with git alone, in a copy that has the commit before. */
async function timeOfGit(args: (copy: string) => readonly string[], copy: string): Promise<number> {
  const begun = performance.now();
  await run('git', ['-C', copy, ...args(copy)], { env: ENVIRONMENT });
  return performance.now() - begun;
}

async function aCopy(cleanup: Cleanup, { url }: TestRepository): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'octavo-bench-git-'));
  cleanup.add(() => rm(copy, { recursive: true, force: true }));
  await run('git', ['clone', '--quiet', '--bare', '--depth=1', url, copy], { env: ENVIRONMENT });
  return copy;
}

const firstImport: Check = {
  name: `Git: first import of ${FILES} files`,
  aim: atLeast(500, '/s'),
  async measure({ api, cleanup }) {
    const times: number[] = [];
    for (let time = 0; time < 3; time++) {
      const repository = await aRepository(cleanup, FILES);
      times.push(await carryOut(api, await createSpace(api), 'import', repository));
    }
    return (FILES / median(times)) * 1000;
  },
};

/** The median of what an operation takes beyond git alone. */
async function beyondGit(
  { api, cleanup }: Bench,
  measure: (context: {
    spaceId: string;
    repository: TestRepository;
    copy: string;
    time: number;
  }) => Promise<number>,
): Promise<number> {
  const repository = await aRepository(cleanup, FILES);
  const spaceId = await createSpace(api);
  await carryOut(api, spaceId, 'import', repository);
  const copy = await aCopy(cleanup, repository);
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) times.push(await measure({ spaceId, repository, copy, time }));
  return median(times);
}

const nextImport: Check = {
  name: `Git: import after 1 of ${FILES} files changed, beyond the fetch`,
  aim: atMost(300, 'ms'),
  measure: (bench) =>
    beyondGit(bench, async ({ spaceId, repository, copy, time }) => {
      await repository.commit({ [`part-${time}/page-${time}.md`]: pageOf(time, `Changed ${time}.`) });
      const fetched = await timeOfGit(() => ['fetch', '--quiet', '--depth=1', repository.url, REF], copy);
      return (await carryOut(bench.api, spaceId, 'import', repository)) - fetched;
    }),
};

const nextExport: Check = {
  name: `Git: export of 1 changed page in ${FILES}, beyond the fetch and the push`,
  aim: atMost(300, 'ms'),
  measure: (bench) =>
    beyondGit(bench, async ({ spaceId, repository, copy, time }) => {
      const { api } = bench;
      const pages = `/v1/spaces/${spaceId}/content/path/page-${time}`;
      const { id } = await api.send<{ id: string }>({ path: pages });
      const changes = [{ operation: 'update_page', page: id, document: { markdown: `Edited ${time}.` } }];
      await api.send({ method: 'POST', path: `/v1/spaces/${spaceId}/content`, body: { changes } });
      const fetched = await timeOfGit(() => ['fetch', '--quiet', '--depth=1', repository.url, REF], copy);
      const branch = `refs/heads/copy-${time}`;
      const pushed = await timeOfGit(() => ['push', '--quiet', repository.url, `FETCH_HEAD:${branch}`], copy);
      return (await carryOut(api, spaceId, 'export', repository)) - fetched - pushed;
    }),
};

const ofMany = (
  name: string,
  aim: Check['aim'],
  figureOf: (grownMb: number, delayMs: number) => number,
): Check => ({
  name: `Git: ${name} by the first import of ${MANY_FILES} files`,
  aim,
  async measure({ cleanup }) {
    const repository = await aRepository(cleanup, MANY_FILES);
    const victim = await startVictim(cleanup);
    const spaceId = await createSpace(victim.api);
    const before = (residentMemory(victim.server.pid) ?? 0) / 2 ** 20;
    const { peakMb, loopDelayMs } = await victim.observe(async () => {
      await carryOut(victim.api, spaceId, 'import', repository);
      return [];
    });
    await victim.server.stop();
    return figureOf(peakMb - before, loopDelayMs);
  },
});

export const gitChecks: readonly Check[] = [
  firstImport,
  nextImport,
  nextExport,
  ofMany('growth of memory', atMost(300, 'MB'), (grownMb) => grownMb),
  ofMany('longest delay of the event loop', atMost(200, 'ms'), (_grownMb, delayMs) => delayMs),
];
