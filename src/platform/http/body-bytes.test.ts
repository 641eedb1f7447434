import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { receive } from './body-bytes.ts';

const refusal = () => new Error('too large');

/** Some are copied as they arrive: more than 16, or more than 4 MB. */
const anyChunks = fc
  .oneof(
    fc.array(fc.integer({ min: 1, max: 3_000_000 }), { minLength: 1, maxLength: 4 }),
    fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 14, maxLength: 60 }),
  )
  .map((sizes) => sizes.map((size, index) => Buffer.alloc(size, index + 1)));

test('bytes arrive unchanged, announced or not', async () => {
  await fc.assert(
    fc.asyncProperty(anyChunks, fc.boolean(), async (chunks, isAnnounced) => {
      const sent = Buffer.concat(chunks);
      const announced = isAnnounced ? sent.length : undefined;
      const received = await receive(Readable.from(chunks), { limit: sent.length, refusal, announced });
      expect(received.equals(sent)).toBe(true);
      await expect(
        receive(Readable.from(chunks), { limit: sent.length - 1, refusal, announced }),
      ).rejects.toThrow('too large');
    }),
    { numRuns: 20, seed: 1 },
  );
});

test('small chunks are copied, and take no more memory than their bytes', async () => {
  const sent = Buffer.from(Array.from({ length: 300_000 }, (_each, n) => n % 251));
  const concat = vi.spyOn(Buffer, 'concat');
  try {
    const bytes = Array.from(sent, (byte) => Buffer.of(byte));
    const large = Buffer.alloc(10_000, 7);
    const received = await receive(Readable.from([...bytes, large, Buffer.of(1)]), {
      limit: 400_000,
      refusal,
    });
    expect(received.equals(Buffer.from([...sent, ...large, 1]))).toBe(true);
    expect(concat.mock.calls.at(-1)?.[0].length).toBeLessThan(30);
  } finally {
    concat.mockRestore();
  }
});

test('streams that send at once are read in turns', async () => {
  let [inTurn, longest] = [0, 0];
  const chunk = Buffer.alloc(64 * 1024);
  const bodies = Array.from({ length: 10 }, () => {
    let left = 64;
    return new Readable({
      read() {
        inTurn += chunk.length;
        this.push(left-- > 0 ? chunk : null);
      },
    });
  });
  let isOver = false;
  const nextTurn = (): void => {
    longest = Math.max(longest, inTurn);
    inTurn = 0;
    if (!isOver) setImmediate(nextTurn);
  };
  setImmediate(nextTurn);
  const received = await Promise.all(
    bodies.map((body) => receive(body, { limit: 10_000_000, refusal, announced: 64 * chunk.length })),
  );
  isOver = true;
  longest = Math.max(longest, inTurn);
  expect(received.map(({ length }) => length)).toEqual(bodies.map(() => 64 * chunk.length));
  expect(longest).toBeLessThan(2 * 4 * 1024 * 1024);
});

test('listeners do not keep the bytes, and an error after the end is handled', async () => {
  const stream = new PassThrough();
  const received = receive(stream, { limit: 10, refusal });
  stream.end('bytes');
  expect((await received).toString()).toBe('bytes');
  expect(stream.listenerCount('data')).toBe(0);
  expect(() => stream.emit('error', new Error('aborted'))).not.toThrow();
});

test('a stream that fails rejects', async () => {
  const stream = new PassThrough();
  const received = receive(stream, { limit: 10, refusal });
  stream.destroy(new Error('aborted'));
  await expect(received).rejects.toThrow('aborted');
});
