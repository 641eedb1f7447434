import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aMember, aPerson, aWorld, type World } from '../../../test/world.ts';
import { newId } from '../../platform/api/ids.ts';
import { ROLES } from '../access/index.ts';
import { insertUser } from '../users/index.ts';

let app: TestApp;
let world: World;
let organization: string;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  organization = `/v1/orgs/${world.a.organizationId}`;
});

const call = (method: string, path: string, body?: unknown, token = world.a.admin.token): Promise<Answer> =>
  app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const get = (path: string, token?: string) => call('GET', path, undefined, token);
const create = (body: unknown, token?: string) => call('POST', `${organization}/link-invites`, body, token);
const anAddress = () => `${newId().toLowerCase()}@linked.example`;

interface Link {
  readonly id: string;
  /** The path of the API resource. */
  readonly path: string;
  /** The path of the page for browsers. */
  readonly page: string;
}

async function aLink(role: string | null = 'read'): Promise<Link> {
  const { body, status, text } = await create({ role });
  expect(status, text).toBe(201);
  return {
    id: body.id,
    path: `${organization}/link-invites/${body.id}`,
    page: new URL(body.urls.join).pathname,
  };
}

const join = (id: string, token: string, within = organization) =>
  app.call('POST', `${within}/invites/${id}`, { token });
