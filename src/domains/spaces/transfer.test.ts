import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { placesOf, type Places } from '../../../test/places.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aSide, anotherOrganization, grantOn, type Person, type Side } from '../../../test/world.ts';
import { insertMember } from '../members/index.ts';

let app: TestApp;
let from: Side;
let to: Side;
let here: Places;
let there: Places;
/** Admin of both. */
let mover: Person;

beforeAll(async () => {
  app = await startApp();
  from = await aSide(app, 'alpha');
  to = await aSide(app, 'beta');
  here = placesOf(app, from);
  there = placesOf(app, to);
  mover = await aMember(app, from.organizationId, 'admin');
  await join(mover, to, 'admin');
});

const join = (person: Person, side: Side, role: 'admin' | 'read' | 'create' | null) =>
  insertMember(app.app.installation.connection.db, {
    organizationId: side.organizationId,
    userId: person.id,
    role,
  });
const transfer = (id: string, organization = to.organizationId, token = mover.token) =>
  here.call('POST', `${here.pathOf(id)}/transfer`, { organization }, token);
const grantsOn = async (column: string, id: string) =>
  (
    await app.sql(`select organization_id, user_id, team_id, role from grants where ${column} = $1`, [id])
  ).map(
    (row) =>
      `${row['user_id'] ?? row['team_id']} ${row['role']} ${row['organization_id'] === to.organizationId ? 'there' : 'here'}`,
  );

describe.each(['space', 'collection'] as const)('transfer of a %s', (kind) => {
  const make = async (parent?: string) => (kind === 'space' ? here.aSpace(parent) : here.aCollection(parent));

  test('200: to the end of the other root, and out of everything here', async () => {
    const parent = await here.aCollection();
    const id = await make(parent);
    await there.aSpace();
    const answer = await transfer(id);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ id, organization: to.organizationId });
    expect(answer.body.parent).toBeUndefined();
    expect((await there.order(null)).at(-1)).toBe(id);
    expect(await here.order(parent)).toEqual([]);
    expectError(await here.get(here.pathOf(id)), 404);
    expect((await here.get(here.pathOf(id), to.admin.token)).status).toBe(200);
    expect((await here.get(here.pathOf(id), to.people.read.token)).status).toBe(200);
    expectError(await here.get(here.pathOf(id), from.people.create.token), 404);
  });

  test('grants: those of people in both stay, of others and of teams go; links into it are void', async () => {
    const id = await make();
    const both = await aMember(app, from.organizationId, null);
    await join(both, to, null);
    const team = (await here.call('PUT', `${here.organization}/teams`, { title: 'Team' })).body.id;
    await here.share(id, 'comment', { users: [both.id, from.people.guest.id], teams: [team] });
    const link = await here.call('POST', `${here.organization}/link-invites`, { level: 'read', [kind]: id });
    expect(link.status, link.text).toBe(201);
    await transfer(id);
    expect(await grantsOn(`${kind}_id`, id)).toEqual([`${both.id} comment there`]);
    expect((await here.get(here.pathOf(id), both.token)).status).toBe(200);
    expectError(await here.get(`${here.organization}/link-invites/${link.body.id}`), 404);
    expect(await app.sql(`select id from invites where ${kind}_id = $1`, [id])).toEqual([]);
  });

  test('403, 404, 409: needs admin on both sides, and two sides', async () => {
    const id = await make();
    const local = await aMember(app, from.organizationId, null);
    await grantOn(app, local, 'admin', [id], [id]);
    expectError(await transfer(id, to.organizationId, local.token), 404);
    await join(local, to, 'create');
    expectError(await transfer(id, to.organizationId, local.token), 403);
    const guestThere = await aMember(app, from.organizationId, 'admin');
    await join(guestThere, to, null);
    expectError(await transfer(id, to.organizationId, guestThere.token), 403);
    const creator = await aMember(app, from.organizationId, 'create');
    await join(creator, to, 'admin');
    expectError(await transfer(id, to.organizationId, creator.token), 403);
    expectError(await transfer(id, to.organizationId, to.admin.token), 404);
    expectError(await transfer(id, from.organizationId), 409, /already/);
    expectError(await transfer(id, 'nothing'), 404);
    expectError(await here.call('POST', `${here.pathOf(id)}/transfer`, {}, mover.token), 400);
    expect((await here.get(here.pathOf(id))).body.organization).toBe(from.organizationId);
    const { id: own } = await anotherOrganization(app, from, local, new Map());
    const answer = await transfer(id, own, local.token);
    // An admin by a grant alone can give a space away, to where they are admin too. A collection may hold what is closed
    // to them.
    if (kind === 'space') expect(answer.status, answer.text).toBe(200);
    else expectError(answer, 403, /admin of both/);
  });

  test('while it is moved: it ends where the last one who was let in brought it', async () => {
    const goal = await here.aCollection();
    for (let round = 0; round < 20; round++) {
      const id = await make();
      await make();
      const [moved, , transferred] = await Promise.all([
        here.move(id, {}, goal),
        here.call('POST', `${here.pathOf(id)}/duplicate`),
        transfer(id),
      ]);
      expect([200, 404]).toContain(moved.status);
      expect(transferred.status, transferred.text).toBe(200);
      expect((await here.get(here.pathOf(id), mover.token)).body.organization).toBe(to.organizationId);
    }
    // And nobody's place is taken twice, nor is anything half here and half there.
    for (const places of [here, there]) await places.order(null);
  });

  test('to two places at once: to one, and then it is not theirs to give', async () => {
    const third = await aSide(app, 'gamma');
    const rival = await aMember(app, from.organizationId, 'admin');
    await join(rival, third, 'admin');
    for (let round = 0; round < 20; round++) {
      const id = await make();
      const ended = await Promise.all([transfer(id), transfer(id, third.organizationId, rival.token)]);
      expect(ended.map(({ status }) => status).toSorted()).toEqual([200, 404]);
      const winner = ended[0].status === 200 ? to : third;
      expect((await here.get(here.pathOf(id), winner.admin.token)).status).toBe(200);
    }
  });
});

