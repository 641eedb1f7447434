import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aMember, aPerson, aSide, aWorld, type Person, type Side, type World } from '../../../test/world.ts';
import { ROLES } from '../access/index.ts';
import { insertMember } from './index.ts';

let app: TestApp;
let world: World;
let members: string;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  members = `/v1/orgs/${world.a.organizationId}/members`;
});

const get = (path: string, token = world.a.admin.token) => app.call('GET', path, { token });
const setRole = (path: string, role: unknown, token = world.a.admin.token, headers = {}) =>
  app.call('PATCH', path, { token, body: { role }, headers });

/** A member with this name and address. */
async function named(
  side: Side,
  displayName: string,
  email: string,
  role: 'read' | null = 'read',
): Promise<Person> {
  const person = await aPerson(app, 'named');
  await app.sql('update users set display_name = $2, email = $3 where id = $1', [
    person.id,
    displayName,
    email,
  ]);
  await insertMember(app.app.installation.connection.db, {
    organizationId: side.organizationId,
    userId: person.id,
    role,
  });
  return { ...person, email };
}

describe('GET members', () => {
  let side: Side;
  const list = async (query = ''): Promise<string[]> => {
    const { body, status, text } = await get(
      `/v1/orgs/${side.organizationId}/members${query}`,
      side.admin.token,
    );
    expect(status, text).toBe(200);
    expect(body.count).toBe(body.items.length);
    return body.items.map((item: { id: string }) => item.id);
  };

  beforeAll(async () => {
    side = await aSide(app, 'listed');
  });

  test('returns each member with the account', async () => {
    const { body } = await get(
      `/v1/orgs/${side.organizationId}/members?search=listed-edit`,
      side.admin.token,
    );
    const { id, email } = side.people.edit;
    expect(body).toEqual({
      count: 1,
      items: [
        {
          object: 'member',
          id,
          role: 'edit',
          user: expect.objectContaining({ object: 'user', id, email, displayName: 'listed-edit' }),
          emailProven: true,
          disabled: false,
          joinedAt: expect.any(String),
          sso: false,
          spaces: 0,
          teams: 0,
          sites: 0,
        },
      ],
    });
  });

  test('sorts by the latest first, or as requested', async () => {
    const { organizationId, people } = side;
    const ids = [people.admin, people.read, people.comment, people.edit].map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      await app.sql(
        `update members set joined_at = now() + make_interval(hours => $3), last_seen_at = now() - make_interval(hours => $3)
         where organization_id = $1 and user_id = $2`,
        [organizationId, id, index + 1],
      );
    }
    const sorted = async (query: string) => (await list(query)).filter((id) => ids.includes(id));
    expect(await sorted('')).toEqual(ids.toReversed());
    expect(await sorted('?sort=joinedAt')).toEqual(ids.toReversed());
    expect(await sorted('?sort=joinedAt&order=asc')).toEqual(ids);
    expect(await sorted('?sort=lastSeenAt')).toEqual(ids);
    expect(await sorted('?sort=lastSeenAt&order=asc')).toEqual(ids.toReversed());
    // Members without `lastSeenAt` come last.
    expect((await list('?sort=lastSeenAt')).slice(0, ids.length)).toEqual(ids);
  });

  test('filters by role', async () => {
    for (const role of [...ROLES, 'guest'] as const) {
      expect(await list(`?role=${role}`)).toEqual([side.people[role].id]);
    }
  });

  test('searches a part of the name or address, ignoring case', async () => {
    const ada = await named(side, 'Ada LOVELACE', 'countess@math.example');
    const percent = await named(side, '100% sure', 'percent@odd.example');
    const underscore = await named(side, 'snake_case', 'snake@odd.example');
    const backslash = await named(side, 'back\\slash', 'back@odd.example');
    const apfel = await named(side, 'Ärger Öl', 'apfel@odd.example');
    const found = (text: string) => list(`?search=${encodeURIComponent(text)}`);
    for (const text of ['Ada', 'ada love', 'LACE', 'countess', 'COUNTESS@MATH', 'a l'])
      expect(await found(text)).toEqual([ada.id]);
    for (const text of ['%', '100%', '0% s']) expect(await found(text)).toEqual([percent.id]);
    for (const text of ['_', 'E_C']) expect(await found(text)).toEqual([underscore.id]);
    for (const text of ['\\', 'K\\S']) expect(await found(text)).toEqual([backslash.id]);
    for (const text of ['ärger', 'ÖL', 'Ger ö']) expect(await found(text)).toEqual([apfel.id]);
    expect(await found('nobody at all')).toEqual([]);
    expect(await found('a_a')).toEqual([]);
    expect(await found("' or 1=1")).toEqual([]);
    expect(await list('?search=odd.example&role=guest')).toEqual([]);
    expect((await list('?search=odd.example&role=read')).length).toBe(4);
    expect((await list('?search=')).length).toBe((await list()).length);
  });

  test('returns 403 to guests, 404 to users of other organizations', async () => {
    expectError(await get(members, world.a.people.guest.token), 403);
    expectError(await get(members, world.b.admin.token), 404);
    for (const role of ROLES) expect((await get(members, world.a.people[role].token)).status).toBe(200);
  });
});

