import { describe, expect, it } from 'vitest';
import { createSharedWork } from './shared-work.ts';

/** Work that ends by `finish` or by an abort. */
function controlledWork() {
  let finish = (_value: string): void => undefined;
  let signal: AbortSignal | undefined;
  let times = 0;
  const work = (given: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      times += 1;
      signal = given;
      finish = resolve;
      given.addEventListener('abort', () => reject(new Error('stopped')));
    });
  return {
    work,
    finish: (value: string) => finish(value),
    isAborted: () => signal?.aborted,
    times: () => times,
  };
}

describe('shared work', () => {
  it('runs once for concurrent callers, and again for later ones', async () => {
    const shared = createSharedWork<string>();
    const { work, finish, times } = controlledWork();
    const never = new AbortController().signal;
    const both = [shared('x', never, work), shared('x', never, work)];
    finish('made');
    expect(await Promise.all(both)).toEqual(['made', 'made']);
    const later = shared('x', never, work);
    finish('again');
    expect([await later, times()]).toEqual(['again', 2]);
  });

  it('is aborted when the last caller aborts, not earlier', async () => {
    const shared = createSharedWork<string>();
    const { work, finish, isAborted, times } = controlledWork();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = shared('x', one.signal, work);
    const second = shared('x', two.signal, work);
    one.abort();
    expect(isAborted()).toBe(false);
    two.abort();
    expect(isAborted()).toBe(true);
    const next = shared('x', new AbortController().signal, work);
    await expect(first).rejects.toThrow('stopped');
    await expect(second).rejects.toThrow('stopped');
    finish('made');
    expect([await next, times()]).toEqual(['made', 2]);
  });
});