const accept = (page: string, fields: Record<string, string>) =>
  app.call('POST', page, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const tokenIn = ({ text }: Answer): string => /<code>(ov_\w+)<\/code>/.exec(text)?.[1] ?? '';
const roleOf = async (id: string) => (await get(`${organization}/members/${id}`)).body.role;

describe('an invite link', () => {
  test.each([...ROLES, null])('with role %s is created, read, listed, changed and deleted', async (role) => {
    const made = await create({ role });
    expect(made.status).toBe(201);
    const { path } = await aLink(role).then(() => ({ path: `${organization}/link-invites/${made.body.id}` }));
    expect(made.body).toEqual({
      object: 'invite',
      id: expect.stringMatching(/^\w{20}$/),
      role,
      redundant: false,
      expiresAt: expect.any(String),
      active: true,
      urls: { location: `http://octavo.test${path}`, join: `http://octavo.test/invite/${made.body.id}` },
    });
    expect((await get(path)).body).toEqual(made.body);
    expect((await get(`${organization}/link-invites?limit=1000`)).body.items).toContainEqual(made.body);
    const changed = await call('PATCH', path, { role: 'comment' });
    expect(changed.body).toEqual({ ...made.body, role: 'comment' });
    expect((await get(path)).body).toEqual(changed.body);
    expect((await call('DELETE', path)).status).toBe(205);
    expectError(await get(path), 404);
    expectError(await call('DELETE', path), 404);
  });

  test('returns 400 without a valid role', async () => {
    const { path } = await aLink();
    for (const body of [{}, { role: 'owner' }, { role: 'guest' }, { role: 7 }, { level: 'read' }]) {
      expectError(await create(body), 400);
    }
    const answer = await call('PATCH', path, { role: 'owner' });
    expectError(answer, 400);
    expect(detailsOf(answer)[0]).toMatch(/^body/);
    expectError(await call('PATCH', path, {}), 400);
  });

  test('returns 400 for `role` with a space or collection, which would open the organization', async () => {
    const { body: space } = await call('POST', `${organization}/spaces`, { title: 'Named' });
    const before = (await get(`${organization}/link-invites`)).body.count;
    for (const target of [{ space: space.id }, { collection: space.id }, { space: 'unknown' }]) {
      expectError(await create({ role: 'admin', ...target }), 400, /level/);
    }
    expect((await get(`${organization}/link-invites`)).body.count).toBe(before);
  });

  test('returns 403 or 404 to everyone except admins', async () => {
    const { path } = await aLink();
    for (const role of ['read', 'comment', 'edit', 'review', 'create', 'guest'] as const) {
      const { token } = world.a.people[role];
      expectError(await create({ role: 'read' }, token), 403);
      expect((await get(`${organization}/link-invites`, token)).body).toEqual({ count: 0, items: [] });
      for (const [method, body] of [['GET'], ['PATCH', { role: 'admin' }], ['DELETE']] as const) {
        expectError(await call(method, path, body, token), 404);
      }
    }
    const inOtherOrganization = path.replace(world.a.organizationId, world.b.organizationId);
    expectError(await get(inOtherOrganization, world.b.admin.token), 404);
    expectError(await get(path, world.b.admin.token), 404);
  });
});

describe('joining through the API', () => {
  test.each([...ROLES, null])('assigns the role of the link: %s', async (role) => {
    const { id } = await aLink(role);
    const person = await aPerson(app, 'joiner');
    const answer = await join(id, person.token);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({});
    expect(await roleOf(person.id)).toBe(role);
    expect((await get(organization, person.token)).status).toBe(200);
  });

  test('works for several users and repeatedly, with the current role of the link', async () => {
    const { id, path } = await aLink('read');
    const [one, two] = [await aPerson(app, 'one'), await aPerson(app, 'two')];
    expect((await join(id, one.token)).status).toBe(200);
    await call('PATCH', path, { role: 'edit' });
    expect((await join(id, two.token)).status).toBe(200);
    expect((await join(id, one.token)).status).toBe(200);
    expect([await roleOf(one.id), await roleOf(two.id)]).toEqual(['read', 'edit']);
  });

  test('keeps the role of an existing member', async () => {
    const { id } = await aLink('admin');
    const member = await aMember(app, world.a.organizationId, 'comment');
    expect((await join(id, member.token)).status).toBe(200);
    expect(await roleOf(member.id)).toBe('comment');
  });

  test('returns 200 to concurrent requests of one user', async () => {
    const { id } = await aLink('edit');
    for (let round = 0; round < 10; round++) {
      const { token } = await aPerson(app, 'hasty');
      const answers = await Promise.all([join(id, token), join(id, token), join(id, token)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });

  test('returns 403 with a limited token', async () => {
    const { id } = await aLink();
    const person = await aPerson(app, 'limited');
    const scopes = ['organization:write', 'organization:members:write'];
    const { body } = await call('POST', '/v1/user/tokens', { label: 'Limited', scopes }, person.token);
    expectError(await join(id, body.token), 403);
  });

  test('returns 404 for a link that is unknown, deleted or of another organization', async () => {
    const { id, path } = await aLink();
    const { token } = await aPerson(app, 'joiner');
    expectError(await join(id, token, `/v1/orgs/${world.b.organizationId}`), 404);
    expectError(await join('nosuchinvitation', token), 404);
    await call('DELETE', path);
    expectError(await join(id, token), 404);
    expectError(await get(organization, token), 404);
  });
});

describe('joining through the page, without a mail server', () => {
  test('asks for name and address and returns a token', async () => {
    const { page } = await aLink('edit');
    const shown = await app.call('GET', page);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('name="email"');
    const email = anAddress();
    const joined = await accept(page, { name: 'Linked', email: ` ${email.toUpperCase()} ` });
    expect(joined.status).toBe(200);
    const token = tokenIn(joined);
    const me = (await get('/v1/user', token)).body;
    expect(me).toMatchObject({ displayName: 'Linked', email });
    expect(await roleOf(me.id)).toBe('edit');
    // The address was only typed in, so it is not proven.
    const rows = await app.sql('select email_proven_at from users where email = $1', [email]);
    expect(rows).toEqual([{ email_proven_at: null }]);
  });

  test('with the address of an account creates another account and reveals nothing', async () => {
    const { page } = await aLink('admin');
    const proven = await aPerson(app, 'proven');
    const unproven = anAddress();
    const { db } = app.app.installation.connection;
    const claimant = await insertUser(db, { email: unproven, displayName: 'Unproven', isProven: false });
    for (const email of [proven.email, proven.email.toUpperCase(), unproven, ` ${unproven} `]) {
      const answer = await accept(page, { name: 'Impostor', email });
      expect(answer.status).toBe(200);
      const me = (await get('/v1/user', tokenIn(answer))).body;
      expect(me.displayName).toBe('Impostor');
      expect([proven.id, claimant]).not.toContain(me.id);
    }
    expect((await get(`${organization}/members/${proven.id}`)).status).toBe(404);
    expect((await get('/v1/user/tokens', proven.token)).body.count).toBe(1);
  });

  test('returns 400 and the form again for an invalid name or address', async () => {
    const { page } = await aLink();
    const email = anAddress();
    for (const fields of [
      { name: '', email },
      { name: 'x'.repeat(65), email },
      { name: 'a\u0000b', email },
      { name: 'Ok', email: '' },
      { name: 'Ok', email: 'nobody' },
      { name: 'Ok', email: 'a b@c.example' },
      { name: 'Ok', email: '"x@alpha.example@y"@evil.example' },
      { name: 'Ok', email: `${'x'.repeat(250)}@b.example` },
      { name: 'Ok', email: 'a@b.example\nBcc: x@y.example' },
      { name: 'Ok', email: '<script>alert(1)</script>@b.example' },
    ]) {
      const answer = await accept(page, fields);
      expect(answer.status, fields.email).toBe(400);
      expect(answer.text).toContain('role="alert"');
      expect(answer.text).not.toContain('<script');
    }
  });

  test('creates an account for each of two concurrent requests with the same address', async () => {
    const { page } = await aLink();
    for (let round = 0; round < 5; round++) {
      const email = anAddress();
      const answers = await Promise.all(['One', 'Two'].map((name) => accept(page, { name, email })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const rows = await app.sql('select email_proven_at from users where email = $1', [email]);
      expect(rows).toEqual([{ email_proven_at: null }, { email_proven_at: null }]);
    }
  });

  test('returns 404 after the link was deleted', async () => {
    const { page, path } = await aLink();
    await call('DELETE', path);
    expect((await app.call('GET', page)).status).toBe(404);
    expect((await accept(page, { name: 'Late', email: anAddress() })).status).toBe(404);
  });
});

describe('inviteLinks: false', () => {
  test('disables all invite links, in the API and on pages, until it is true again', async () => {
    const { id, page, path } = await aLink();
    const { token } = await aPerson(app, 'joiner');
    await call('PATCH', organization, { inviteLinks: false });
    expectError(await create({ role: 'read' }), 409, /disabled/);
    expectError(await join(id, token), 404);
    expect((await app.call('GET', page)).status).toBe(404);
    expect((await accept(page, { name: 'Linked', email: anAddress() })).status).toBe(404);
    // Links can still be read and deleted, and invitations by e-mail still work.
    expect((await get(path)).status).toBe(200);
    const { body } = await call('POST', `${organization}/invites`, { emails: [anAddress()] });
    expect((await accept(new URL(body.links[0].url).pathname, { name: 'Mailed' })).status).toBe(200);

    await call('PATCH', organization, { inviteLinks: true });
    expect((await app.call('GET', page)).status).toBe(200);
    expect((await join(id, token)).status).toBe(200);
  });
});

describe('an invite link becomes invalid', () => {
  const isValid = async ({ id, page }: Pick<Link, 'id' | 'page'>) => {
    const { token } = await aPerson(app, 'joiner');
    const [shown, posted, joined] = [
      await app.call('GET', page),
      await accept(page, { name: 'Late', email: anAddress() }),
      await join(id, token),
    ].map(({ status }) => status);
    expect([
      [200, 200, 200],
      [404, 404, 404],
    ]).toContainEqual([shown, posted, joined]);
    return shown === 200;
  };
  const linkOf = async (token: string, body: object): Promise<Pick<Link, 'id' | 'page'>> => {
    const made = await create(body, token);
    expect(made.status, made.text).toBe(201);
    return { id: made.body.id, page: new URL(made.body.urls.join).pathname };
  };
  const activeOf = async (id: string) => (await get(`${organization}/link-invites/${id}`)).body.active;

  test('when its creator is demoted, disabled or removed', async () => {
    const losses: Record<string, (id: string) => Promise<unknown>> = {
      demoted: (id) => call('PATCH', `${organization}/members/${id}`, { role: 'create' }),
      disabled: (id) => app.sql('update members set disabled = true where user_id = $1', [id]),
      removed: (id) => call('DELETE', `${organization}/members/${id}`),
    };
    for (const [name, lose] of Object.entries(losses)) {
      const creator = await aMember(app, world.a.organizationId, 'admin');
      const link = await linkOf(creator.token, { role: 'admin' });
      const invited = await call(
        'POST',
        `${organization}/invites`,
        { emails: [anAddress()], role: 'admin' },
        creator.token,
      );
      const oneTime = new URL(invited.body.links[0].url).pathname;
      expect(await isValid(link), name).toBe(true);
      await lose(creator.id);
      expect(await isValid(link), name).toBe(false);
      expect((await app.call('GET', oneTime)).status, name).toBe(404);
      expect((await accept(oneTime, { name: 'Late' })).status, name).toBe(404);
      // Admins see that the link is inactive and can delete it. Links of a removed creator are deleted.
      expect(await activeOf(link.id)).toBe(name === 'removed' ? undefined : false);
    }
  });

  test('when the creator loses the role admin on its space or collection, granted directly or by a team', async () => {
    const { body: collection } = await call('POST', `${organization}/collections`, { title: 'Around' });
    const { body: space } = await call('POST', `${organization}/spaces`, { parent: collection.id });
    const { body: team } = await call('PUT', `${organization}/teams`, { title: 'Admins' });
    for (const [into, path] of [
      [{ space: space.id }, `/v1/spaces/${space.id}`],
      [{ collection: collection.id }, `/v1/collections/${collection.id}`],
    ] as const) {
      const creator = await aMember(app, world.a.organizationId, 'read');
      const share = (body: object) => call('POST', `${path}/permissions`, body);
      await share({ role: 'admin', users: [creator.id] });
      const direct = await linkOf(creator.token, { level: 'admin', ...into });
      expect(await isValid(direct)).toBe(true);
      await call('PATCH', `${path}/permissions/users/${creator.id}`, { role: 'create' });
      expect(await isValid(direct)).toBe(false);
      await call('DELETE', `${path}/permissions/users/${creator.id}`);

      await call('PUT', `${organization}/teams/${team.id}/members/${creator.id}`, {});
      await share({ role: 'admin', teams: [team.id] });
      const byTeam = await linkOf(creator.token, { level: 'admin', ...into });
      expect(await isValid(byTeam)).toBe(true);
      await call('DELETE', `${organization}/teams/${team.id}/members/${creator.id}`);
      expect(await isValid(byTeam)).toBe(false);
    }
  });

  test('when it expires, after 30 days by default', async () => {
    const days = (body: { expiresAt: string }) => (Date.parse(body.expiresAt) - Date.now()) / 86_400_000;
    const made = (await create({ role: 'read' })).body;
    expect(days(made)).toBeCloseTo(30, 1);
    const expiresAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const short = (await create({ role: 'read', expiresAt })).body;
    expect(short.expiresAt).toBe(expiresAt);
    const path = `${organization}/link-invites/${made.id}`;
    expect((await call('PATCH', path, { role: 'edit', expiresAt })).body).toMatchObject({ expiresAt });
    expect((await call('PATCH', path, { role: 'read' })).body).toMatchObject({ expiresAt });
    for (const past of ['2020-01-01T00:00:00Z', 'soon', null]) {
      expectError(await create({ role: 'read', expiresAt: past }), 400);
      expectError(await call('PATCH', path, { role: 'read', expiresAt: past }), 400);
    }
    await app.sql(`update invites set expires_at = now() - interval '1 second' where id = $1`, [made.id]);
    expect(await isValid({ id: made.id, page: new URL(made.urls.join).pathname })).toBe(false);
    expect(await activeOf(made.id)).toBe(false);
  });
});

describe('links to a space or collection', () => {
  test('are listed only to its admins', async () => {
    const { body: space } = await call('POST', `${organization}/spaces`, { title: 'Opened' });
    const { body: collection } = await call('POST', `${organization}/collections`, { title: 'Opened' });
    const adminOf = async (target: string) => {
      const member = await aMember(app, world.a.organizationId, 'read');
      await call('POST', `/v1/${target}/permissions`, { role: 'admin', users: [member.id] });
      return member;
    };
    const spaceAdmin = await adminOf(`spaces/${space.id}`);
    const collectionAdmin = await adminOf(`collections/${collection.id}`);
    const intoSpace = (await create({ level: 'edit', space: space.id })).body;
    const intoCollection = (await create({ level: 'read', collection: collection.id })).body;
    const intoAll = (await create({ role: 'read' })).body;
    const listed = async (token?: string): Promise<{ id: string }[]> =>
      (await get(`${organization}/link-invites?limit=1000`, token)).body.items;
    expect(await listed(spaceAdmin.token)).toMatchObject([
      { id: intoSpace.id, role: null, level: 'edit', space: { id: space.id } },
    ]);
    expect(await listed(collectionAdmin.token)).toMatchObject([
      { id: intoCollection.id, role: null, level: 'read', collection: { id: collection.id } },
    ]);
    expect((await listed()).map(({ id }) => id)).toEqual(
      expect.arrayContaining([intoSpace.id, intoCollection.id, intoAll.id]),
    );
    expect(await listed(world.a.people.create.token)).toEqual([]);
    const path = `${organization}/link-invites/${intoSpace.id}`;
    expect((await call('DELETE', path, undefined, spaceAdmin.token)).status).toBe(205);
  });

  test('require the scope `space:permissions`', async () => {
    const { body: space } = await call('POST', `${organization}/spaces`, { title: 'Scoped' });
    const { body: collection } = await call('POST', `${organization}/collections`, { title: 'Scoped' });
    const limited = async (scopes: string[]): Promise<string> =>
      (await call('POST', '/v1/user/tokens', { label: 'Limited', scopes })).body.token;
    const members = await limited(['organization:members:read', 'organization:members:write', 'space:write']);
    const both = await limited([
      'organization:members:read',
      'organization:members:write',
      'space:permissions:read',
      'space:permissions:write',
    ]);
    for (const body of [
      { level: 'admin', space: space.id },
      { level: 'admin', collection: collection.id },
    ]) {
      expectError(await create(body, members), 403, /space:permissions:write/);
      const made = await create(body, both);
      expect(made.status, made.text).toBe(201);
      const path = `${organization}/link-invites/${made.body.id}`;
      expectError(await get(path, members), 403, /space:permissions:read/);
      expectError(await call('PATCH', path, { level: 'read' }, members), 403, /space:permissions:write/);
      expectError(await call('DELETE', path, undefined, members), 403);
      const ids = async (token: string) =>
        (await get(`${organization}/link-invites?limit=1000`, token)).body.items.map(
          ({ id }: { id: string }) => id,
        );
      expect(await ids(members)).not.toContain(made.body.id);
      expect(await ids(both)).toContain(made.body.id);
      expect((await call('PATCH', path, { level: 'read' }, both)).status).toBe(200);
    }
    expect((await create({ role: 'read' }, members)).status).toBe(201);
  });
});
