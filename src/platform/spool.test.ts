import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { spool, SpoolLimitExceeded } from './spool.ts';

async function* chunks(count: number, failsAt = Infinity): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    if (index === failsAt) throw new Error('The connection was lost');
    yield Buffer.from(`${index}\n`);
    await Promise.resolve();
  }
}

const spooled = () => readdirSync(tmpdir()).filter((name) => /^octavo-[0-9a-f-]{36}$/.test(name));

test('a stream becomes a file of its owner, which is removed', async () => {
  const { path, size, dispose } = await spool(chunks(3), 6);
  expect(readFileSync(path, 'utf8')).toBe('0\n1\n2\n');
  expect([size, statSync(path).mode & 0o777]).toEqual([6, 0o600]);
  await dispose();
  await dispose();
  expect(existsSync(path)).toBe(false);
});

test('a stream that is too long or fails leaves no file', async () => {
  const before = new Set(spooled());
  await expect(spool(chunks(4), 6)).rejects.toBeInstanceOf(SpoolLimitExceeded);
  await expect(spool(chunks(4, 2), 100)).rejects.toThrow('The connection was lost');
  expect(spooled().filter((name) => !before.has(name))).toEqual([]);
});