describe('GET a member', () => {
  test('finds by id or by e-mail address, ignoring case', async () => {
    const { id, email, token } = world.a.people.comment;
    const byId = await get(`${members}/${id}`, world.a.people.read.token);
    expect(byId.body).toMatchObject({ id, role: 'comment', user: { email } });
    expect((await get(`${members}/${encodeURIComponent(email)}`)).body).toEqual(byId.body);
    expect((await get(`${members}/${email}`)).body).toEqual(byId.body);
    expect((await get(`${members}/${email.toUpperCase()}`)).body).toEqual(byId.body);
    expect((await get(`${members}/${id}`, token)).body).toEqual(byId.body);
  });

  test('returns guests only themselves', async () => {
    const { guest, read } = world.a.people;
    const answer = await get(`${members}/${guest.id}`, guest.token);
    expect(answer.body).toMatchObject({ id: guest.id, role: null });
    expectError(await get(`${members}/${read.id}`, guest.token), 404);
  });

  test('returns 404 for users who are not members of this organization', async () => {
    for (const id of [
      world.b.admin.id,
      world.stranger.id,
      world.stranger.email,
      'nobody',
      'no@body.example',
    ]) {
      expectError(await get(`${members}/${id}`), 404);
    }
    expectError(await get(`${members}/${world.a.admin.id}`, world.b.admin.token), 404);
  });
});

describe('PATCH a member', () => {
  test('sets every role, and null, with immediate effect', async () => {
    const { id, token } = await aMember(app, world.a.organizationId, 'read');
    const organization = `/v1/orgs/${world.a.organizationId}`;
    for (const role of [...ROLES, null, 'read'] as const) {
      const answer = await setRole(`${members}/${id}`, role);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toMatchObject({ id, role });
      expect((await get(organization, token)).body.permissions).toMatchObject({
        admin: role === 'admin',
        createContent: role === 'create' || role === 'admin',
        listMembers: role !== null,
      });
      expect((await app.call('PATCH', organization, { token, body: {} })).status).toBe(
        role === 'admin' ? 200 : 403,
      );
    }
  });

  test('without a role changes nothing, also by e-mail address', async () => {
    const { id, email } = world.a.people.review;
    const before = (await get(`${members}/${id}`)).body;
    const { token } = world.a.admin;
    expect((await app.call('PATCH', `${members}/${id}`, { token, body: {} })).body).toEqual(before);
    expect((await setRole(`${members}/${email}`, 'review')).body).toEqual(before);
  });

  test('returns 400 for an invalid role', async () => {
    for (const role of ['guest', 'owner', '', 'Admin', 7, ['read'], {}]) {
      const answer = await setRole(`${members}/${world.a.people.read.id}`, role);
      expectError(answer, 400);
      expect(detailsOf(answer)[0]).toMatch(/^body\.role: /);
    }
  });

  test('returns 403 to everyone except admins, also for oneself; 404 for users outside of it', async () => {
    for (const role of ['read', 'comment', 'edit', 'review', 'create', 'guest'] as const) {
      const { id, token } = world.a.people[role];
      expectError(await setRole(`${members}/${id}`, 'admin', token), 403);
    }
    expectError(await setRole(`${members}/${world.stranger.id}`, 'read'), 404);
    expectError(await setRole(`${members}/${world.a.people.read.id}`, 'read', world.b.admin.token), 404);
  });
});

