import { describe, expect, test } from 'vitest';
import { deflateRawSync } from 'node:zlib';
import { apply, build, diff, entries, get, hashOf, type Load } from './index.ts';
import type { Entry } from './node.ts';

interface Page extends Entry {
  readonly [name: string]: unknown;
}

const idOf = (index: number) => hashOf(`page ${index}`).replace(/[-_]/g, 'x').slice(0, 20);

/** A page record as in an ordinary space. */
function pageOf(index: number): Page {
  return {
    id: idOf(index),
    kind: 'page',
    type: 'document',
    title: `How to configure part ${index} of the service`,
    slug: `how-to-configure-part-${index}-of-the-service`,
    parent: idOf(Math.floor(index / 10)),
    position: `a${index % 10}`,
    document: hashOf(`document ${index}`),
    description: 'What it does, when you need it, and how to undo it.',
    createdAt: 1_790_000_000_000 + index * 7919,
    updatedAt: 1_790_000_000_000 + index * 15_485,
  };
}

function memory(nodes: ReadonlyMap<string, Uint8Array>) {
  const stored = new Map(nodes);
  const calls: number[] = [];
  const load: Load = async (hashes) => {
    calls.push(hashes.length);
    return hashes.map((hash) => stored.get(hash));
  };
  return { stored, calls, load };
}

const bytesOf = (nodes: Iterable<Uint8Array>) => [...nodes].reduce((sum, { length }) => sum + length, 0);
const packedBytesOf = (nodes: Iterable<Uint8Array>) =>
  [...nodes].reduce((sum, bytes) => sum + Math.min(bytes.length, deflateRawSync(bytes).length), 0);

async function measure(count: number, make: (index: number) => Page) {
  const pages = Array.from({ length: count }, (_, index) => make(index));
  const { root, nodes } = build(pages);
  const { load, calls, stored } = memory(nodes);
  const runs = 50;
  let [written, bytes, packed, loaded, trips, compared] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < runs; i++) {
    const page = pages[Math.floor((i * count) / runs)] as Page;
    calls.length = 0;
    const after = await apply(load, root, new Map([[page.id, { ...page, document: hashOf(`edit ${i}`) }]]));
    loaded += calls.reduce((sum, n) => sum + n, 0);
    trips = Math.max(trips, calls.length);
    written += after.nodes.size;
    bytes += bytesOf(after.nodes.values());
    packed += packedBytesOf(after.nodes.values());
    for (const [hash, node] of after.nodes) stored.set(hash, node);
    calls.length = 0;
    expect(await diff(load, root, after.root)).toHaveLength(1);
    compared = Math.max(
      compared,
      calls.reduce((sum, n) => sum + n, 0),
    );
  }
  const per = (sum: number) => Math.round((sum / runs) * 10) / 10;
  return {
    entries: count,
    nodes: nodes.size,
    nodesPerEdit: per(written),
    bytesPerEdit: per(bytes),
    packedBytesPerEdit: per(packed),
    loadedPerEdit: per(loaded),
    roundTrips: trips,
    loadedPerDiff: compared,
  };
}

describe('the cost', () => {
  test('of an edit hardly depends on the size of the map', async () => {
    const [small, middle, large] = [
      await measure(100, pageOf),
      await measure(10_000, pageOf),
      // For 100,000 only the trie itself: whole pages add 360 bytes compared with 10,000, and take seconds.
      await measure(100_000, (index) => ({ id: `page${index}` })),
    ];
    expect(small.roundTrips).toBeLessThanOrEqual(2);
    expect(middle.nodes).toBeLessThan(1000);
    expect(middle.nodesPerEdit).toBeLessThan(3.2);
    expect(large.nodesPerEdit).toBeLessThan(4.2);
    expect(large.roundTrips).toBeLessThanOrEqual(5);
    expect(large.loadedPerDiff).toBeLessThanOrEqual(10);
    expect(middle.packedBytesPerEdit).toBeLessThan(small.packedBytesPerEdit + 2200);
    expect(large.bytesPerEdit).toBeLessThan(2600);
  });

  test('of reading is a few round trips', async () => {
    const pages = Array.from({ length: 10_000 }, (_, index) => pageOf(index));
    const { root, nodes } = build(pages);
    const { load, calls } = memory(nodes);
    expect(await entries(load, root)).toHaveLength(10_000);
    expect(calls.length).toBeLessThanOrEqual(4);
    calls.length = 0;
    const some = pages.slice(0, 50).map(({ id }) => id);
    expect((await get(load, root, some)).size).toBe(50);
    expect(calls.length).toBeLessThanOrEqual(4);
  });
});
