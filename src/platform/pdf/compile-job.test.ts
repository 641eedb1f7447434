import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createCompileJob } from './compile-job.ts';
import { createCompilerProcess } from './compiler-process.ts';
import { createFairQueue } from '../threads/fair-queue.ts';

/** No document of this test reaches it. */
const LIMIT_MS = 120_000;

const compiling = (main: string) => ({
  compile: { main, labels: [], firstPage: 1, files: new Map(), missing: [] },
});

it('ends the thread of a cancelled document before it starts the next', async () => {
  const compiler = createCompilerProcess();
  const queue = createFairQueue(1, 1);
  const jobFor = (signal: AbortSignal) =>
    createCompileJob({ queue, compiler, owner: 'a', signal, limitMs: LIMIT_MS });
  /** Threads of the process of the compiler. Linux only. */
  const countThreads = async () => (await readdir(`/proc/${compiler.pid}/task`)).length;

  const hangUp = new AbortController();
  const cancelled = jobFor(hangUp.signal);
  await cancelled.ask(compiling('Text'));
  const withOne = await countThreads();
  const endless = cancelled.ask(compiling('#{ for x in range(100000) { for y in range(100000) { } } }'));
  hangUp.abort();
  await expect(endless).rejects.toMatchObject({ reason: 'cancelled' });
  cancelled.end();

  const next = jobFor(new AbortController().signal);
  await next.ask(compiling('Text'));
  expect(await countThreads()).toBeLessThanOrEqual(withOne);
  next.end();
});
