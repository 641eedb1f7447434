import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { placesOf, statuses, type Places } from '../../../test/places.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aSide, grantOn, type Side } from '../../../test/world.ts';
import { operations } from '../index.ts';
import { purgeSpaces } from './jobs.ts';
import { purgeStep } from './deleted-store.ts';
import { purgeExpired } from './jobs.ts';

let app: TestApp;
let side: Side;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  places = placesOf(app, side);
});

const remove = (id: string, token?: string) => places.call('DELETE', places.pathOf(id), undefined, token);
const restore = (id: string, token?: string) =>
  places.call('POST', `/v1/spaces/${id}/restore`, undefined, token);
const listed = async (query = '', token?: string): Promise<string[]> =>
  (await places.get(`${places.organization}/spaces?limit=1000${query}`, token)).body.items.map(
    (item: { id: string }) => item.id,
  );
const deletedAgo = (id: string, ago: string) =>
  app.sql(`update spaces set deleted_at = now() - $2::interval where id = $1`, [id, ago]);
const failed = (...args: unknown[]): unknown => expect.unreachable(String(args));
const purge = (log = { error: failed }) => purgeExpired(app.app.installation.connection.db, log);
const rowOf = async (id: string) => (await app.sql('select * from spaces where id = $1', [id]))[0];

describe('a deleted space', () => {
  test('is visible only to its admins, with deletedAt', async () => {
    const id = await places.aSpace();
    const local = await aMember(app, side.organizationId, null);
    await grantOn(app, local, 'admin', [id]);
    const answer = await remove(id);
    expect([answer.status, answer.text]).toEqual([205, '']);
    for (const token of [side.admin.token, local.token]) {
      const { status, body } = await places.get(`/v1/spaces/${id}`, token);
      expect(status).toBe(200);
      expect(Math.abs(Date.now() - Date.parse(body.deletedAt))).toBeLessThan(60_000);
      expect(await listed('', token)).not.toContain(id);
      expect(await listed('&deleted=true', token)).toContain(id);
    }
    for (const role of ['create', 'edit', 'read', 'guest'] as const) {
      const { token } = side.people[role];
      expectError(await places.get(`/v1/spaces/${id}`, token), 404);
      expectError(await restore(id, token), 404);
      expect(await listed('', token)).not.toContain(id);
      expect(await listed('&deleted=true', token)).toEqual([]);
    }
  });

  test('returns 404 for every other operation, even to its admins', async () => {
    const id = await places.aSpace();
    await remove(id);
    const bodies: Record<string, object> = {
      PATCH: { title: 'Alive', role: 'read' },
      POST: { role: 'read', users: [side.admin.id], organization: side.organizationId },
    };
    const otherOperations = operations.filter(
      ({ id: name, path }) =>
        path.startsWith('/v1/spaces/{spaceId}') && !['getSpaceById', 'restoreSpace'].includes(name),
    );
    expect(otherOperations.length).toBeGreaterThan(10);
    for (const { method, path } of otherOperations) {
      // Validation precedes the lookup: search needs a query, and an embed a URL.
      const required = { search: '?query=x', embed: '?url=https://a.example/' };
      const query = Object.entries(required).find(([name]) => path.endsWith(`/${name}`))?.[1] ?? '';
      const at = path.replace('{spaceId}', id).replaceAll(/\{\w+\}/g, side.admin.id) + query;
      expect((await places.call(method, at, bodies[method])).status, `${method} ${path}`).toBe(404);
    }
    expectError(await remove(id), 404);
  });

  test('is restored with its position, parent, grants and settings', async () => {
    const parent = await places.aCollection();
    const [first, id, last] = [
      await places.aSpace(parent),
      await places.aSpace(parent),
      await places.aSpace(parent),
    ];
    await places.share(id, 'comment', { users: [side.people.guest.id] });
    const settings = {
      title: 'Kept',
      emoji: '1f600',
      visibility: 'public',
      defaultLevel: 'edit',
      editMode: 'live',
    };
    const before = (await places.call('PATCH', `/v1/spaces/${id}`, settings)).body;
    await remove(id);
    // Its siblings change their order meanwhile.
    await places.move(last, { before: first });
    const answer = await restore(id);
    expect([answer.status, answer.body]).toEqual([200, before]);
    expect(answer.body).not.toHaveProperty('deletedAt');
    expect(await places.order(parent)).toEqual([last, first, id]);
    expect((await places.get(`/v1/spaces/${id}`, side.people.guest.token)).status).toBe(200);
    expect(await listed()).toContain(id);
    expect(await listed('&deleted=true')).not.toContain(id);
  });

  test('restored without being deleted returns 409', async () => {
    const id = await places.aSpace();
    const before = await rowOf(id);
    expectError(await restore(id), 409, /not deleted/);
    expectError(await restore(id, side.people.create.token), 403);
    expect(await rowOf(id)).toEqual(before);
  });

  test('can be restored within 7 days, and not a minute later, purged or not', async () => {
    const [kept, expired] = [await places.aSpace(), await places.aSpace()];
    for (const id of [kept, expired]) await remove(id);
    await deletedAgo(kept, '6 days 23:59');
    await deletedAgo(expired, '7 days 00:01');
    expect(await listed('&deleted=true')).toContain(kept);
    expect(await listed('&deleted=true')).not.toContain(expired);
    const expectGone = async () => {
      expectError(await restore(expired), 404);
      expectError(await places.get(`/v1/spaces/${expired}`), 404);
    };
    await expectGone();
    await purge();
    await expectGone();
    expect(await rowOf(expired)).toBeUndefined();
    expect((await restore(kept)).status).toBe(200);
  });

  test('is purged with everything that references it, and nothing else', async () => {
    const parent = await places.aCollection();
    const [expired, kept, recent] = [
      await places.aSpace(parent),
      await places.aSpace(parent),
      await places.aSpace(parent),
    ];
    for (const id of [expired, kept, recent]) {
      await places.share(id, 'edit', { users: [side.people.guest.id] });
      await app.sql('insert into space_tallies (space_id, comments) values ($1, 1)', [id]);
      const body = { level: 'read', space: id };
      expect((await places.call('POST', `${places.organization}/link-invites`, body)).status).toBe(201);
    }
    for (const id of [expired, recent]) await remove(id);
    await deletedAgo(expired, '8 days');
    const { connection } = app.app.installation;
    const messages: unknown[] = [];
    const log = { info: (...args: unknown[]) => messages.push(args) };
    await purgeSpaces.run({ db: connection.db, log } as never, {});
    expect(messages).toHaveLength(1);
    for (const table of ['grants', 'space_tallies', 'invites']) {
      const left = await app.sql(`select distinct space_id from ${table} where space_id = any($1)`, [
        [expired, kept, recent],
      ]);
      expect(left.map((row) => row['space_id']).toSorted(), table).toEqual([kept, recent].toSorted());
    }
    expect(await places.order(parent)).toEqual([kept, recent]);
  });

  test('is purged in steps if it is large, and not restored between them', async () => {
    const id = await places.aSpace();
    const { body: request } = await places.call('POST', `/v1/spaces/${id}/change-requests`, {});
    for (const place of [`/v1/spaces/${id}`, `/v1/spaces/${id}/change-requests/${request.id}`]) {
      for (let n = 0; n < 3; n++) {
        const posted = await places.call('POST', `${place}/comments`, { body: { markdown: 'Why?' } });
        const replies = `${place}/comments/${posted.body.id}/replies`;
        await places.call('POST', replies, { body: { markdown: 'So.' } });
      }
    }
    await remove(id);
    await deletedAgo(id, '8 days');
    const { db } = app.app.installation.connection;
    const left = async () =>
      (await app.sql('select count(*)::int as count from comments where space_id = $1', [id]))[0]?.['count'];
    expect(await purgeStep(db, id, 4)).toBe(false);
    expect(await left()).toBe(8);
    await app.sql(`update spaces set deleted_at = now() where id = $1 and deleted_at > 'epoch'`, [id]);
    expectError(await restore(id), 404);
    let steps = 1;
    while ((await purgeStep(db, id, 4)) === false) steps++;
    expect(steps).toBe(2);
    expect(await rowOf(id)).toBeUndefined();
    expect(await left()).toBe(0);
    expect(await purgeStep(db, id, 4)).toBe(null);
  });

  test('is purged although another one fails', async () => {
    const [failing, other] = [await places.aSpace(), await places.aSpace()];
    for (const id of [failing, other]) {
      await remove(id);
      await deletedAgo(id, '8 days');
    }
    await app.sql(`create table keepers (space_id text references spaces)`);
    await app.sql(`insert into keepers values ($1)`, [failing]);
    const errors: unknown[] = [];
    expect(await purge({ error: (...args: unknown[]) => errors.push(args) })).toBe(1);
    expect(errors).toHaveLength(1);
    expect(await rowOf(other)).toBeUndefined();
    expect(await rowOf(failing)).toBeDefined();
    await app.sql(`drop table keepers`);
    expect(await purge()).toBe(1);
  });
});

