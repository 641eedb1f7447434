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

  test('refuse more than may wait', async () => {
    const threads = threadsWith({ queue: 1 });
    const first = threads.run('double', 1);
    const second = threads.run('double', 2);
    expect(await threads.run('double', 3).catch(failureOf)).toBe('busy');
    expect(await Promise.all([first, second])).toEqual([2, 4]);
  });

  test('of one owner leave most places to wait to others', async () => {
    const threads = threadsWith({ queue: 8 });
    const own = { owner: 'a' };
    const waiting = [1, 2, 3].map((each) => threads.run('double', each, own));
    expect(await threads.run('double', 4, own).catch(failureOf)).toBe('busy');
    expect(await threads.run('double', 5, { owner: 'b' })).toBe(10);
    expect(await Promise.all(waiting)).toEqual([2, 4, 6]);
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

test('an owner has at most so many slots and places to wait, whatever is free', async () => {
  const queue = createFairQueue(4, 100, { running: 2, waiting: 1 });
  const { signal } = new AbortController();
  const served: string[] = [];
  const acquire = async (name: string) => {
    const release = await queue.acquire(name.charAt(0), signal);
    served.push(name);
    return release;
  };
  const own = [await acquire('a1'), await acquire('a2')];
  const waiting = acquire('a3');
  expect(await acquire('a4').catch(failureOf)).toBe('busy');
  const others = [await acquire('b1'), await acquire('b2')];
  // The second call releases nothing more.
  others[0]?.();
  others[0]?.();
  await acquire('c1');
  expect([served, queue.acquireNow('d')]).toEqual([['a1', 'a2', 'b1', 'b2', 'c1'], undefined]);
  own[0]?.();
  await waiting;
  expect(served.at(-1)).toBe('a3');
});

test('an owner whose limit changes starts what may run then', async () => {
  let limit = 2;
  const queue = createFairQueue(4, 100, { running: () => limit });
  const { signal } = new AbortController();
  const started: number[] = [];
  const releases: (() => void)[] = [];
  const all = [1, 2, 3, 4, 5].map(async (task) => {
    releases.push(await queue.acquire('a', signal));
    started.push(task);
  });
  await Promise.all(all.slice(0, 2));
  expect(started).toEqual([1, 2]);
  expect(queue.acquireNow('a')).toBeUndefined();
  limit = 4;
  releases.shift()?.();
  await Promise.all(all.slice(0, 5));
  expect(started).toEqual([1, 2, 3, 4, 5]);
});

test('work that is resumed precedes other tasks of its owner, and is never refused', async () => {
  const queue = createFairQueue(1, 1);
  const { signal } = new AbortController();
  const first = await queue.acquire('a', signal);
  const served: string[] = [];
  const waiting = [
    queue.acquire('a', signal).then((release) => (served.push('new'), release())),
    queue.acquire('a', signal, { isResumed: true }).then((release) => (served.push('resumed'), release())),
  ];
  expect([queue.isContended('a'), queue.isContended('b')]).toEqual([false, true]);
  first();
  await Promise.all(waiting);
  expect(served).toEqual(['resumed', 'new']);
  expect(queue.isContended('b')).toBe(false);
});

test('tasks that are cancelled while they wait are skipped', async () => {
  const queue = createFairQueue(1, 10);
  const { signal } = new AbortController();
  const first = await queue.acquire('a', signal);
  const cancel = new AbortController();
  const cancelled = queue.acquire('b', cancel.signal);
  const next = queue.acquire('c', signal);
  cancel.abort(new Error('gone'));
  await expect(cancelled).rejects.toThrow('gone');
  first();
  (await next)();
  await expect(queue.acquire('d', cancel.signal)).rejects.toThrow('gone');
  (await queue.acquire('e', signal))();
});
