import { expect, test } from 'vitest';
import { build, hashToBytes } from '../../content-engine/map/index.ts';
import type { ContentRecord } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { deriveKeys } from '../../platform/keys.ts';
import { changesBetween } from './changes.ts';
import type { ContentRow } from './policy.ts';
import { cacheObjects } from '../content-store/objects.ts';
import { createStorageCaches } from '../content-store/index.ts';

const page = (n: number): ContentRecord => ({
  id: `page${n}`,
  kind: 'page',
  type: 'document',
  title: `Page ${n}`,
  slug: `page-${n}`,
  position: `a${String(n).padStart(6, '0')}`,
  document: 'x'.repeat(43),
});

/** A revision with as many new pages, whose objects are cached: nothing is read from the database. */
function aRevisionWith(pages: number) {
  const { root, nodes } = build(Array.from({ length: pages }, (_each, n) => page(n)));
  const caches = createStorageCaches();
  cacheObjects(caches.objects, nodes);
  const ctx = {
    caches,
    keys: deriveKeys('a master key that is long enough to be one'),
    addresses: { of: (path: string) => `https://octavo.test${path}` },
  } as unknown as Context;
  const row = { space_id: 'space', store_id: 'store', root: hashToBytes(root) } as ContentRow;
  return (limit: number) => changesBetween(ctx, row, undefined, limit);
}

test('the first of thousands of changes are listed, and the others are counted', async () => {
  const { changes, more } = await aRevisionWith(20_000)(2);
  expect(changes).toMatchObject([
    { type: 'page_created', page: { path: 'page-0' } },
    { page: { path: 'page-1' } },
  ]);
  expect(more).toBe(19_998);
});
