import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { placesOf, type Places } from '../../../test/places.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aMember, aWorld, grantOn, type World } from '../../../test/world.ts';

let app: TestApp;
let world: World;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  places = placesOf(app, world.a);
});

const create = (body?: unknown, token?: string) =>
  places.call('POST', `${places.organization}/collections`, body, token);
const idsAt = async (path: string, token?: string): Promise<string[]> =>
  (await places.get(`${path}${path.includes('?') ? '&' : '?'}limit=1000`, token)).body.items.map(
    (item: { id: string }) => item.id,
  );

describe('creating a collection', () => {
  test('returns 201, with or without a body', async () => {
    const answer = await create();
    expect(answer.status, answer.text).toBe(201);
    const { id } = answer.body;
    expect(answer.body).toEqual({
      object: 'collection',
      id: expect.stringMatching(/^\w{20}$/),
      title: 'Untitled',
      organization: world.a.organizationId,
      defaultLevel: 'read',
      urls: {
        location: `http://octavo.test/v1/collections/${id}`,
        app: `http://octavo.test/app/collections/${id}`,
      },
      permissions: { view: true, admin: true, viewInviteLinks: true, create: true },
    });
    expect(answer.headers['location']).toBe(answer.body.urls.location);
    const inner = await create({ title: 'Inner', parent: id });
    expect(inner.body).toMatchObject({ title: 'Inner', parent: id });
    expect((await places.get(`/v1/collections/${inner.body.id}`)).body).toEqual(inner.body);
  });

  test('accepts titles of 50 and descriptions of 100 characters, counted in code points', async () => {
    const id = await places.aCollection();
    for (const title of ['x'.repeat(50), '😀'.repeat(50)]) {
      expect((await create({ title })).body.title).toBe(title);
      expect((await places.call('PATCH', places.pathOf(id), { title })).body.title).toBe(title);
    }
    const count = await app.sql('select count(*) from collections');
    for (const title of ['x'.repeat(51), '😀'.repeat(51), 'a\nb', 7, null]) {
      expectError(await create({ title }), 400);
      const answer = await places.call('PATCH', places.pathOf(id), { title });
      expectError(answer, 400);
      expect(detailsOf(answer)[0]).toMatch(/^body\.title: /);
    }
    for (const description of ['y'.repeat(100), '😀'.repeat(100)])
      expect((await places.call('PATCH', places.pathOf(id), { description })).body.description).toBe(
        description,
      );
    expectError(await places.call('PATCH', places.pathOf(id), { description: 'y'.repeat(101) }), 400);
    expect((await places.call('PATCH', places.pathOf(id), { description: '' })).body).not.toHaveProperty(
      'description',
    );
    expect(await app.sql('select count(*) from collections')).toEqual(count);
  });

  test('returns 403 without the role create, 404 for an unknown parent', async () => {
    const parent = await places.aCollection();
    const member = await aMember(app, world.a.organizationId, 'review');
    expectError(await create({}, member.token), 403);
    expectError(await create({ parent }, member.token), 403);
    await grantOn(app, member, 'create', [], [parent]);
    expect((await create({ parent }, member.token)).status).toBe(201);
    expectError(await create({}, member.token), 403);
    const foreign = await placesOf(app, world.b).aCollection();
    for (const unknownParent of ['nothing', foreign, await places.aSpace()])
      expectError(await create({ parent: unknownParent }), 404);
  });

  test('returns 400 below the 8th level', async () => {
    let parent: string | undefined;
    const chain: string[] = [];
    for (let depth = 0; depth < 8; depth++) chain.push((parent = await places.aCollection(parent)));
    expectError(await create({ parent }), 400, /8 levels deep/);
    expect((await places.call('POST', `${places.organization}/spaces`, { parent })).status).toBe(201);

    const tall = await places.aCollection();
    const middle = await places.aCollection(tall);
    await places.aCollection(middle);
    // A tree of three levels fits below the fifth level, not below the sixth.
    expectError(await places.move(tall, {}, chain[5]), 400, /8 levels deep/);
    expect((await places.move(tall, {}, chain[4])).status).toBe(200);
    expectError(await places.move(chain[0] ?? '', {}, await places.aCollection()), 400, /8 levels deep/);
    const [{ deepest } = {}] = await app.sql('select max(cardinality(path)) as deepest from collections');
    expect(deepest).toBe(8);
  });
});

describe('moving a collection', () => {
  test('returns 400 into itself or one of its descendants', async () => {
    const outer = await places.aCollection();
    const inner = await places.aCollection(outer);
    const deep = await places.aCollection(inner);
    for (const goal of [outer, inner, deep])
      expectError(await places.move(outer, {}, goal), 400, /into itself/);
    expect((await places.get(places.pathOf(outer))).body).not.toHaveProperty('parent');
  });

  test('moves its contents along', async () => {
    const [outer, goal] = [await places.aCollection(), await places.aCollection()];
    const inner = await places.aCollection(outer);
    const space = await places.aSpace(inner);
    const guest = await aMember(app, world.a.organizationId, null);
    await grantOn(app, guest, 'comment', [], [goal]);
    expectError(await places.get(`/v1/spaces/${space}`, guest.token), 404);
    expect((await places.move(outer, {}, goal)).body.parent).toBe(goal);
    expect((await places.get(`/v1/spaces/${space}`, guest.token)).body.permissions.comment).toBe(true);
    expect((await places.get(places.pathOf(inner), guest.token)).body.parent).toBe(outer);
  });
});