test('a collection takes all that is in it along, deleted spaces too, in their order', async () => {
  const outer = await here.aCollection();
  const [inner, space] = [await here.aCollection(outer), await here.aSpace(outer)];
  const [deep, deleted] = [await here.aSpace(inner), await here.aSpace(inner)];
  await here.call('DELETE', `/v1/spaces/${deleted}`);
  await here.share(deep, 'edit', { users: [from.people.guest.id, mover.id] });
  await here.call('PATCH', here.pathOf(inner), { defaultLevel: 'comment' });
  const stays = await here.aSpace();

  expect((await transfer(outer)).status).toBe(200);
  for (const id of [outer, inner, space, deep]) {
    expectError(await here.get(here.pathOf(id)), 404);
    expect((await here.get(here.pathOf(id), to.admin.token)).body.organization).toBe(to.organizationId);
  }
  expect(await there.order(outer)).toEqual([inner, space]);
  expect(await there.order(inner)).toEqual([deep, deleted]);
  expect((await grantsOn('space_id', deep)).toSorted()).toEqual([`${mover.id} edit there`]);
  expect((await here.get(`/v1/spaces/${deep}`, to.people.edit.token)).body.permissions).toMatchObject({
    comment: true,
    edit: false,
  });
  expectError(await here.call('POST', `/v1/spaces/${deleted}/restore`), 404);
  const restored = await here.call('POST', `/v1/spaces/${deleted}/restore`, undefined, to.admin.token);
  expect([restored.status, restored.body.parent]).toEqual([200, inner]);
  expect((await here.get(here.pathOf(stays))).status).toBe(200);
  const [{ path } = {}] = await app.sql('select path from collections where id = $1', [inner]);
  expect(path).toEqual([outer, inner]);
});

test('a collection with a space in it that is closed to its admin stays', async () => {
  const collection = await here.aCollection();
  const closed = await here.aSpace(collection);
  await here.call('PATCH', here.pathOf(closed), { defaultLevel: null });
  const local = await aMember(app, from.organizationId, 'create');
  await here.share(collection, 'admin', { users: [local.id] });
  await here.share(closed, 'read', { users: [local.id] });
  const { id: own } = await anotherOrganization(app, from, local, new Map());
  expectError(await transfer(collection, own, local.token), 403);
  for (const id of [collection, closed])
    expect((await here.get(here.pathOf(id))).body.organization).toBe(from.organizationId);
});

test('what is deleted cannot be transferred', async () => {
  const id = await here.aSpace();
  await here.call('DELETE', `/v1/spaces/${id}`);
  expectError(await transfer(id), 404);
});
