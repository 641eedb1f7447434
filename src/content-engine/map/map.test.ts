import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apply, build, diff, emptyRoot, entries, get, walk, type Load } from './index.ts';
import { keyOf, slotAt } from './hash.ts';
import { decode, isInner, LEAF_SIZE, type Entry } from './node.ts';
import { size } from './read.ts';

interface Sample extends Entry {
  readonly title?: string;
  readonly value?: unknown;
}

/** A store in memory that counts requests. */
function memory() {
  const stored = new Map<string, Uint8Array>();
  const calls: number[] = [];
  const load: Load = async (hashes) => {
    calls.push(hashes.length);
    return hashes.map((hash) => stored.get(hash));
  };
  const store = ({ root, nodes }: { root: string; nodes: ReadonlyMap<string, Uint8Array> }) => {
    for (const [hash, bytes] of nodes) stored.set(hash, bytes);
    return root;
  };
  return { stored, calls, load, store };
}

async function reachable(load: Load, root: string): Promise<Set<string>> {
  const all = new Set<string>();
  for await (const { hashes } of walk(load, root)) for (const hash of hashes) all.add(hash);
  return all;
}

const byId = (records: Iterable<Sample>) =>
  [...records].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((record) => ({ ...record }));

/** Any 16 bits, including lone surrogates. */
const anyUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));

/** Ids with shared prefixes, other scripts, lone surrogates, and names of object members. */
const anId = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map((n) => `page${n}`),
  fc.integer({ min: 0, max: 20 }).map((n) => `${'a'.repeat(300)}${n}`),
  fc.string({ unit: anyUnit, maxLength: 4 }),
  fc.constantFrom(
    '\ud800',
    '\ud801',
    '\udfff',
    '\ufffd',
    '',
    '__proto__',
    'constructor',
    '"',
    'é',
    'e\u0301',
  ),
);
/** JSON has no negative zero. */
const aValue = fc
  .json({ maxDepth: 2 })
  .map((text) => JSON.parse(JSON.stringify(JSON.parse(text))) as unknown);
const aRecord = fc.record({ id: anId, title: fc.string(), value: aValue });
const records = (maxLength: number) => fc.uniqueArray(aRecord, { maxLength, selector: ({ id }) => id });
const edits = fc.array(fc.tuple(anId, fc.option(aValue)), { maxLength: 40 });
const asChanges = (list: readonly (readonly [string, unknown])[]) =>
  new Map(list.map(([id, value]) => [id, value === null ? null : { id, value }]));

