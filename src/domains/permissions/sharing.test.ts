import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { placesOf, type Places } from '../../../test/places.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aMember, aWorld, grantOn, type Person, type World } from '../../../test/world.ts';

let app: TestApp;
let world: World;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  places = placesOf(app, world.a);
});

const someone = (role: 'read' | 'edit' | null = null) => aMember(app, world.a.organizationId, role);
const aTeam = async (...members: Person[]): Promise<string> => {
  const body = { title: 'Team', members: members.map(({ id }) => id) };
  return (await places.call('PUT', `${places.organization}/teams`, body)).body.id;
};

type Shared = { permission: string; user?: { id: string }; team?: { id: string } };
const grantsOn = async (path: string, kind: 'users' | 'teams' | 'aggregate', query = '', token?: string) =>
  (await places.get(`${path}/permissions/${kind}?limit=1000${query}`, token)).body.items.map(
    ({ permission, user, team }: Shared) => `${user?.id ?? team?.id} ${permission}`,
  );

describe.each(['space', 'collection'] as const)('sharing a %s', (kind) => {
  const make = () => (kind === 'space' ? places.aSpace() : places.aCollection());

  test('grants the role admin to the creator, whatever their role in the organization', async () => {
    const creator = await aMember(app, world.a.organizationId, 'create');
    const id = await places.make(kind, {}, creator.token);
    expect(await grantsOn(places.pathOf(id), 'users')).toEqual([`${creator.id} admin`]);
    const { body } = await places.get(places.pathOf(id), creator.token);
    expect(body.permissions.admin).toBe(true);
  });

  test('returns 204 for users and teams together, in order; repeating changes the role', async () => {
    const path = places.pathOf(await make());
    const [one, two] = [await someone(), await someone()];
    const team = await aTeam(two);
    const body = { role: 'comment', users: [one.id, two.email], teams: [team] };
    const answer = await places.call('POST', `${path}/permissions`, body);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const before = await grantsOn(path, 'users');
    expect(before.toSorted()).toEqual(
      [`${world.a.admin.id} admin`, `${one.id} comment`, `${two.id} comment`].toSorted(),
    );
    expect(await grantsOn(path, 'teams')).toEqual([`${team} comment`]);
    await places.call('POST', `${path}/permissions`, { role: 'review', users: [one.id] });
    expect(await grantsOn(path, 'users')).toContain(`${one.id} review`);
    expect(await grantsOn(path, 'users')).toHaveLength(3);
    const reviewers = await grantsOn(path, 'aggregate', '&role=review');
    expect(reviewers.toSorted()).toEqual(
      [`${one.id} review`, `${world.a.people.review.id} review`].toSorted(),
    );
  });

  test('with the role null removes the grant', async () => {
    const path = places.pathOf(await make());
    const [one, two, three] = [await someone(), await someone(), await someone()];
    const team = await aTeam(two);
    await places.call('POST', `${path}/permissions`, {
      role: 'edit',
      users: [one.id, three.id],
      teams: [team],
    });
    await places.call('POST', `${path}/permissions`, { role: null, users: [one.id] });
    expect((await places.get(path, one.token)).status).toBe(404);
    expect((await places.get(path, two.token)).status).toBe(200);
    expect((await places.call('PATCH', `${path}/permissions/teams/${team}`, { role: null })).status).toBe(
      204,
    );
    expect((await places.call('PATCH', `${path}/permissions/users/${three.id}`, { role: null })).status).toBe(
      204,
    );
    expect((await places.get(path, two.token)).status).toBe(404);
    expect((await places.get(path, three.token)).status).toBe(404);
    expect(await grantsOn(path, 'teams')).toEqual([]);
  });

  test('PATCH changes the role, or nothing without one; DELETE returns 205, then 404', async () => {
    const path = places.pathOf(await make());
    const one = await someone('read');
    const team = await aTeam(one);
    await places.call('POST', `${path}/permissions`, { role: 'edit', users: [one.id], teams: [team] });
    for (const [grantee, list] of [
      [`users/${one.id}`, 'users'],
      [`teams/${team}`, 'teams'],
    ] as const) {
      const at = `${path}/permissions/${grantee}`;
      expect((await places.call('PATCH', at, { role: 'comment' })).status).toBe(204);
      expect((await places.call('PATCH', at, {})).status).toBe(204);
      expect(await grantsOn(path, list)).toContain(`${grantee.split('/')[1]} comment`);
      expectError(await places.call('PATCH', at, { role: 'owner' }), 400);
      expect((await places.call('DELETE', at)).status).toBe(205);
      expectError(await places.call('DELETE', at), 404);
      expectError(await places.call('PATCH', at, { role: 'read' }), 404);
    }
  });

  test('returns 400 without a grantee or with an unknown role, 404 for unknown users and teams', async () => {
    const path = places.pathOf(await make());
    const before = await app.sql('select * from grants order by id');
    const refused = async (body: object) => places.call('POST', `${path}/permissions`, body);
    expectError(await refused({ role: 'read' }), 400, /users.*teams/);
    expectError(await refused({ role: 'read', users: [] }), 400);
    expectError(await refused({ users: [world.a.admin.id] }), 400);
    const unknown = await refused({ role: 'owner', users: [world.a.admin.id] });
    expectError(unknown, 400);
    expect(detailsOf(unknown)[0]).toMatch(/^body\.role: must be one of .*"admin"/);
    for (const id of ['nobody', world.b.admin.id, world.stranger.id, world.b.admin.email])
      expectError(await refused({ role: 'read', users: [world.a.admin.id, id] }), 404);
    expectError(await refused({ role: 'read', teams: ['noteam'] }), 404);
    expectError(await refused({ role: 'read', users: Array.from({ length: 1001 }, () => 'x') }), 400);
    expect(await app.sql('select * from grants order by id')).toEqual(before);
  });

  test('deletes the grants of members who leave and of deleted teams', async () => {
    const path = places.pathOf(await make());
    const one = await someone();
    const team = await aTeam(one);
    await places.call('POST', `${path}/permissions`, { role: 'edit', users: [one.id], teams: [team] });
    await places.call('DELETE', `${places.organization}/members/${one.id}`);
    await places.call('DELETE', `${places.organization}/teams/${team}`);
    expect(await grantsOn(path, 'users')).toEqual([`${world.a.admin.id} admin`]);
    expect(await grantsOn(path, 'teams')).toEqual([]);
    expect(await grantsOn(path, 'aggregate')).not.toContain(`${one.id} edit`);
  });

  test('lets a guest with the role admin manage it, without seeing other members or teams', async () => {
    const id = await make();
    const guest = await someone();
    await (kind === 'space' ? grantOn(app, guest, 'admin', [id]) : grantOn(app, guest, 'admin', [], [id]));
    const path = places.pathOf(id);
    const as = (method: string, at: string, body?: object) =>
      places.call(method, path + at, body, guest.token);
    expect((await as('PATCH', '', { title: 'Mine' })).status).toBe(200);
    expect((await as('GET', '/permissions/aggregate')).status).toBe(200);
    expectError(await as('POST', '/permissions', { role: 'read', users: [world.a.people.read.id] }), 404);
    expect((await as('DELETE', `/permissions/users/${world.a.admin.id}`)).status).toBe(205);
  });

  test('gives disabled members no access and does not list them', async () => {
    const id = await make();
    const member = await someone('edit');
    expect((await places.get(places.pathOf(id), member.token)).status).toBe(200);
    await app.sql('update members set disabled = true where user_id = $1', [member.id]);
    await expect.poll(async () => (await places.get(places.pathOf(id), member.token)).status).toBe(404);
    expect(await grantsOn(places.pathOf(id), 'aggregate')).not.toContain(`${member.id} edit`);
  });
});

