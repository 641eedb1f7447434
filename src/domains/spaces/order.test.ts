import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { dice, placesOf, statuses, type Places } from '../../../test/places.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aSide, grantOn, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let other: Side;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  other = await aSide(app, 'beta');
  places = placesOf(app, side);
});

describe('spaces and collections share one order', () => {
  let parent: string;
  /** Two spaces and two collections, alternating. */
  let s1: string, c1: string, s2: string, c2: string;

  beforeEach(async () => {
    parent = await places.aCollection();
    s1 = await places.aSpace(parent);
    c1 = await places.aCollection(parent);
    s2 = await places.aSpace(parent);
    c2 = await places.aCollection(parent);
  });

  const order = () => places.order(parent);

  test('and new ones come last', async () => {
    expect(await order()).toEqual([s1, c1, s2, c2]);
    const { items } = (await places.get(`/v1/collections/${parent}/spaces`)).body;
    expect(items.map((item: { id: string }) => item.id)).toEqual([s1, s2]);
  });

  test('and move before and after either kind, and to the end', async () => {
    const steps: [() => Promise<{ status: number }>, () => string[]][] = [
      [() => places.move(s2, { before: c1 }), () => [s1, s2, c1, c2]],
      [() => places.move(s1, { after: c1 }), () => [s2, c1, s1, c2]],
      [() => places.move(c2, { before: s2 }), () => [c2, s2, c1, s1]],
      [() => places.move(c1, { after: c2 }), () => [c2, c1, s2, s1]],
      [() => places.move(c2), () => [c1, s2, s1, c2]],
      [() => places.move(s2, {}, parent), () => [c1, s1, c2, s2]],
      [() => places.move(s2, { before: c1 }, parent), () => [s2, c1, s1, c2]],
      [() => places.move(c2, { after: s2, before: c1 }), () => [s2, c2, c1, s1]],
      [() => places.move(s1, { before: c1, after: c2 }), () => [s2, c2, s1, c1]],
    ];
    for (const [step, expected] of steps) {
      expect((await step()).status).toBe(200);
      expect(await order()).toEqual(expected());
    }
  });

  test('and get new keys where a key would become too long', async () => {
    const long = `a0${'V'.repeat(150)}`;
    await app.sql(`update spaces set position = $2 where id = $1`, [s1, long]);
    await app.sql(`update collections set position = $2 where id = $1`, [c1, `${long}V`]);
    const inside = await places.aSpace(c1);
    expect(await order()).toEqual([s1, c1, s2, c2]);
    expect((await places.move(c2, { after: s1 })).status).toBe(200);
    expect(await order()).toEqual([s1, c2, c1, s2]);
    const rows = await app.sql(
      `select place from spaces where id = any($1) union all select place from collections where id = any($1)`,
      [[s1, c1, s2, c2, inside]],
    );
    expect(rows).toHaveLength(5);
    for (const { place } of rows) expect(String(place).length).toBeLessThan(30);
  });

  test('and a move without effect returns 409 and keeps the version', async () => {
    const { etag } = (await places.get(places.pathOf(s2))).headers;
    for (const answer of [
      await places.move(s2, { after: c1 }),
      await places.move(s2, { before: c2 }),
      await places.move(s2, { after: c1, before: c2 }),
      await places.move(s2, { after: c1 }, parent),
      await places.move(c2),
      await places.move(c2, {}, parent),
      await places.move(s1, { before: c1 }),
    ])
      expectError(answer, 409, /already at this position/);
    expect(await order()).toEqual([s1, c1, s2, c2]);
    expect((await places.get(places.pathOf(s2))).headers['etag']).toBe(etag);
  });

  test('and a move next to itself or to a non-sibling, or between non-adjacent ones, returns 400', async () => {
    const nonSibling = await places.aSpace();
    for (const answer of [
      await places.move(s1, { before: s1 }),
      await places.move(c1, { after: c1 }),
      await places.move(s1, { after: nonSibling }),
      await places.move(s1, { after: c1 }, null),
      await places.move(nonSibling, { before: c1 }),
      await places.move(s2, { after: s1, before: c2 }),
      await places.move(s2, { after: c2, before: s1 }),
      await places.move(s2, { after: c1, before: c1 }),
      await places.move(c1, {}, c1),
    ])
      expectError(answer, 400);
    expect(await order()).toEqual([s1, c1, s2, c2]);
  });

  test('and invalid pointers return 400, unknown ones 404', async () => {
    const move = (position: unknown) => places.call('POST', `/v1/spaces/${s1}/move`, { position });
    for (const position of [
      7,
      [],
      { before: s2 },
      { before: { type: 'page', page: s2 } },
      { after: { type: 'space' } },
    ])
      expectError(await move(position), 400);
    const foreignSpace = await placesOf(app, other).aSpace();
    for (const position of [
      { before: { type: 'space', space: 'nothing' } },
      { before: { type: 'space', space: c1 } },
      { after: { type: 'space', space: foreignSpace } },
    ])
      expectError(await move(position), 404);
    expectError(await places.move(s1, {}, 'nothing'), 404);
    expectError(await places.move(s1, {}, await placesOf(app, other).aCollection()), 404);
    expect(await order()).toEqual([s1, c1, s2, c2]);
  });

  test('and a deleted space keeps its position without affecting others', async () => {
    await places.call('DELETE', `/v1/spaces/${s2}`);
    // Deleted spaces are hidden, so c1 and c2 are adjacent.
    expect((await places.move(s1, { after: c1, before: c2 })).status).toBe(200);
    expect((await order()).filter((id) => id !== s2)).toEqual([c1, s1, c2]);
    expectError(await places.move(s1, { before: s2 }), 404);
    await places.call('POST', `/v1/spaces/${s2}/restore`);
    expect(await order()).toHaveLength(4);
    expect((await order()).indexOf(s2)).toBeGreaterThan((await order()).indexOf(c1));
    expect((await order()).indexOf(s2)).toBeLessThan((await order()).indexOf(c2));
  });

  test('and move into another collection, to its end or next to a sibling, and to the root', async () => {
    const inner = await places.aSpace(c1);
    expect((await places.move(s1, { before: inner }, c1)).body.parent).toBe(c1);
    expect(await places.order(c1)).toEqual([s1, inner]);
    expect((await places.move(s2, {}, c1)).status).toBe(200);
    expect(await places.order(c1)).toEqual([s1, inner, s2]);
    const out = await places.move(c1, {}, null);
    expect([out.status, out.body.parent]).toEqual([200, undefined]);
    expect((await places.order(null)).at(-1)).toBe(c1);
    expect(await order()).toEqual([c2]);
  });

  test('and a move requires admin on the moved one and create in the target', async () => {
    const guest = await aMember(app, side.organizationId, null);
    await grantOn(app, guest, 'admin', [s1], [c1]);
    await grantOn(app, guest, 'create', [s2], []);
    await grantOn(app, guest, 'review', [], [c2]);
    expectError(await places.move(s2, {}, c1, guest.token), 403, /requires admin/);
    expectError(await places.move(s1, {}, c2, guest.token), 403);
    expectError(await places.move(s1, {}, parent, guest.token), 404);
    expectError(await places.move(s1, {}, null, guest.token), 403);
    expect((await places.move(s1, {}, c1, guest.token)).status).toBe(200);
  });

  test('and a move returns 409 if the caller would lose access', async () => {
    const member = await aMember(app, side.organizationId, 'create');
    // The caller has access by a grant on the collection; its own default level gives none.
    await places.share(parent, 'admin', { users: [member.id] });
    await places.call('PATCH', places.pathOf(s1), { defaultLevel: null });
    await places.call('PATCH', places.pathOf(c2), { defaultLevel: null });
    for (const id of [s1, c2]) expectError(await places.move(id, {}, null, member.token), 409, /your own/);
    expect(await order()).toEqual([s1, c1, s2, c2]);
  });
});