describe('the map', () => {
  test('is canonical: the same records in any order or batches, with detours, give the same nodes', async () => {
    await fc.assert(
      fc.asyncProperty(
        records(120),
        records(60),
        fc.infiniteStream(fc.nat()),
        async (wanted, others, numbers) => {
          const direct = build(wanted);
          const { load, store, stored } = memory();
          const numbersOf = () => numbers.next().value ?? 0;
          const shuffled = [...wanted, ...others]
            .map((record) => ({ record, at: numbersOf() }))
            .toSorted((a, b) => a.at - b.at);
          let root = emptyRoot;
          for (let i = 0; i < shuffled.length;) {
            const batch = shuffled.slice(i, (i += 1 + (numbersOf() % 30)));
            root = store(await apply(load, root, new Map(batch.map(({ record }) => [record.id, record]))));
          }
          const ids = new Set(wanted.map(({ id }) => id));
          const back = others.filter(({ id }) => !ids.has(id)).map(({ id }) => [id, null] as const);
          root = store(await apply(load, root, new Map(back)));
          root = store(await apply(load, root, new Map(wanted.map((record) => [record.id, record]))));
          expect(root).toBe(direct.root);
          for (const [hash, bytes] of direct.nodes) expect(stored.get(hash)).toEqual(bytes);
          expect(await reachable(load, root)).toEqual(new Set(direct.nodes.keys()));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('returns the stored records after any change', async () => {
    await fc.assert(
      fc.asyncProperty(records(120), fc.array(edits, { maxLength: 4 }), async (first, batches) => {
        const { load, store, stored } = memory();
        let root = store(build(first));
        const expected = new Map<string, Sample>(first.map((record) => [record.id, record]));
        for (const batch of batches) {
          const changes = asChanges(batch);
          const old = await reachable(load, root);
          const written = await apply<Sample>(load, root, changes);
          root = store(written);
          for (const [id, record] of changes) {
            if (record === null) expected.delete(id);
            else expected.set(id, record);
          }
          const now = await reachable(load, root);
          for (const hash of written.nodes.keys())
            expect(now.has(hash), 'a node that nothing needs').toBe(true);
          for (const hash of written.nodes.keys()) expect(old.has(hash), 'a node that was there').toBe(false);
        }
        expect(byId(await entries<Sample>(load, root))).toEqual(byId(expected.values()));
        expect(await size(load, root)).toBe(expected.size);
        const requested = [...expected.keys(), 'nobody'];
        expect(byId((await get<Sample>(load, root, requested)).values())).toEqual(byId(expected.values()));
        for (const hash of await reachable(load, root)) expectCanonicalNode(stored.get(hash));
      }),
      { numRuns: 100 },
    );
  });

  test('has inverse difference and application', async () => {
    await fc.assert(
      fc.asyncProperty(records(120), records(120), edits, async (one, two, few) => {
        const { load, store } = memory();
        const a = store(build<Sample>(one));
        for (const b of [store(build<Sample>(two)), store(await apply(load, a, asChanges(few)))]) {
          const differences = await diff<Sample>(load, a, b);
          const changes = new Map(differences.map(({ id, after }) => [id, after ?? null]));
          expect((await apply(load, a, changes)).root).toBe(b);
          const back = new Map(differences.map(({ id, before }) => [id, before ?? null]));
          expect((await apply(load, b, back)).root).toBe(a);
          for (const { before, after } of differences) expect(before).not.toEqual(after);
        }
        expect(await diff(load, a, a)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('of no records is the empty root, without any node', async () => {
    const { load, store, calls } = memory();
    expect(build([])).toEqual({ root: emptyRoot, nodes: new Map() });
    const ids = Array.from({ length: 300 }, (_, i) => `p${i}`);
    const root = store(build(ids.map((id) => ({ id }))));
    const emptied = await apply(load, root, new Map(ids.map((id) => [id, null])));
    expect(emptied).toEqual({ root: emptyRoot, nodes: new Map() });
    calls.length = 0;
    expect(await entries(load, emptyRoot)).toEqual([]);
    expect(await get(load, emptyRoot, ['p1'])).toEqual(new Map());
    expect(await size(load, emptyRoot)).toBe(0);
    expect(await diff(load, emptyRoot, emptyRoot)).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('stays canonical while records are deleted one by one', async () => {
    const { load, store } = memory();
    let remaining = Array.from({ length: 120 }, (_, i) => ({ id: `page-${i}` }));
    let root = store(build(remaining));
    while (remaining.length > 0) {
      const [deleted, ...rest] = remaining;
      root = store(await apply(load, root, new Map([[deleted?.id ?? '', null]])));
      expect(root).toBe(build(rest).root);
      remaining = rest;
    }
    expect(root).toBe(emptyRoot);
  });

  test('is the same after thousands of changes, and its differences are sorted', async () => {
    const { load, store } = memory();
    const page = (n: number) => ({ id: `page${n}`, title: `Page ${n}` });
    const pages = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => page(from + n));
    const root = store(build<Sample>(pages(0, 1200)));
    const changes = new Map<string, Sample | null>();
    for (let n = 600; n < 3000; n += 1) changes.set(`page${n}`, n < 900 ? null : { ...page(n), value: n });
    const written = store(await apply<Sample>(load, root, changes));
    const now = [...pages(0, 600), ...pages(900, 3000).map((each, n) => ({ ...each, value: 900 + n }))];
    expect(written).toBe(build<Sample>(now).root);
    const ids = (await diff<Sample>(load, root, written)).map(({ id }) => id);
    expect(ids).toEqual([...changes.keys()].toSorted());
  });

  test('holds ids whose keys agree in 20 bits', async () => {
    // Found by trying 22 million ids, as an attacker could do to unbalance the trie.
    const numbers = [
      630871, 802486, 1929668, 2879970, 3419932, 3455097, 3947561, 5710957, 6345768, 7364305, 8781412,
      9595935, 11395416, 13089348, 13198239, 15995918, 17425362, 19979963, 20526929, 22365447,
    ];
    const ids = numbers.map((number) => `x${number}`);
    expect(
      new Set(ids.map((id) => [0, 1, 2, 3].map((level) => slotAt(keyOf(id), level)).join())),
    ).toHaveProperty('size', 1);
    const { load, store } = memory();
    const root = store(build(ids.map((id) => ({ id }))));
    expect(await size(load, root)).toBe(ids.length);
    expect((await get(load, root, ids)).size).toBe(ids.length);
    const first = ids[0] ?? '';
    const without = store(await apply(load, root, new Map([[first, null]])));
    expect(without).toBe(build(ids.slice(1).map((id) => ({ id }))).root);
  });

  test('ignores the order of members, and preserves members of any name', async () => {
    const one = JSON.parse('{"id":"a","b":1,"10":[{"y":1,"x":2}],"9":null,"__proto__":{"c":true}}') as Entry;
    const two = JSON.parse('{"__proto__":{"c":true},"9":null,"10":[{"x":2,"y":1}],"b":1,"id":"a"}') as Entry;
    const { load, store } = memory();
    const root = store(build([one]));
    expect(build([two]).root).toBe(root);
    const [back] = await entries(load, root);
    expect(JSON.stringify(back)).toContain('"__proto__":{"c":true}');
    expect(build([{ id: 'a', gone: undefined } as Entry]).root).toBe(build([{ id: 'a' }]).root);
  });

  test('rejects values that it could not return unchanged', async () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, [undefined]]) {
      expect(() => build([{ id: 'a', value } as Entry])).toThrow(TypeError);
    }
    const { load } = memory();
    await expect(apply(load, emptyRoot, new Map([['a', { id: 'b' }]]))).rejects.toThrow('under the id a');
  });

  test('reports a node that is missing or has an unknown version', async () => {
    const root = build([{ id: 'a' }]).root;
    await expect(entries(async () => [undefined], root)).rejects.toThrow('not in the store');
    await expect(entries(async () => [Uint8Array.of(99)], root)).rejects.toThrow('unknown type 99');
  });

  test('skips known nodes when it walks', async () => {
    const { load, store, calls } = memory();
    const all = Array.from({ length: 1000 }, (_, i) => ({ id: `page-${i}` }));
    const root = store(build(all));
    const known = await reachable(load, root);
    const next = store(await apply(load, root, new Map([['page-1', { id: 'page-1', title: 'x' }]])));
    calls.length = 0;
    const hashes: string[] = [];
    const found: Entry[] = [];
    for await (const part of walk(load, next, (hash) => known.has(hash))) {
      hashes.push(...part.hashes);
      found.push(...part.records);
    }
    expect(hashes.length).toBeLessThanOrEqual(3);
    expect(found.map(({ id }) => id)).toContain('page-1');
    expect(calls.reduce((sum, count) => sum + count, 0)).toBe(hashes.length);
  });
});

function expectCanonicalNode(bytes: Uint8Array | undefined): void {
  const node = decode<Entry>(bytes ?? new Uint8Array());
  if (isInner(node)) {
    expect(node.children.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(LEAF_SIZE);
    expect(node.children.length).toBeLessThanOrEqual(32);
  } else {
    expect(node.records.length).toBeGreaterThan(0);
    expect(node.records.length).toBeLessThanOrEqual(LEAF_SIZE);
  }
}
