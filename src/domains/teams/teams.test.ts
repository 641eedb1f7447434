import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aMember, aSide, aWorld, type Person, type Side, type World } from '../../../test/world.ts';
import { ROLES } from '../access/index.ts';

let app: TestApp;
let world: World;
let teams: string;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  teams = `/v1/orgs/${world.a.organizationId}/teams`;
});

const call = (method: string, path: string, body?: unknown, token = world.a.admin.token): Promise<Answer> =>
  app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const get = (path: string, token?: string) => call('GET', path, undefined, token);
const create = (body: unknown, token?: string) => call('PUT', teams, body, token);

const aTeam = async (members: readonly string[] = []): Promise<string> => {
  const { body, status, text } = await create({ title: 'Team', members });
  expect(status, text).toBe(201);
  return `${teams}/${body.id}`;
};
const someone = () => aMember(app, world.a.organizationId, 'read');
/** The members of a team, as `id role`. */
const membersOf = async (team: string): Promise<string[]> =>
  (await get(`${team}/members?limit=1000`)).body.items.map(
    (item: { organization: { id: string }; team: { role: string } }) =>
      `${item.organization.id} ${item.team.role}`,
  );

const FAMILY = '👨‍👩‍👧‍👦';

describe('PUT teams', () => {
  test('adds members by id or by e-mail address, without duplicates', async () => {
    const [one, two] = [await someone(), await someone()];
    const answer = await create({
      title: 'Writers',
      members: [one.id, two.email.toUpperCase(), one.email, one.id],
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({
      object: 'team',
      id: expect.stringMatching(/^\w{20}$/),
      title: 'Writers',
      members: 2,
      spaces: 0,
      createdAt: expect.any(String),
      permissions: { admin: true, view: true },
    });
    expect(answer.headers['location']).toBe(`http://octavo.test${teams}/${answer.body.id}`);
    expect((await membersOf(`${teams}/${answer.body.id}`)).toSorted()).toEqual(
      [`${one.id} member`, `${two.id} member`].toSorted(),
    );
  });

  test('accepts titles of 1 to 64 characters, counted in code points', async () => {
    for (const title of ['x', 'x'.repeat(64), '😀'.repeat(64), `${FAMILY.repeat(9)}x`, 'Same', 'Same']) {
      const answer = await create({ title });
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body.title).toBe(title);
    }
    for (const title of [
      '',
      'x'.repeat(65),
      '😀'.repeat(65),
      FAMILY.repeat(10),
      'a\nb',
      null,
      7,
      undefined,
    ]) {
      const answer = await create({ title });
      expectError(answer, 400);
      expect(detailsOf(answer)[0]).toMatch(/^body/);
    }
  });

  test('returns 400 for an invalid list of ids or more than 1000', async () => {
    for (const members of [
      'x',
      [7],
      [''],
      [null],
      ['a b'],
      Array.from({ length: 1001 }, (_each, index) => `m${index}`),
    ]) {
      expectError(await create({ title: 'Team', members }), 400);
    }
  });

  test('returns 404 for users who are not members, and creates no team', async () => {
    const count = (await get(`${teams}?limit=0`)).body.count;
    for (const member of ['nobody', world.b.admin.id, world.stranger.id, world.stranger.email]) {
      expectError(await create({ title: 'Team', members: [world.a.admin.id, member] }), 404, /body\.members/);
    }
    expect((await get(`${teams}?limit=0`)).body.count).toBe(count);
  });

  test('returns 403 to everyone except admins', async () => {
    for (const role of ['read', 'comment', 'edit', 'review', 'create', 'guest'] as const) {
      expectError(await create({ title: 'Team' }, world.a.people[role].token), 403);
    }
    expectError(await create({ title: 'Team' }, world.b.admin.token), 404);
  });
});

describe('GET teams', () => {
  let side: Side;
  let owner: Person;
  const ids = new Map<string, string>();
  const TITLES = ['Alpha', 'ALPHABET', 'beta', '100%', 'snake_case', 'back\\slash', 'Ärger'];

  const found = async (query: string, token = side.admin.token): Promise<string[]> => {
    const { body, status, text } = await get(`/v1/orgs/${side.organizationId}/teams?${query}`, token);
    expect(status, text).toBe(200);
    expect(body.count).toBe(body.items.length);
    return body.items.map(({ title }: { title: string }) => title);
  };

  beforeAll(async () => {
    side = await aSide(app, 'filtered');
    owner = side.people.edit;
    for (const title of TITLES) {
      const { body } = await call(
        'PUT',
        `/v1/orgs/${side.organizationId}/teams`,
        { title },
        side.admin.token,
      );
      ids.set(title, body.id);
    }
    const join = (title: string, person: Person, role: string) =>
      call(
        'PUT',
        `/v1/orgs/${side.organizationId}/teams/${ids.get(title)}/members/${person.id}`,
        { role },
        side.admin.token,
      );
    await join('beta', owner, 'owner');
    await join('100%', owner, 'owner');
    await join('Alpha', owner, 'member');
    await join('Ärger', side.people.read, 'owner');
  });

  test('lists all teams in order of creation', async () => {
    expect(await found('')).toEqual(TITLES);
  });

  test('searches a part of the title, ignoring case, with any characters', async () => {
    for (const [title, expected] of [
      ['alpha', ['Alpha', 'ALPHABET']],
      ['PHA', ['Alpha', 'ALPHABET']],
      ['bet', ['ALPHABET', 'beta']],
      ['%', ['100%']],
      ['0%', ['100%']],
      ['_', ['snake_case']],
      ['E_C', ['snake_case']],
      ['\\', ['back\\slash']],
      ['\\s', ['back\\slash']],
      ['ÄRGER', ['Ärger']],
      ['ä', ['Ärger']],
      ['a%a', []],
      ['Alph_', []],
      ['nothing', []],
      ['', TITLES],
    ] as const) {
      expect(await found(`title=${encodeURIComponent(title)}`), title).toEqual(expected);
    }
    expect(await found(`title=${'x'.repeat(64)}`)).toEqual([]);
    expectError(
      await get(`/v1/orgs/${side.organizationId}/teams?title=${'x'.repeat(65)}`, side.admin.token),
      400,
    );
  });

  test('filters by a member who can manage them', async () => {
    expect(await found(`owner=${owner.id}`)).toEqual(['beta', '100%']);
    expect(await found(`owner=${owner.email}`)).toEqual(['beta', '100%']);
    expect(await found(`owner=${encodeURIComponent(owner.email.toUpperCase())}`)).toEqual(['beta', '100%']);
    expect(await found(`owner=${side.people.read.id}`)).toEqual(['Ärger']);
    expect(await found(`owner=${side.people.comment.id}`)).toEqual([]);
    expect(await found(`owner=${side.admin.id}`)).toEqual(TITLES);
    expect(await found(`owner=${owner.id}&title=BE`)).toEqual(['beta']);
    // The result does not depend on the caller.
    expect(await found(`owner=${owner.id}`, side.people.read.token)).toEqual(['beta', '100%']);
  });

  test('returns 404 for an owner who is not a member', async () => {
    for (const id of [world.a.admin.id, 'nobody', 'no@body.example']) {
      expectError(await get(`/v1/orgs/${side.organizationId}/teams?owner=${id}`, side.admin.token), 404);
    }
  });

  test('returns 403 to guests', async () => {
    expectError(await get(`/v1/orgs/${side.organizationId}/teams`, side.people.guest.token), 403);
  });
});

describe('a team', () => {
  test('is renamed and deleted', async () => {
    const { id } = await someone();
    const team = await aTeam([id]);
    const renamed = await call('PATCH', team, { title: '😀'.repeat(64) });
    expect(renamed.body).toMatchObject({ title: '😀'.repeat(64), members: 1 });
    expect((await get(team)).body).toEqual(renamed.body);
    for (const body of [{}, { title: '' }, { title: 'x'.repeat(65) }, { title: null }]) {
      expectError(await call('PATCH', team, body), 400);
    }
    expect((await call('DELETE', team)).status).toBe(204);
    expectError(await get(team), 404);
    expectError(await call('DELETE', team), 404);
    const member = await get(`/v1/orgs/${world.a.organizationId}/members/${id}`);
    expect(member.body.teams).toBe(0);
  });

  test('is not found in another organization', async () => {
    const team = await aTeam();
    const inOtherOrganization = team.replace(world.a.organizationId, world.b.organizationId);
    for (const token of [world.b.admin.token, world.a.admin.token]) {
      for (const [method, body] of [['GET'], ['PATCH', { title: 'x' }], ['DELETE']] as const) {
        expectError(await call(method, inOtherOrganization, body, token), 404);
      }
    }
    expectError(await get(team, world.b.admin.token), 404);
  });

  test.each([...ROLES, 'guest'] as const)(
    'is shown to and managed by %s according to its permission flags',
    async (role) => {
      const team = await aTeam();
      const { token } = world.a.people[role];
      const shown = await get(team, token);
      expect(shown.status).toBe(role === 'guest' ? 404 : 200);
      const { view = false, admin = false } = shown.body.permissions ?? {};
      expect({ view, admin }).toEqual({ view: role !== 'guest', admin: role === 'admin' });
      const { id } = await someone();
      const refused = view ? 403 : 404;
      for (const [method, path, body, done] of [
        ['GET', '/members', undefined, 200],
        ['PATCH', '', { title: 'Renamed' }, 200],
        ['PUT', '/members', { add: [id] }, 204],
        ['PUT', `/members/${id}`, { role: 'owner' }, 204],
        ['DELETE', `/members/${id}`, undefined, 205],
        ['DELETE', '', undefined, 204],
      ] as const) {
        const isAllowed = method === 'GET' ? view : admin;
        const before = refused === 403 && path.endsWith(id) && method === 'DELETE' && !admin;
        if (before) await call('PUT', `${team}/members/${id}`, {});
        const answer = await call(method, team + path, body, token);
        expect(answer.status, `${method} ${path}`).toBe(isAllowed ? done : refused);
      }
    },
  );

  test('is managed by its owners, whatever their role; they cannot manage other teams', async () => {
    const owner = await someone();
    const [team, other] = [await aTeam(), await aTeam([owner.id])];
    await call('PUT', `${team}/members/${owner.id}`, { role: 'owner' });
    expect((await get(team, owner.token)).body.permissions).toEqual({ admin: true, view: true });
    expect((await get(other, owner.token)).body.permissions).toEqual({ admin: false, view: true });
    const { id } = await someone();
    expect((await call('PATCH', team, { title: 'Mine' }, owner.token)).status).toBe(200);
    expect((await call('PUT', `${team}/members/${id}`, { role: 'owner' }, owner.token)).status).toBe(204);
    expectError(await call('PATCH', other, { title: 'Mine' }, owner.token), 403);
    // Losing the role owner has immediate effect.
    await call('PUT', `${team}/members/${owner.id}`, { role: 'member' });
    expectError(await call('PATCH', team, { title: 'Still mine' }, owner.token), 403);
    expect((await call('DELETE', team)).status).toBe(204);
  });
});

describe('the members of a team', () => {
  test('are listed in the order they joined, with their roles in the organization and the team', async () => {
    const [one, two] = [await aMember(app, world.a.organizationId, 'edit'), await someone()];
    const team = await aTeam();
    await call('PUT', `${team}/members/${two.id}`, { role: 'owner' });
    await call('PUT', `${team}/members/${one.id}`);
    const { body } = await get(`${team}/members`, world.a.people.read.token);
    expect(body.count).toBe(2);
    expect(body.items).toMatchObject([
      {
        organization: { id: two.id, role: 'read', teams: 1 },
        team: { role: 'owner' },
        permissions: { view: true },
      },
      { organization: { id: one.id, role: 'edit', user: { email: one.email } }, team: { role: 'member' } },
    ]);
  });

  test('are added and removed by id and by e-mail address', async () => {
    const [one, two, three] = [await someone(), await someone(), await someone()];
    const team = await aTeam();
    const change = (body: unknown) => call('PUT', `${team}/members`, body);
    expect(
      (
        await change({
          add: [one.id, two.email],
          memberships: { [three.email.toUpperCase()]: { role: 'owner' } },
        })
      ).status,
    ).toBe(204);
    expect((await membersOf(team)).toSorted()).toEqual(
      [`${one.id} member`, `${two.id} member`, `${three.id} owner`].toSorted(),
    );
    expect((await change({ remove: [one.email.toUpperCase(), three.id] })).status).toBe(204);
    expect(await membersOf(team)).toEqual([`${two.id} member`]);
    expect((await change({})).status).toBe(204);
    // Members in neither list stay. Removing a user who is not in the team changes nothing.
    expect((await change({ remove: [one.id] })).status).toBe(204);
    expect(await membersOf(team)).toEqual([`${two.id} member`]);
  });

  test('are added and removed one by one, by id and by e-mail address', async () => {
    const { id, email } = await someone();
    const team = await aTeam();
    const member = (name: string) => `${team}/members/${encodeURIComponent(name)}`;
    expect((await call('PUT', member(email.toUpperCase()))).status).toBe(204);
    expect(await membersOf(team)).toEqual([`${id} member`]);
    expect((await call('PUT', member(id), { role: 'owner' })).status).toBe(204);
    expect(await membersOf(team)).toEqual([`${id} owner`]);
    // Adding a member again keeps their role.
    expect((await call('PUT', member(id), {})).status).toBe(204);
    expect((await call('PUT', `${team}/members`, { add: [id] })).status).toBe(204);
    expect(await membersOf(team)).toEqual([`${id} owner`]);
    expect((await call('DELETE', member(email.toUpperCase()))).status).toBe(205);
    expect(await membersOf(team)).toEqual([]);
  });

  test('cannot be changed with invalid roles or lists (400)', async () => {
    const { id } = await someone();
    const team = await aTeam();
    for (const body of [
      { add: id },
      { add: [7] },
      { remove: [null] },
      { memberships: [id] },
      { memberships: { [id]: 'owner' } },
      { memberships: { [id]: { role: 'admin' } } },
      { memberships: { '': {} } },
      { memberships: Object.fromEntries(Array.from({ length: 1001 }, (_each, n) => [`user${n}`, {}])) },
    ]) {
      expectError(await call('PUT', `${team}/members`, body), 400);
    }
    expectError(await call('PUT', `${team}/members/${id}`, { role: 'king' }), 400);
    expect(await membersOf(team)).toEqual([]);
  });

  test('must be members of the organization; otherwise nothing changes (404)', async () => {
    const { id } = await someone();
    const team = await aTeam();
    for (const other of [world.b.admin.id, world.b.admin.email, 'nobody']) {
      expectError(await call('PUT', `${team}/members`, { add: [id, other] }), 404);
      expectError(await call('PUT', `${team}/members`, { add: [id], remove: [other] }), 404);
      expectError(await call('PUT', `${team}/members`, { add: [id], memberships: { [other]: {} } }), 404);
      expectError(await call('PUT', `${team}/members/${other}`, {}), 404);
      expectError(await call('DELETE', `${team}/members/${other}`), 404);
    }
    expect(await membersOf(team)).toEqual([]);
  });

  test('cannot be removed one by one if they are not in the team (404)', async () => {
    const { id } = await someone();
    const [team, other] = [await aTeam(), await aTeam([id])];
    expectError(await call('DELETE', `${team}/members/${id}`), 404);
    expect(await membersOf(other)).toEqual([`${id} member`]);
  });
});

describe('the teams of a member', () => {
  test('are listed with the role in each, and filtered by a part of the title', async () => {
    const { id, email, token } = await someone();
    const make = async (title: string, role: string) => {
      const { body } = await create({ title });
      await call('PUT', `${teams}/${body.id}/members/${id}`, { role });
      return body.id;
    };
    const [first, second] = [await make('Readers', 'member'), await make('Writers_', 'owner')];
    const path = (who: string) => `/v1/orgs/${world.a.organizationId}/members/${who}/teams`;
    const { body } = await get(path(id));
    expect(body).toMatchObject({
      count: 2,
      items: [
        { team: { id: first, members: 1, permissions: { admin: true } }, member: { role: 'member' } },
        { team: { id: second }, member: { role: 'owner' } },
      ],
    });
    expect((await get(path(email))).body).toEqual(body);
    const own = (await get(path(id), token)).body.items;
    expect(
      own.map((each: { team: { permissions: { admin: boolean } } }) => each.team.permissions.admin),
    ).toEqual([false, true]);
    expect((await get(`${path(id)}?title=S_`)).body.items).toMatchObject([{ team: { id: second } }]);
    expectError(await get(path('nobody')), 404);
    expectError(await get(path(id), world.b.admin.token), 404);
  });
});
