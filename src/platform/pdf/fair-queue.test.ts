import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const never = new AbortController().signal;

describe('a fair queue', () => {
  it('serves owners round-robin, regardless of how many documents each has', async () => {
    const queue = createFairQueue({ concurrency: 1, limit: 10 });
    const served: string[] = [];
    const first = await queue.acquire('a', never);
    expect(first.isContended()).toBe(false);
    const work = ['a', 'a', 'a', 'b', 'c', 'b'].map(async (owner) => {
      const slot = await queue.acquire(owner, never);
      served.push(owner);
      slot.release();
    });
    expect(first.isContended()).toBe(true);
    first.release();
    await Promise.all(work);
    const only = await queue.acquire('a', never);
    const own = queue.acquire('a', never);
    expect(only.isContended()).toBe(false);
    only.release();
    (await own).release();
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('limits slots, and waiting requests per owner', async () => {
    const queue = createFairQueue({ concurrency: 2, limit: 1 });
    const [one, two] = [await queue.acquire('a', never), await queue.acquire('a', never)];
    const waiting = queue.acquire('a', never);
    await expect(queue.acquire('a', never)).rejects.toMatchObject({ reason: 'busy' });
    const other = queue.acquire('b', never);
    one.release();
    one.release();
    (await waiting).release();
    (await other).release();
    two.release();
    const again = await Promise.all([queue.acquire('a', never), queue.acquire('b', never)]);
    for (const slot of again) slot.release();
  });

  it('serves resumed work before other work of its owner, and never refuses it', async () => {
    const queue = createFairQueue({ concurrency: 1, limit: 1 });
    const first = await queue.acquire('a', never);
    const served: string[] = [];
    const waiting = [
      queue.acquire('a', never).then((slot) => (served.push('new'), slot.release())),
      queue.acquire('a', never, { isResumed: true }).then((slot) => (served.push('resumed'), slot.release())),
    ];
    first.release();
    await Promise.all(waiting);
    expect(served).toEqual(['resumed', 'new']);
  });

  it('skips cancelled requests', async () => {
    const queue = createFairQueue({ concurrency: 1, limit: 10 });
    const first = await queue.acquire('a', never);
    const cancel = new AbortController();
    const cancelled = queue.acquire('b', cancel.signal);
    const next = queue.acquire('c', never);
    cancel.abort(new Error('gone'));
    await expect(cancelled).rejects.toThrow('gone');
    first.release();
    (await next).release();
    await expect(queue.acquire('d', cancel.signal)).rejects.toThrow('gone');
    (await queue.acquire('e', never)).release();
  });
});
