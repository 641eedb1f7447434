import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { placesOf, statuses, type Places } from '../../../test/places.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aSide, grantOn, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  places = placesOf(app, side);
});

const duplicate = (id: string, token?: string) =>
  places.call('POST', `/v1/spaces/${id}/duplicate`, undefined, token);

describe('a duplicate', () => {
  test('is placed after the original, with its settings and permissions', async () => {
    const parent = await places.aCollection();
    const [id, next] = [await places.aSpace(parent), await places.aSpace(parent)];
    const team = (await places.call('PUT', `${places.organization}/teams`, { title: 'Team' })).body.id;
    const [reader, creator] = [
      await aMember(app, side.organizationId, null),
      await aMember(app, side.organizationId, null),
    ];
    await places.share(id, 'read', { users: [reader.id], teams: [team] });
    await places.share(id, 'create', { users: [creator.id] });
    const settings = {
      title: 'Guide',
      emoji: '1f600',
      language: 'de',
      editMode: 'live',
      defaultLevel: null,
      visibility: 'unlisted',
    };
    const original = (await places.call('PATCH', `/v1/spaces/${id}`, settings)).body;

    const answer = await duplicate(id, creator.token);
    expect(answer.status, answer.text).toBe(201);
    const { id: copyId, urls, createdAt, updatedAt, permissions, revision, ...copy } = answer.body;
    const {
      id: _id,
      urls: _urls,
      createdAt: _createdAt,
      updatedAt: _updatedAt,
      permissions: _flags,
      revision: _revision,
      ...originalSettings
    } = original;
    expect(copy).toEqual({ ...originalSettings, title: 'Copy of Guide' });
    expect(answer.headers['location']).toBe(urls.location);
    expect(permissions.admin).toBe(true);
    expect(revision).not.toBe(original.revision);
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(Date.parse(original.createdAt));
    expect(updatedAt).toBe(createdAt);
    expect(await places.order(parent)).toEqual([id, copyId, next]);

    const people = async (of: string, kind: string) =>
      (await places.get(`/v1/spaces/${of}/permissions/${kind}?limit=1000`)).body.items
        .map(
          (item: { permission: string; user?: { id: string }; team?: { id: string } }) =>
            `${item.user?.id ?? item.team?.id} ${item.user?.id === creator.id ? '' : item.permission}`,
        )
        .toSorted();
    for (const kind of ['users', 'teams', 'aggregate'])
      expect(await people(copyId, kind), kind).toEqual(await people(id, kind));
    expect((await places.get(`/v1/spaces/${id}`, creator.token)).body.permissions.admin).toBe(false);
  });

  test('has a title truncated to 50 characters, never within a character', async () => {
    for (const [title, expected] of [
      ['x'.repeat(50), `Copy of ${'x'.repeat(42)}`],
      ['😀'.repeat(50), `Copy of ${'😀'.repeat(42)}`],
      ['Short', 'Copy of Short'],
      ['Copy of Short', 'Copy of Copy of Short'],
    ] as const) {
      const { status, body } = await duplicate(await places.aSpace(undefined, title));
      expect([status, body.title]).toEqual([201, expected]);
    }
  });

  test('writes the same number of rows, whatever the history of the original', async () => {
    const count = async () => {
      const tables = ['spaces', 'grants', 'space_tallies', 'collections', 'invites'];
      const [row] = await app.sql(
        `select ${tables.map((table) => `(select count(*) from ${table})::int as ${table}`).join(', ')}`,
      );
      return row as Record<string, number>;
    };
    const id = await places.aSpace();
    await app.sql(
      'insert into space_tallies (space_id, comments) select $1, 1 from generate_series(1, 500)',
      [id],
    );
    const before = await count();
    const { body } = await duplicate(id);
    const after = await count();
    expect(after).toEqual({
      ...before,
      spaces: Number(before['spaces']) + 1,
      grants: Number(before['grants']) + 1,
    });
    // Comments are not copied.
    expect(body.comments).toBe(0);
    expect((await places.get(`/v1/spaces/${id}`)).body.comments).toBe(500);
  });

  test('returns 403 without the role create, 404 for a deleted or unknown space', async () => {
    const id = await places.aSpace();
    for (const role of ['read', 'comment', 'edit', 'review'] as const)
      expectError(await duplicate(id, side.people[role].token), 403);
    expectError(await duplicate(id, side.people.guest.token), 404);
    await places.call('DELETE', `/v1/spaces/${id}`);
    const before = await app.sql('select count(*) from spaces');
    expectError(await duplicate(id), 404);
    expectError(await duplicate('nothing'), 404);
    expect(await app.sql('select count(*) from spaces')).toEqual(before);
  });

  test('created ten times concurrently gets a separate position each time, after the original', async () => {
    const parent = await places.aCollection();
    const [id, next] = [await places.aSpace(parent), await places.aSpace(parent)];
    expect(new Set(await statuses(Array.from({ length: 10 }, () => duplicate(id))))).toEqual(new Set([201]));
    const order = await places.order(parent);
    expect(order).toHaveLength(12);
    expect([order[0], order.at(-1)]).toEqual([id, next]);
  });

  test('is independent of the original', async () => {
    const id = await places.aSpace();
    const { body: copy } = await duplicate(id);
    await places.call('PATCH', `/v1/spaces/${copy.id}`, { title: 'Another' });
    await places.call('DELETE', `/v1/spaces/${id}`);
    await app.sql(`delete from spaces where id = $1`, [id]);
    const { status, body } = await places.get(`/v1/spaces/${copy.id}`);
    expect([status, body.title]).toEqual([200, 'Another']);
  });

  test('in a closed collection is closed, too', async () => {
    const parent = await places.aCollection();
    await places.call('PATCH', places.pathOf(parent), { defaultLevel: null });
    const id = await places.aSpace(parent);
    const local = await aMember(app, side.organizationId, null);
    await grantOn(app, local, 'create', [id]);
    const { body } = await duplicate(id, local.token);
    expect(body.parent).toBe(parent);
    expectError(await places.get(`/v1/spaces/${body.id}`, side.people.create.token), 404);
  });
});