describe('listing collections', () => {
  test('includes nested collections by default, in order, if the caller may view them', async () => {
    const side = world.b;
    const there = placesOf(app, side);
    const outer = await there.aCollection();
    const inner = await there.aCollection(outer);
    const closed = await there.aCollection();
    await there.call('PATCH', there.pathOf(closed), { defaultLevel: null });
    const path = `${there.organization}/collections`;
    const ids = async (query: string, token = side.admin.token) =>
      (await there.get(`${path}${query}`, token)).body.items.map((item: { id: string }) => item.id);
    const all = await ids('?limit=1000');
    expect(all.slice(-3)).toEqual([outer, inner, closed]);
    expect((await ids('?nested=true&limit=1000')).slice(-3)).toEqual([outer, inner, closed]);
    expect((await ids('?nested=false&limit=1000')).slice(-2)).toEqual([outer, closed]);
    expect((await ids('?limit=1000', side.people.read.token)).slice(-2)).toEqual([outer, inner]);
    expect(await ids('', side.people.guest.token)).toEqual([]);
    const { count } = (await there.get(`${path}?limit=0`, side.people.read.token)).body;
    expect(count).toBe((await ids('?limit=1000', side.people.read.token)).length);
  });

  test('lists the spaces directly in a collection, in order, if the caller may view them', async () => {
    const parent = await places.aCollection();
    const inner = await places.aCollection(parent);
    const [one, two, closed] = [
      await places.aSpace(parent),
      await places.aSpace(parent),
      await places.aSpace(parent),
    ];
    await places.aSpace(inner);
    await places.call('PATCH', places.pathOf(closed), { defaultLevel: null });
    await places.move(two, { before: one });
    const path = `/v1/collections/${parent}/spaces`;
    expect(await idsAt(path)).toEqual([two, one, closed]);
    expect(await idsAt(path, world.a.people.read.token)).toEqual([two, one]);
    const first = await places.get(`${path}?limit=1`);
    expect(first.body).toMatchObject({ count: 3, next: { page: expect.any(String) } });
    // A space that moves during paging is neither skipped nor repeated.
    await places.move(one, { before: inner });
    const rest = await places.get(`${path}?limit=9&page=${encodeURIComponent(first.body.next.page)}`);
    expect(rest.body.items.map((item: { id: string }) => item.id)).toEqual([closed]);
  });
});

describe('deleting a collection', () => {
  test('returns 205; deletes its collections; its spaces can be restored to the root, in order', async () => {
    const outer = await places.aCollection();
    const inner = await places.aCollection(outer);
    const [one, two, before] = [
      await places.aSpace(outer),
      await places.aSpace(inner),
      await places.aSpace(outer),
    ];
    await places.call('DELETE', `/v1/spaces/${before}`);
    await app.sql(`update spaces set deleted_at = now() - interval '6 days' where id = $1`, [before]);
    await places.share(one, 'edit', { users: [world.a.people.guest.id] });
    const answer = await places.call('DELETE', places.pathOf(outer));
    expect([answer.status, answer.text]).toEqual([205, '']);
    for (const id of [outer, inner]) expectError(await places.get(places.pathOf(id)), 404);
    expectError(await places.call('DELETE', places.pathOf(outer)), 404);
    const deleted = await idsAt(`${places.organization}/spaces?deleted=true`);
    expect(deleted).toEqual(expect.arrayContaining([one, two, before]));
    for (const id of [one, two]) {
      const { status, body } = await places.call('POST', `/v1/spaces/${id}/restore`);
      expect([status, body.parent, body.visibility]).toEqual([200, undefined, 'private']);
    }
    expect((await places.get(`/v1/spaces/${one}`, world.a.people.guest.token)).status).toBe(200);
    const order = await places.order(null);
    expect(new Set(order).size).toBe(order.length);
    expect(order).toEqual(expect.arrayContaining([one, two, before]));
    // A space deleted earlier keeps its date of deletion.
    const [row] = await app.sql(
      `select deleted_at < now() - interval '5 days' as is_old from spaces where id = $1`,
      [before],
    );
    expect(row).toEqual({ is_old: true });
    expect(await app.sql('select id from grants where collection_id = any($1)', [[outer, inner]])).toEqual(
      [],
    );
  });

  test('preserves the effective default level of spaces restored without it', async () => {
    const outer = await places.aCollection();
    const inner = await places.aCollection(outer);
    const [space, open] = [await places.aSpace(inner), await places.aSpace(inner)];
    await places.call('PATCH', places.pathOf(outer), { defaultLevel: null });
    await places.call('PATCH', places.pathOf(open), { defaultLevel: 'comment' });
    const { token } = world.a.people.edit;
    expectError(await places.get(`/v1/spaces/${space}`, token), 404);
    await places.call('DELETE', places.pathOf(outer));
    for (const id of [space, open]) await places.call('POST', `/v1/spaces/${id}/restore`);
    expectError(await places.get(`/v1/spaces/${space}`, token), 404);
    expect((await places.get(`/v1/spaces/${space}`)).body.defaultLevel).toBeNull();
    expect((await places.get(`/v1/spaces/${open}`, token)).body.permissions).toMatchObject({
      comment: true,
      edit: false,
    });
  });

  test('returns 403 without the role admin', async () => {
    const id = await places.aCollection();
    expectError(await places.call('DELETE', places.pathOf(id), undefined, world.a.people.create.token), 403);
    expectError(
      await places.call('PATCH', places.pathOf(id), { title: 'No' }, world.a.people.create.token),
      403,
    );
  });
});
