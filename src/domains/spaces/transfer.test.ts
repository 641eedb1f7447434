import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { placesOf, type Places } from '../../../test/places.ts';
import { expectError } from '../../../test/refusal.ts';
import { anotherOrganization } from '../../../test/builders/people.ts';
import { aMember, aSide, grantOn, type Person, type Side } from '../../../test/world.ts';
import { insertMember } from '../members/index.ts';

let app: TestApp;
let from: Side;
let to: Side;
let source: Places;
let destination: Places;
/** Admin of both organizations. */
let mover: Person;

beforeAll(async () => {
  app = await startApp();
  from = await aSide(app, 'alpha');
  to = await aSide(app, 'beta');
  source = placesOf(app, from);
  destination = placesOf(app, to);
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
  source.call('POST', `${source.pathOf(id)}/transfer`, { organization }, token);
const grantsOn = async (column: string, id: string) =>
  (
    await app.sql(`select organization_id, user_id, team_id, role from grants where ${column} = $1`, [id])
  ).map(
    (row) =>
      `${row['user_id'] ?? row['team_id']} ${row['role']} ${row['organization_id'] === to.organizationId ? 'there' : 'here'}`,
  );

describe.each(['space', 'collection'] as const)('transfer of a %s', (kind) => {
  const make = async (parent?: string) =>
    kind === 'space' ? source.aSpace(parent) : source.aCollection(parent);

  test('moves it to the end of the root of the other organization', async () => {
    const parent = await source.aCollection();
    const id = await make(parent);
    await destination.aSpace();
    const answer = await transfer(id);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ id, organization: to.organizationId });
    expect(answer.body.parent).toBeUndefined();
    expect((await destination.order(null)).at(-1)).toBe(id);
    expect(await source.order(parent)).toEqual([]);
    expectError(await source.get(source.pathOf(id)), 404);
    expect((await source.get(source.pathOf(id), to.admin.token)).status).toBe(200);
    expect((await source.get(source.pathOf(id), to.people.read.token)).status).toBe(200);
    expectError(await source.get(source.pathOf(id), from.people.create.token), 404);
  });

  test('keeps grants of people in both organizations, and deletes other grants and invite links', async () => {
    const id = await make();
    const both = await aMember(app, from.organizationId, null);
    await join(both, to, null);
    const team = (await source.call('PUT', `${source.organization}/teams`, { title: 'Team' })).body.id;
    await source.share(id, 'comment', { users: [both.id, from.people.guest.id], teams: [team] });
    const link = await source.call('POST', `${source.organization}/link-invites`, {
      level: 'read',
      [kind]: id,
    });
    expect(link.status, link.text).toBe(201);
    await transfer(id);
    expect(await grantsOn(`${kind}_id`, id)).toEqual([`${both.id} comment there`]);
    expect((await source.get(source.pathOf(id), both.token)).status).toBe(200);
    expectError(await source.get(`${source.organization}/link-invites/${link.body.id}`), 404);
    expect(await app.sql(`select id from invites where ${kind}_id = $1`, [id])).toEqual([]);
  });

  test('requires admin in both organizations, which must differ (403, 404, 409)', async () => {
    const id = await make();
    const local = await aMember(app, from.organizationId, null);
    await grantOn(app, local, 'admin', [id], [id]);
    expectError(await transfer(id, to.organizationId, local.token), 404);
    await join(local, to, 'create');
    expectError(await transfer(id, to.organizationId, local.token), 403);
    const guestOfDestination = await aMember(app, from.organizationId, 'admin');
    await join(guestOfDestination, to, null);
    expectError(await transfer(id, to.organizationId, guestOfDestination.token), 403);
    const creator = await aMember(app, from.organizationId, 'create');
    await join(creator, to, 'admin');
    expectError(await transfer(id, to.organizationId, creator.token), 403);
    expectError(await transfer(id, to.organizationId, to.admin.token), 404);
    expectError(await transfer(id, from.organizationId), 409, /already/);
    expectError(await transfer(id, 'nothing'), 404);
    expectError(await source.call('POST', `${source.pathOf(id)}/transfer`, {}, mover.token), 400);
    expect((await source.get(source.pathOf(id))).body.organization).toBe(from.organizationId);
    const { id: own } = await anotherOrganization(app, from, local, new Map());
    const answer = await transfer(id, own, local.token);
    // An admin by a grant can transfer a space to an organization of theirs, but not a collection: it may contain
    // spaces that are closed to them.
    if (kind === 'space') expect(answer.status, answer.text).toBe(200);
    else expectError(answer, 403, /admin of both/);
  });

  test('during a move ends in the other organization', async () => {
    const goal = await source.aCollection();
    for (let round = 0; round < 20; round++) {
      const id = await make();
      await make();
      const [moved, , transferred] = await Promise.all([
        source.move(id, {}, goal),
        source.call('POST', `${source.pathOf(id)}/duplicate`),
        transfer(id),
      ]);
      expect([200, 404]).toContain(moved.status);
      expect(transferred.status, transferred.text).toBe(200);
      expect((await source.get(source.pathOf(id), mover.token)).body.organization).toBe(to.organizationId);
    }
    // Positions are unique in both organizations.
    for (const places of [source, destination]) await places.order(null);
  });

  test('to two organizations concurrently succeeds once; the other request returns 404', async () => {
    const third = await aSide(app, 'gamma');
    const rival = await aMember(app, from.organizationId, 'admin');
    await join(rival, third, 'admin');
    for (let round = 0; round < 20; round++) {
      const id = await make();
      const ended = await Promise.all([transfer(id), transfer(id, third.organizationId, rival.token)]);
      expect(ended.map(({ status }) => status).toSorted()).toEqual([200, 404]);
      const winner = ended[0].status === 200 ? to : third;
      expect((await source.get(source.pathOf(id), winner.admin.token)).status).toBe(200);
    }
  });
});