describe('defaultLevel in responses', () => {
  test('is a role or null; inherited from the parents, finally from the organization', async () => {
    const outer = await places.aCollection();
    const inner = await places.aCollection(outer);
    const space = await places.aSpace(inner);
    const shown = async () => {
      const answers = await Promise.all([outer, inner, space].map((id) => places.get(places.pathOf(id))));
      return answers.map(({ body }) => body.defaultLevel);
    };
    const set = async (id: string, defaultLevel: string | null) => {
      const { status, body } = await places.call('PATCH', places.pathOf(id), { defaultLevel });
      expect(status).toBe(200);
      return body.defaultLevel;
    };
    expect(await shown()).toEqual(['read', 'read', 'read']);
    await places.call('PATCH', places.organization, { defaultRole: 'comment' });
    expect(await shown()).toEqual(['comment', 'comment', 'comment']);
    expect(await set(outer, 'edit')).toBe('edit');
    expect(await shown()).toEqual(['edit', 'edit', 'edit']);
    expect(await set(inner, null)).toBeNull();
    expect(await shown()).toEqual(['edit', null, null]);
    expect(await set(space, 'review')).toBe('review');
    expect(await set(inner, 'inherit')).toBe('edit');
    expect(await shown()).toEqual(['edit', 'edit', 'review']);
    expect(await set(space, 'inherit')).toBe('edit');
    await places.call('PATCH', places.organization, { defaultRole: null });
    expect(await set(outer, 'inherit')).toBeNull();
    expect(await shown()).toEqual([null, null, null]);
    for (const defaultLevel of ['owner', '', 7, 'INHERIT'])
      expectError(await places.call('PATCH', places.pathOf(space), { defaultLevel }), 400);
    await places.call('PATCH', places.organization, { defaultRole: 'read' });
  });

  test.each(['space', 'collection'] as const)(
    'cannot lock out an admin by default level from a %s: 409, and nothing changes',
    async (kind) => {
      const id = kind === 'space' ? await places.aSpace() : await places.aCollection();
      const member = await someone('read');
      await places.call('PATCH', places.pathOf(id), { defaultLevel: 'admin' });
      const answer = await places.call('PATCH', places.pathOf(id), { defaultLevel: null }, member.token);
      expectError(answer, 409, /your own/);
      expect((await places.get(places.pathOf(id))).body.defaultLevel).toBe('admin');
      const lowered = await places.call('PATCH', places.pathOf(id), { defaultLevel: 'read' }, member.token);
      expect([lowered.status, lowered.body.permissions.admin]).toEqual([200, false]);
    },
  );
});