describe('DELETE a member', () => {
  const remove = (path: string, token = world.a.admin.token) => app.call('DELETE', path, { token });

  test('by an admin ends all access to the organization', async () => {
    const { id, token } = await aMember(app, world.a.organizationId, 'create');
    expect((await remove(`${members}/${id}`)).status).toBe(205);
    expectError(await get(`${members}/${id}`), 404);
    expectError(await get(`/v1/orgs/${world.a.organizationId}`, token), 404);
    expect((await get('/v1/user', token)).status).toBe(200);
    expectError(await remove(`${members}/${id}`), 404);
  });

  test('deletes the open invitations to the address of that member', async () => {
    const { id, email, token } = await aMember(app, world.a.organizationId, 'read');
    const other = await aPerson(app, 'invited');
    const emails = [email, other.email];
    const path = `/v1/orgs/${world.a.organizationId}/invites`;
    await app.call('POST', path, { token: world.a.admin.token, body: { emails, role: 'admin' } });
    const invited = await app.sql('select id, email from invites where email = any($1)', [emails]);
    expect(invited).toHaveLength(2);
    const join = (to: string, by: string) =>
      app.call('POST', `${path}/${invited.find((row) => row['email'] === to)?.['id']}`, { token: by });
    expect((await remove(`${members}/${id}`)).status).toBe(205);
    expectError(await join(email, token), 404);
    expect((await join(other.email, other.token)).status).toBe(200);
  });

  test.each([...ROLES.filter((role) => role !== 'admin'), 'guest'] as const)(
    'returns 205 to %s for oneself',
    async (role) => {
      const { id, token } = await aMember(app, world.a.organizationId, role === 'guest' ? null : role);
      expect((await remove(`${members}/${id}`, token)).status).toBe(205);
      expectError(await get(`${members}/${id}`), 404);
    },
  );

  test('removes the member from teams', async () => {
    const { id, email } = await aMember(app, world.a.organizationId, 'read');
    const teams = `/v1/orgs/${world.a.organizationId}/teams`;
    const body = { title: 'Left behind', members: [id] };
    const team = (await app.call('PUT', teams, { token: world.a.admin.token, body })).body;
    expect(team.members).toBe(1);
    expect((await get(`${members}/${id}`)).body.teams).toBe(1);
    await remove(`${members}/${email}`);
    expect((await get(`${teams}/${team.id}`)).body.members).toBe(0);
    expect((await get(`${teams}/${team.id}/members`)).body.items).toEqual([]);
    // A new membership does not restore the teams.
    await insertMember(app.app.installation.connection.db, {
      organizationId: world.a.organizationId,
      userId: id,
      role: 'read',
    });
    expect((await get(`${members}/${id}/teams`)).body.items).toEqual([]);
  });

  test('does not affect other organizations', async () => {
    const { id } = await aMember(app, world.a.organizationId, 'read');
    await insertMember(app.app.installation.connection.db, {
      organizationId: world.b.organizationId,
      userId: id,
      role: 'edit',
    });
    await remove(`${members}/${id}`);
    const inOther = await get(`/v1/orgs/${world.b.organizationId}/members/${id}`, world.b.admin.token);
    expect(inOther.body.role).toBe('edit');
  });

  test('returns 403 to everyone except admins, 404 to callers who cannot see the member', async () => {
    const { id } = await aMember(app, world.a.organizationId, 'read');
    for (const role of ['read', 'comment', 'edit', 'review', 'create'] as const) {
      expectError(await remove(`${members}/${id}`, world.a.people[role].token), 403);
    }
    expectError(await remove(`${members}/${id}`, world.a.people.guest.token), 404);
    expectError(await remove(`${members}/${id}`, world.b.admin.token), 404);
    expect((await get(`${members}/${id}`)).status).toBe(200);
  });
});