test('a transferred collection takes its contents along, deleted spaces included, in order', async () => {
  const outer = await source.aCollection();
  const [inner, space] = [await source.aCollection(outer), await source.aSpace(outer)];
  const [deep, deleted] = [await source.aSpace(inner), await source.aSpace(inner)];
  await source.call('DELETE', `/v1/spaces/${deleted}`);
  await source.share(deep, 'edit', { users: [from.people.guest.id, mover.id] });
  await source.call('PATCH', source.pathOf(inner), { defaultLevel: 'comment' });
  const stays = await source.aSpace();

  expect((await transfer(outer)).status).toBe(200);
  for (const id of [outer, inner, space, deep]) {
    expectError(await source.get(source.pathOf(id)), 404);
    expect((await source.get(source.pathOf(id), to.admin.token)).body.organization).toBe(to.organizationId);
  }
  expect(await destination.order(outer)).toEqual([inner, space]);
  expect(await destination.order(inner)).toEqual([deep, deleted]);
  expect((await grantsOn('space_id', deep)).toSorted()).toEqual([`${mover.id} edit there`]);
  expect((await source.get(`/v1/spaces/${deep}`, to.people.edit.token)).body.permissions).toMatchObject({
    comment: true,
    edit: false,
  });
  expectError(await source.call('POST', `/v1/spaces/${deleted}/restore`), 404);
  const restored = await source.call('POST', `/v1/spaces/${deleted}/restore`, undefined, to.admin.token);
  expect([restored.status, restored.body.parent]).toEqual([200, inner]);
  expect((await source.get(source.pathOf(stays))).status).toBe(200);
  const [{ path } = {}] = await app.sql('select path from collections where id = $1', [inner]);
  expect(path).toEqual([outer, inner]);
});

test('a collection that contains a space closed to its admin cannot be transferred', async () => {
  const collection = await source.aCollection();
  const closed = await source.aSpace(collection);
  await source.call('PATCH', source.pathOf(closed), { defaultLevel: null });
  const local = await aMember(app, from.organizationId, 'create');
  await source.share(collection, 'admin', { users: [local.id] });
  await source.share(closed, 'read', { users: [local.id] });
  const { id: own } = await anotherOrganization(app, from, local, new Map());
  expectError(await transfer(collection, own, local.token), 403);
  for (const id of [collection, closed])
    expect((await source.get(source.pathOf(id))).body.organization).toBe(from.organizationId);
});

test('a deleted space cannot be transferred', async () => {
  const id = await source.aSpace();
  await source.call('DELETE', `/v1/spaces/${id}`);
  expectError(await transfer(id), 404);
});