/** Paths match the parents, no collection is its own ancestor, and positions are unique. */
async function expectValidTree(): Promise<void> {
  const rows = await app.sql('select id, parent_id, path, organization_id from collections');
  const parents = new Map(rows.map((row) => [row['id'] as string, row['parent_id'] as string | null]));
  for (const { id, path } of rows) {
    const ancestors: string[] = [];
    for (let at: string | null = id as string; at; at = parents.get(at) ?? null) {
      ancestors.unshift(at);
      if (ancestors.length > 8) throw new Error(`${String(id)} is in a circle or too deep`);
    }
    expect(path).toEqual(ancestors);
  }
  const duplicates = await app.sql(`
    select organization_id, parent_id, position from (
      select organization_id, parent_id, position from spaces
      union all select organization_id, parent_id, position from collections) p
    group by 1, 2, 3 having count(*) > 1`);
  expect(duplicates).toEqual([]);
}

/** They wait for one lock. On a slow machine, more would wait too long for one of six connections (503). */
const AT_ONCE = 12;

describe('concurrently', () => {
  test('300 moves of spaces and collections result in a total order without cycles', async () => {
    const roll = dice(300);
    const collections: string[] = [];
    for (let count = 0; count < 8; count++)
      collections.push(await places.aCollection(collections[roll(count + 1)]));
    const things = [...collections];
    for (let count = 0; count < 16; count++)
      things.push(await places.aSpace(collections[roll(collections.length + 1)]));
    const pick = (from: readonly string[]) => from[roll(from.length)] ?? '';
    const moves = Array.from({ length: 300 }, () => {
      const pointer = roll(3);
      return () =>
        places.move(
          pick(things),
          pointer === 0 ? {} : { [pointer === 1 ? 'before' : 'after']: pick(things) },
          [undefined, null, pick(collections)][roll(3)],
        );
    });
    const seen: number[] = [];
    for (let start = 0; start < moves.length; start += AT_ONCE)
      seen.push(...(await statuses(moves.slice(start, start + AT_ONCE).map((move) => move()))));
    expect(seen.filter((status) => ![200, 400, 409].includes(status))).toEqual([]);
    expect(seen.filter((status) => status === 200).length).toBeGreaterThan(50);
    await expectValidTree();
    const { count } = (await places.get(`${places.organization}/spaces?limit=0`)).body;
    const [{ count: stored } = {}] = await app.sql(
      'select count(*) from spaces where deleted_at is null and organization_id = $1',
      [side.organizationId],
    );
    expect(count).toBe(Number(stored));
  });

  test('moving A into B and B into A: one succeeds, 30 times', async () => {
    const [a, b] = [await places.aCollection(), await places.aCollection()];
    for (let round = 0; round < 30; round++) {
      const ended = await statuses([places.move(a, {}, b), places.move(b, {}, a)]);
      expect(ended.toSorted()).toEqual([200, 400]);
      await expectValidTree();
      await places.move(ended[0] === 200 ? a : b, {}, null);
    }
  });

  test('50 insertions at the end of one collection get 50 positions', async () => {
    const parent = await places.aCollection();
    for (let start = 0; start < 50; start += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          index % 2 ? places.aSpace(parent) : places.aCollection(parent),
        ),
      );
    expect(await places.order(parent)).toHaveLength(50);
  });

  test('an insertion into a collection that is being deleted succeeds or returns 404', async () => {
    for (let round = 0; round < 20; round++) {
      const parent = await places.aCollection();
      const mover = await places.aCollection();
      const [deleted, ...created] = await Promise.all([
        places.call('DELETE', `/v1/collections/${parent}`),
        places.call('POST', `${places.organization}/collections`, { parent }),
        places.call('POST', `${places.organization}/spaces`, { parent }),
        places.move(mover, {}, parent),
      ]);
      expect(deleted.status).toBe(205);
      for (const { status, text } of created) expect([200, 201, 404], text).toContain(status);
      expect(await places.order(parent)).toEqual([]);
    }
    await expectValidTree();
  });

  test('repeated moves to one position keep the keys short', async () => {
    const parent = await places.aCollection();
    const first = await places.aSpace(parent);
    const [one, two] = [await places.aSpace(parent), await places.aSpace(parent)];
    for (let round = 0; round < 200; round++)
      expect((await places.move(round % 2 ? one : two, { after: first })).status).toBe(200);
    const [{ longest } = {}] = await app.sql('select max(length(position)) as longest from spaces');
    expect(Number(longest)).toBeLessThan(60);
  });
});

