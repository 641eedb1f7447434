import { expect, test } from 'vitest';
import { turnRatio } from '../../../../test/longest-turn.ts';
import { describeFile, describeLargeFile } from './store-bytes.ts';

test('a large file is described as a small one is, without a long turn of the event loop', async () => {
  const bytes = Buffer.alloc(80e6, 1);
  expect(await describeLargeFile(bytes.subarray(0, 5e6), 'a.bin')).toEqual(
    describeFile(bytes.subarray(0, 5e6), 'a.bin'),
  );
  const describing = (size: number) => () => describeLargeFile(bytes.subarray(0, size), 'a.bin');
  // Some 15 times as long if it were hashed at once.
  expect(await turnRatio(describing(80e6), describing(1e6), 5)).toBeLessThan(5);
});
