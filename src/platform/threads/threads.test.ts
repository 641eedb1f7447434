import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createThreads, ThreadError, type Threads, type ThreadsOptions } from './index.ts';
import { createFairQueue } from './fair-queue.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'octavo-threads-'));
const file = path.join(folder, 'tasks.mjs');
writeFileSync(
  file,
  `import { threadId } from 'node:worker_threads';
   export const tasks = {
     double: (n) => n * 2,
     thread: () => threadId,
     bytes: (n) => new Uint8Array(n).fill(7),
     page: (n) => ({ title: 'Page', html: (globalThis.html = new Uint8Array(n).fill(7)) }),
     kept: () => globalThis.html.length,
     small: () => Buffer.from('small'),
     refuse: () => { throw Object.assign(new Error('no'), { code: 'REFUSED', line: 3 }); },
     hang: () => { for (;;); },
     wait: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
     eat: () => { const all = []; for (;;) all.push(new Array(1e4).fill(all.length)); },
   };`,
);

const opened: Threads[] = [];
afterAll(async () => {
  await Promise.all(opened.map((threads) => threads.close()));
  rmSync(folder, { recursive: true });
});

function threadsWith(options: Partial<ThreadsOptions> = {}): Threads {
  const threads = createThreads({ tasks: pathToFileURL(file), threads: 1, ...options });
  opened.push(threads);
  return threads;
}

const failureOf = (error: unknown): string => (error as ThreadError).failure;

describe('threads', () => {
  test('run tasks on another thread', async () => {
    const threads = threadsWith();
    expect(await threads.run('double', 21)).toBe(42);
    expect(await threads.run('thread', undefined)).not.toBe(0);
  });

  test('print no warning when many tasks wait', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on('warning', onWarning);
    const threads = threadsWith();
    await Promise.all(Array.from({ length: 20 }, (_each, n) => threads.run('double', n)));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  test('answer bytes', async () => {
    const threads = threadsWith();
    expect(await threads.run('bytes', 100_000)).toEqual(new Uint8Array(100_000).fill(7));
    expect(await threads.run('small', undefined)).toEqual(new Uint8Array(Buffer.from('small')));
  });

  test('hand over bytes in a field without a copy', async () => {
    const threads = threadsWith();
    const page = { title: 'Page', html: new Uint8Array(100_000).fill(7) };
    expect(await threads.run('page', 100_000)).toEqual(page);
    expect(await threads.run('kept', undefined)).toBe(0);
  });

  test('throw what the function threw, with its fields', async () => {
    const threads = threadsWith();
    await expect(threads.run('refuse', undefined)).rejects.toMatchObject({
      message: 'no',
      code: 'REFUSED',
      line: 3,
    });
    await expect(threads.run('absent', undefined)).rejects.toThrow('There is no task absent');
  });

  test('end a task that takes too long, and go on', async () => {
    const threads = threadsWith();
    await threads.run('double', 1);
    const error = await threads.run('hang', undefined, { timeoutMs: 200 }).catch(failureOf);
    expect(error).toBe('time');
    expect(await threads.run('double', 4)).toBe(8);
  });

  test.runIf(process.platform === 'linux')('do not count the time without a CPU', async () => {
    const threads = threadsWith({ timeoutMs: 200 });
    expect(await threads.run('wait', 500, { wallMs: 120_000 })).toBe('timed-out');
    const error = await threads.run('wait', 60_000, { wallMs: 500 }).catch(failureOf);
    expect(error).toBe('time');
  });

  test('end a task that needs too much memory, and go on', async () => {
    const threads = threadsWith({ memoryMb: 64 });
    expect(await threads.run('eat', undefined).catch(failureOf)).toBe('memory');
    expect(await threads.run('double', 4)).toBe(8);
  });

  test('end a task whose caller has gone, running or waiting', async () => {
    const threads = threadsWith();
    const gone = new AbortController();
    const running = threads.run('hang', undefined, { signal: gone.signal });
    const waiting = threads.run('hang', undefined, { signal: gone.signal });
    const next = threads.run('double', 4);
    gone.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    await expect(waiting).rejects.toThrow('gone');
    expect(await next).toBe(8);
  });

  test('say whether a task would start at once', async () => {
    const threads = threadsWith();
    expect(threads.hasFree()).toBe(true);
    const running = threads.run('double', 1);
    expect(threads.hasFree()).toBe(false);
    await running;
    expect(threads.hasFree()).toBe(true);
  });

  test('refuse more than may wait', async () => {
    const threads = threadsWith({ queue: 1 });
    const first = threads.run('double', 1);
    const second = threads.run('double', 2);
    expect(await threads.run('double', 3).catch(failureOf)).toBe('busy');
    expect(await Promise.all([first, second])).toEqual([2, 4]);
  });

  test('fail at once where the module does not load', async () => {
    const threads = threadsWith({ tasks: pathToFileURL(path.join(folder, 'absent.mjs')) });
    await expect(threads.run('double', 1)).rejects.toThrow('absent.mjs');
  });

  test('close what runs and what waits', async () => {
    const threads = threadsWith();
    const all = [threads.run('hang', undefined), threads.run('double', 1)];
    const failures = Promise.all(all.map((one) => one.catch(failureOf)));
    await threads.close();
    expect(await failures).toEqual(['closed', 'closed']);
    expect(await threads.run('double', 1).catch(failureOf)).toBe('closed');
  });
});

test('owners take turns, and the tasks of one keep their order', async () => {
  const queue = createFairQueue(1, 100);
  const { signal } = new AbortController();
  const served: string[] = [];
  const first = await queue.acquire('a', signal);
  const rest = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
    const release = await queue.acquire(name.charAt(0), signal);
    served.push(name);
    release();
  });
  first();
  await Promise.all(rest);
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});
