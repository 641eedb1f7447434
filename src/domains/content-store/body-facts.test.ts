import { expect, test } from 'vitest';
import { retainedHeap } from '../../../test/retained-heap.ts';
import { hashOf } from '../../content-engine/map/index.ts';
import { analyseBody } from '../../content-engine/markdown/index.ts';
import { cacheFacts } from './body-facts.ts';
import { createStorageCaches } from './trees.ts';
import type { StorageContext } from './objects.ts';

const MB = 2 ** 20;

test('cached links of bodies do not keep the bodies in memory', async () => {
  const caches = createStorageCaches();
  const bodyOf = (n: number) => `[link](https://example.com/page-${n})\n\n${'text '.repeat(10_000)}`;
  const analyse = async (n: number) => {
    const body = bodyOf(n);
    await cacheFacts({ caches } as StorageContext, new Map([[hashOf(body), analyseBody(body)]]));
  };
  await analyse(0);
  const retained = await retainedHeap(async () => {
    for (let n = 1; n <= 400; n++) await analyse(n);
  });
  expect(caches.bodyFacts.size).toBe(401);
  expect(retained).toBeLessThan(4 * MB);
});
