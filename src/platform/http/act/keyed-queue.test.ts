import { expect, test } from 'vitest';
import { createKeyedQueue } from './keyed-queue.ts';

interface Work {
  readonly name: string;
  readonly isBatchable: boolean;
  readonly bytes: number;
}

const work = (name: string, more: Partial<Work> = {}): Work => ({
  name,
  isBatchable: true,
  bytes: 1,
  ...more,
});

/** Notes what is handed over together; refuses what is named "refused", and breaks at "broken". */
function noting() {
  const done: string[][] = [];
  const queue = createKeyedQueue<Work, string>(async (works) => {
    await new Promise((resolve) => setImmediate(resolve));
    done.push(works.map(({ name }) => name));
    if (works.some(({ name }) => name === 'broken')) throw new Error('broken');
    return works.map(({ name }) =>
      name === 'refused' ? { status: 'rejected', reason: name } : { status: 'fulfilled', value: name },
    );
  });
  return { done, queue };
}

test('what comes while other work is done is done together, in its order; each has its own answer', async () => {
  const { done, queue } = noting();
  const names = ['a', 'b', 'refused', 'c'];
  const answers = await Promise.allSettled(names.map((name) => queue('key', work(name))));
  expect(done).toEqual([['a'], ['b', 'refused', 'c']]);
  expect(answers.map((each) => (each.status === 'fulfilled' ? each.value : `not ${each.reason}`))).toEqual([
    'a',
    'b',
    'not refused',
    'c',
  ]);
});

test('what may not join is done alone, at its place in the queue', async () => {
  const { done, queue } = noting();
  const alone = { isBatchable: false };
  const works = [work('a'), work('b'), work('c', alone), work('d', alone), work('e'), work('f')];
  await Promise.all(works.map((each) => queue('key', each)));
  expect(done).toEqual([['a'], ['b'], ['c'], ['d'], ['e', 'f']]);
});

test('not too many go together, nor too much', async () => {
  const { done, queue } = noting();
  const many = Array.from({ length: 80 }, (_each, n) => work(`${n}`));
  const large = ['large', 'larger', 'largest'].map((name) => work(name, { bytes: 20 * 1024 }));
  await Promise.all([...many, ...large].map((each) => queue('key', each)));
  expect(done.map((names) => names.length)).toEqual([1, 32, 32, 16, 1, 1]);
  expect(done.slice(-3).map((names) => names.at(-1))).toEqual(['large', 'larger', 'largest']);
});

test('different keys do not wait for each other; what breaks does not stop the line', async () => {
  const { done, queue } = noting();
  const [broken, after] = await Promise.allSettled([
    queue('one', work('broken')),
    queue('one', work('after')),
    queue('two', work('other')),
  ]);
  expect(broken.status).toBe('rejected');
  expect(after).toMatchObject({ value: 'after' });
  expect(done).toEqual([['broken'], ['other'], ['after']]);
  await expect(queue('one', work('later'))).resolves.toBe('later');
});
