import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { placesOf, type Places } from '../../../test/places.ts';
import { aMember, aSide, type Side } from '../../../test/world.ts';
import { foldSpaceTallies } from './jobs.ts';

let app: TestApp;
let side: Side;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  places = placesOf(app, side);
});

describe('counts', () => {
  const add = (id: string, comments: number, rows: number) =>
    app.sql(
      `insert into space_tallies (space_id, comments, change_requests, change_requests_open, change_requests_draft)
       select $1, $2, 1, 1, -1 from generate_series(1, $3)`,
      [id, comments, rows],
    );
  const counts = async (id: string) => {
    const { comments, changeRequests, changeRequestsOpen, changeRequestsDraft } = (
      await places.get(`/v1/spaces/${id}`)
    ).body;
    return [comments, changeRequests, changeRequestsOpen, changeRequestsDraft];
  };
  const fold = () => foldSpaceTallies.run({ db: app.app.installation.connection.db } as never, {});

  test('are exact immediately and never cached, in single responses and in lists', async () => {
    const parent = await places.aCollection();
    const id = await places.aSpace(parent);
    expect(await counts(id)).toEqual([0, 0, 0, 0]);
    for (let count = 1; count <= 5; count++) {
      await add(id, 2, 1);
      expect(await counts(id)).toEqual([2 * count, count, count, -count]);
      const { items } = (await places.get(`/v1/collections/${parent}/spaces`)).body;
      expect(items[0].comments).toBe(2 * count);
    }
  });

  test('are unchanged when many rows are folded into one', async () => {
    const [id, few] = [await places.aSpace(), await places.aSpace()];
    await add(id, 3, 50);
    await add(few, 1, 5);
    await fold();
    expect(await counts(id)).toEqual([150, 50, 50, -50]);
    expect(await counts(few)).toEqual([5, 5, 5, -5]);
    const rows = await app.sql(
      'select space_id, count(*)::int as rows from space_tallies where space_id = any($1) group by 1 order by 2',
      [[id, few]],
    );
    expect(rows).toEqual([
      { space_id: id, rows: 1 },
      { space_id: few, rows: 5 },
    ]);
  });

  test('are correct at all times while rows are folded and added concurrently', async () => {
    const id = await places.aSpace();
    let added = 0;
    const reader = async () => {
      for (let count = 0; count < 60; count++) {
        const atLeast = added;
        const [comments] = await counts(id);
        expect(comments).toBeGreaterThanOrEqual(atLeast);
        // Each of the three writers may have added one that is not in `added` yet.
        expect(comments).toBeLessThanOrEqual(added + 3);
      }
    };
    const { db } = app.app.installation.connection;
    const writer = async () => {
      for (let count = 0; count < 40; count++) {
        await db.insertInto('space_tallies').values({ space_id: id, comments: 1 }).execute();
        added++;
      }
    };
    const folder = async () => {
      for (let count = 0; count < 20; count++) await fold();
    };
    await Promise.all([writer(), writer(), writer(), folder(), folder(), reader()]);
    expect((await counts(id))[0]).toBe(120);
  });
});

test('the counts of members and teams equal the lengths of the lists', async () => {
  const member = await aMember(app, side.organizationId, null);
  const { id: team } = (
    await places.call('PUT', `${places.organization}/teams`, { title: 'Team', members: [member.id] })
  ).body;
  const outer = await places.aCollection();
  const inner = await places.aCollection(outer);
  const ids = [
    await places.aSpace(outer),
    await places.aSpace(inner),
    await places.aSpace(),
    await places.aSpace(),
  ];
  await places.share(outer, 'read', { teams: [team] });
  await places.share(ids[2] ?? '', 'edit', { teams: [team], users: [member.id] });
  await places.share(ids[1] ?? '', 'comment', { teams: [team] });
  await places.share(ids[3] ?? '', 'read', { users: [member.id] });
  const shown = async () => {
    const path = `${places.organization}/members/${member.id}`;
    const list = (await places.get(`${path}/spaces?limit=1000&order=asc`)).body;
    return {
      member: (await places.get(path)).body.spaces,
      team: (await places.get(`${places.organization}/teams/${team}`)).body.spaces,
      listed: list.items.map(
        (item: { permission: string; space: { id: string } }) => `${item.space.id} ${item.permission}`,
      ),
      count: list.count,
    };
  };
  const roles = ['read', 'comment', 'edit', 'read'];
  expect(await shown()).toEqual({
    member: 4,
    team: 3,
    count: 4,
    listed: ids.map((id, index) => `${id} ${roles[index]}`),
  });
  await places.call('DELETE', `/v1/spaces/${ids[2]}`);
  expect(await shown()).toMatchObject({ member: 3, team: 2, count: 3 });
  await places.move(inner, {}, null);
  expect(await shown()).toMatchObject({ member: 3, team: 2, count: 3 });
  await places.call('POST', `/v1/spaces/${ids[1]}/permissions`, { role: null, teams: [team] });
  expect(await shown()).toMatchObject({ member: 2, team: 1, count: 2 });
});