describe('the last admin', () => {
  let side: Side;
  let path: (person: Person) => string;

  const adminsOf = async ({ organizationId }: Side) =>
    (
      await app.sql(
        `select user_id from members where organization_id = $1 and role = 'admin' and not disabled`,
        [organizationId],
      )
    ).length;

  beforeAll(async () => {
    side = await aSide(app, 'lonely');
    path = ({ id }) => `/v1/orgs/${side.organizationId}/members/${id}`;
  });

  test('cannot leave or be demoted (409)', async () => {
    const { admin } = side;
    expectError(await app.call('DELETE', path(admin), { token: admin.token }), 409, /at least one admin/);
    for (const role of ['create', 'read', null])
      expectError(await setRole(path(admin), role, admin.token), 409);
    expect((await setRole(path(admin), 'admin', admin.token)).status).toBe(200);
    expect(await adminsOf(side)).toBe(1);
  });

  test('is protected although another admin is disabled', async () => {
    const second = await aMember(app, side.organizationId, 'admin');
    await app.sql('update members set disabled = true where user_id = $1', [second.id]);
    expectError(await setRole(path(side.admin), 'read', side.admin.token), 409);
    await app.sql('delete from members where user_id = $1', [second.id]);
  });

  test('can leave or be demoted once there is another admin', async () => {
    const second = await aMember(app, side.organizationId, 'admin');
    expect((await setRole(path(side.admin), 'create', side.admin.token)).status).toBe(200);
    expectError(await app.call('DELETE', path(second), { token: second.token }), 409);
    expect((await setRole(path(side.admin), 'admin', second.token)).status).toBe(200);
    expect((await app.call('DELETE', path(second), { token: second.token })).status).toBe(205);
    expect(await adminsOf(side)).toBe(1);
  });

  type Headers = Record<string, string>;
  type Race = (
    one: Person,
    two: Person,
    firstHeaders: Headers,
    secondHeaders: Headers,
  ) => Promise<{ status: number; text: string }>[];

  /** Two concurrent requests, each of which removes one of the two admins. */
  const RACES: Record<string, Race> = {
    'two demote each other': (one, two, firstHeaders, secondHeaders) => [
      setRole(path(two), 'read', one.token, firstHeaders),
      setRole(path(one), 'read', two.token, secondHeaders),
    ],
    'two demote themselves': (one, two, firstHeaders, secondHeaders) => [
      setRole(path(one), null, one.token, firstHeaders),
      setRole(path(two), null, two.token, secondHeaders),
    ],
    'two leave': (one, two, firstHeaders, secondHeaders) => [
      app.call('DELETE', path(one), { token: one.token, headers: firstHeaders }),
      app.call('DELETE', path(two), { token: two.token, headers: secondHeaders }),
    ],
    'one leaves while demoting the other': (one, two, firstHeaders, secondHeaders) => [
      app.call('DELETE', path(one), { token: one.token, headers: firstHeaders }),
      setRole(path(two), 'edit', one.token, secondHeaders),
    ],
  };

  // A precondition selects another isolation level, in which concurrent changes are not visible.
  const ANY = { 'if-match': '*' };
  test.each(
    Object.entries(RACES).flatMap(([name, race]) => [
      [name, race, {}, {}] as const,
      [`${name}, with preconditions`, race, ANY, ANY] as const,
      [`${name}, with one precondition`, race, ANY, {}] as const,
    ]),
  )('remains when %s', async (_name, race, firstHeaders, secondHeaders) => {
    for (let round = 0; round < 20; round++) {
      const [one, two] = [
        await aMember(app, side.organizationId, 'admin'),
        await aMember(app, side.organizationId, 'admin'),
      ];
      await app.sql('delete from members where organization_id = $1 and user_id <> all($2)', [
        side.organizationId,
        [one.id, two.id],
      ]);
      const answers = await Promise.all(race(one, two, firstHeaders, secondHeaders));
      for (const { status, text } of answers) expect([200, 205, 403, 404, 409], text).toContain(status);
      expect(await adminsOf(side), `round ${round}: ${answers.map(({ status }) => status).join(', ')}`).toBe(
        1,
      );
    }
  });
});

describe('POST ping', () => {
  test('sets `lastSeenAt` of a member', async () => {
    const { id, token } = await aMember(app, world.a.organizationId, null);
    expect((await get(`${members}/${id}`)).body).not.toHaveProperty('lastSeenAt');
    const begun = Date.now();
    const answer = await app.call('POST', `/v1/orgs/${world.a.organizationId}/ping`, { token });
    expect(answer.body).toEqual({});
    const { lastSeenAt } = (await get(`${members}/${id}`)).body;
    expect(new Date(lastSeenAt).getTime()).toBeGreaterThan(begun - 1000);
  });
});