describe('lists of an organization', () => {
  /** The ids below `parent`, depth first. */
  async function walk(parent: string | null, of: string): Promise<string[]> {
    const ids = await places.order(parent, of);
    return (await Promise.all(ids.map(async (id) => [id, ...(await walk(id, of))]))).flat();
  }

  async function paged(path: string, limit: number, token: string): Promise<string[]> {
    const ids: string[] = [];
    let page = '';
    do {
      const { body } = await places.get(`${path}limit=${limit}${page}`, token);
      ids.push(...body.items.map((item: { id: string }) => item.id));
      page = body.next ? `&page=${encodeURIComponent(body.next.page)}` : '';
    } while (page !== '');
    return ids;
  }

  test('are sorted depth first through nested collections, page by page', async () => {
    const own = await aSide(app, 'ordered');
    const ownPlaces = placesOf(app, own);
    const roll = dice(31);
    const collections: string[] = [];
    const spaces: string[] = [];
    for (let i = 0; i < 24; i++) {
      const parent = collections[roll(collections.length + 2)];
      const isDeep = parent !== undefined && collections.indexOf(parent) > 8;
      if (i % 2 === 0) collections.push(await ownPlaces.aCollection(isDeep ? undefined : parent));
      else spaces.push(await ownPlaces.aSpace(parent));
    }
    const all = [...spaces, ...collections];
    for (let i = 0; i < 40; i++) {
      const [what = '', next = ''] = [all[roll(all.length)], all[roll(all.length)]];
      const to = collections[roll(collections.length + 1)] ?? null;
      // Rejected moves (into itself, next to a non-sibling) change nothing.
      await (i % 2 ? ownPlaces.move(what, { before: next }) : ownPlaces.move(what, {}, to));
    }
    const closed = collections[0] ?? '';
    await ownPlaces.call('PATCH', ownPlaces.pathOf(closed), { defaultLevel: null });

    const tree = await walk(null, own.organizationId);
    expect(tree).toHaveLength(all.length);
    for (const [path, kind] of [
      ['spaces?', spaces],
      ['collections?', collections],
      ['collections?nested=false&', collections],
    ] as const) {
      for (const { token } of [own.admin, own.people.read]) {
        const url = `${ownPlaces.organization}/${path}`;
        const listed = await paged(url, 1000, token);
        expect(listed).toEqual(tree.filter((id) => kind.includes(id) && listed.includes(id)));
        for (const limit of [1, 3]) expect(await paged(url, limit, token)).toEqual(listed);
        if (token === own.admin.token && !path.includes('nested')) expect(listed).toHaveLength(kind.length);
      }
    }
  });

  test('skip and repeat nothing while others are added, deleted and moved', async () => {
    const own = await aSide(app, 'moving');
    const ownPlaces = placesOf(app, own);
    const [one, two, three, four] = [
      await ownPlaces.aSpace(),
      await ownPlaces.aSpace(),
      await ownPlaces.aSpace(),
      await ownPlaces.aSpace(),
    ];
    const url = `${ownPlaces.organization}/spaces?limit=2`;
    const first = await ownPlaces.get(url);
    expect(first.body.items.map(({ id }: { id: string }) => id)).toEqual([one, two]);
    await ownPlaces.move(one);
    await ownPlaces.call('DELETE', ownPlaces.pathOf(two));
    const inside = await ownPlaces.aSpace(await ownPlaces.aCollection());
    const rest = await ownPlaces.get(
      `${url.replace('=2', '=9')}&page=${encodeURIComponent(first.body.next.page)}`,
    );
    // A space that moved behind the cursor is listed at its new position.
    expect(rest.body.items.map(({ id }: { id: string }) => id)).toEqual([three, four, one, inside]);
  });
});