describe('concurrently', () => {
  test('one of many deletions succeeds, and one of many restorations', async () => {
    const id = await places.aSpace();
    const deletions = await statuses(Array.from({ length: 10 }, () => remove(id)));
    expect(deletions.toSorted()).toEqual([205, ...Array.from({ length: 9 }, () => 404)]);
    const restorations = await statuses(Array.from({ length: 10 }, () => restore(id)));
    expect(restorations.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    // Version 1, deleted, restored: the other requests changed nothing.
    expect(await rowOf(id)).toMatchObject({ version: 3, deleted_at: null });
  });

  test('a space is restored or purged, never both, 100 times', async () => {
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 100; round++) {
      const id = await places.aSpace();
      await remove(id);
      // The period ends within the next milliseconds: before, between or after the two.
      await deletedAgo(id, `7 days -${(round % 10) * 20} milliseconds`);
      const [restored, purged] = await Promise.all([restore(id), purge(), remove(id)]);
      const isThere = (await rowOf(id)) !== undefined;
      expect([200, 404]).toContain(restored.status);
      expect(isThere, `restore ${restored.status}, purged ${purged}`).toBe(
        restored.status === 200 || purged === 0,
      );
      if (restored.status === 200) expect(purged).toBe(0);
      const outcome = restored.status === 200 ? 'restored' : purged > 0 ? 'purged' : 'neither';
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await app.sql('delete from spaces where id = $1', [id]);
    }
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['restored', 'purged']));
  });

  test('deletion and other changes result in consistent responses', async () => {
    for (let round = 0; round < 20; round++) {
      const id = await places.aSpace();
      const outcomes = await statuses([
        remove(id),
        places.call('PATCH', `/v1/spaces/${id}`, { title: 'Late' }),
        places.move(id),
        places.call('POST', `/v1/spaces/${id}/duplicate`),
        places.share(id, 'read', { users: [side.people.guest.id] }),
      ]);
      expect(outcomes[0]).toBe(205);
      for (const status of outcomes.slice(1)) expect([200, 201, 204, 404, 409]).toContain(status);
      expect((await places.get(`/v1/spaces/${id}`)).body.deletedAt).toBeTypeOf('string');
    }
  });
});
