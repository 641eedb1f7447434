import { expect, test } from 'vitest';
import { pageRecord as page } from '../../../test/page-record.ts';
import { build, type Load } from '../../content-engine/map/index.ts';
import { buildTree, deriveTree, type DocumentPage } from '../../content-engine/tree/index.ts';
import { MAX_SMALL, TooLargeHere } from '../../platform/api/too-large-here.ts';
import type { StorageContext } from './objects.ts';
import { cacheTree, createStorageCaches, treeAt } from './trees.ts';
import { newObjects, type Base } from './write-content.ts';

const LARGE = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`v${i}`, '値'.repeat(256)]));

test('a cached tree counts the bytes of its records', async () => {
  const sizeWith = (record: DocumentPage): number => {
    const { trees } = createStorageCaches();
    cacheTree(trees, 'root', buildTree([record]), new Map([[record.id, record]]));
    return trees.calculatedSize;
  };
  expect(sizeWith(page('p', { variables: LARGE })) - sizeWith(page('p'))).toBeGreaterThan(256_000);
});

test('a tree that is larger than the cache is cached alone', async () => {
  const caches = createStorageCaches();
  const context = { caches } as StorageContext;
  const records = Array.from({ length: 400 }, (_, i) => page(`p${i}`, { variables: LARGE }));
  const [few, many] = [build([page('p')]), build(records)];
  const load: Load = async (hashes) => hashes.map((hash) => few.nodes.get(hash) ?? many.nodes.get(hash));
  await treeAt(context, load, few.root);
  const tree = await treeAt(context, load, many.root);
  expect([...caches.trees.keys()]).toEqual([many.root]);
  expect(await treeAt(context, load, many.root)).toBe(tree);
});

test('the front leaves a large tree to the heavy process, unless it is cached', async () => {
  const context = { caches: createStorageCaches(), isFront: true } as StorageContext;
  const { root, nodes } = build(Array.from({ length: MAX_SMALL.tree + 1 }, (_, i) => page(`p${i}`)));
  let loads = 0;
  const load: Load = async (hashes) => {
    loads++;
    return hashes.map((hash) => nodes.get(hash));
  };
  await expect(treeAt(context, load, root)).rejects.toThrow(TooLargeHere);
  // The root has the number of records.
  expect(loads).toBe(1);
  const tree = await treeAt({ ...context, isFront: false }, load, root);
  expect(await treeAt(context, load, root)).toBe(tree);
});

test('a space whose tree has become too large can only shrink', async () => {
  const before = { ...buildTree([page('p')]), size: 256 * 1024 * 1024 };
  const contentWith = (record: DocumentPage) => {
    const changed = new Map([[record.id, record]]);
    return { changed, tree: deriveTree(before, changed), texts: new Map<string, string>() };
  };
  const { root, nodes } = build(before.records.values());
  const load: Load = async (hashes) => hashes.map((hash) => nodes.get(hash));
  const context = { caches: createStorageCaches() } as StorageContext;
  const base = { root: Buffer.from(root, 'base64url'), tree: before } as unknown as Base;
  const write = (record: DocumentPage) => newObjects(context, load, base, contentWith(record));
  await expect(write(page('q'))).rejects.toMatchObject({ status: 413 });
  await expect(write(page('p', { title: '' }))).resolves.toBeDefined();
});
