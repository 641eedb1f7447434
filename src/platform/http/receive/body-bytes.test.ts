import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { receive } from './body-bytes.ts';

const refusal = () => new Error('too large');

/** Few large ones, or many. */
const anyChunks = fc
  .oneof(
    fc.array(fc.integer({ min: 1, max: 3_000_000 }), { minLength: 1, maxLength: 4 }),
    fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 14, maxLength: 60 }),
  )
  .map((sizes) => sizes.map((size, index) => Buffer.alloc(size, index + 1)));

test('bytes arrive unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(anyChunks, async (chunks) => {
      const sent = Buffer.concat(chunks);
      const received = await receive(Readable.from(chunks), { limit: sent.length, refusal });
      expect(received.equals(sent)).toBe(true);
      await expect(receive(Readable.from(chunks), { limit: sent.length - 1, refusal })).rejects.toThrow(
        'too large',
      );
    }),
    { numRuns: 20, seed: 1 },
  );
});

test('small chunks are copied, and take no more memory than their bytes', async () => {
  const sent = Buffer.from(Array.from({ length: 300_000 }, (_each, n) => n % 251));
  const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow');
  try {
    const chunks = Array.from(sent, (byte) => Buffer.of(byte));
    const received = await receive(Readable.from(chunks), { limit: 400_000, refusal });
    expect(received.equals(sent)).toBe(true);
    expect(allocate.mock.calls.length).toBeLessThan(30);
  } finally {
    allocate.mockRestore();
  }
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
