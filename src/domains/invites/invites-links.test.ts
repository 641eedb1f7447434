import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aMember, aPerson, aWorld, type World } from '../../../test/world.ts';
import { newId } from '../../platform/ids.ts';
import { ROLES } from '../../platform/roles.ts';
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
  /** Where it is read and changed. */
  readonly path: string;
  /** The page that people open. */
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
  test.each([...ROLES, null])('201: is made for %s, and read, listed, changed and deleted', async (role) => {
    const made = await create({ role });
    expect(made.status).toBe(201);
    const { path } = await aLink(role).then(() => ({ path: `${organization}/link-invites/${made.body.id}` }));
    expect(made.body).toEqual({
      object: 'invite',
      id: expect.stringMatching(/^\w{20}$/),
      role,
      redundant: false,
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

  test('400: without a role, or with none that there is', async () => {
    const { path } = await aLink();
    for (const body of [{}, { role: 'owner' }, { role: 'guest' }, { role: 7 }, { level: 'read' }]) {
      expectError(await create(body), 400);
    }
    const answer = await call('PATCH', path, { role: 'owner' });
    expectError(answer, 400);
    expect(detailsOf(answer)[0]).toMatch(/^body/);
    expectError(await call('PATCH', path, {}), 400);
  });

  test('403 and 404: is for admins alone', async () => {
    const { path } = await aLink();
    for (const role of ['read', 'comment', 'edit', 'review', 'create', 'guest'] as const) {
      const { token } = world.a.people[role];
      expectError(await create({ role: 'read' }, token), 403);
      expectError(await get(`${organization}/link-invites`, token), 403);
      for (const [method, body] of [['GET'], ['PATCH', { role: 'admin' }], ['DELETE']] as const) {
        expectError(await call(method, path, body, token), 404);
      }
    }
    const elsewhere = path.replace(world.a.organizationId, world.b.organizationId);
    expectError(await get(elsewhere, world.b.admin.token), 404);
    expectError(await get(path, world.b.admin.token), 404);
  });
});

describe('joining by the API', () => {
  test.each([...ROLES, null])('200: with the role of the link: %s', async (role) => {
    const { id } = await aLink(role);
    const person = await aPerson(app, 'joiner');
    const answer = await join(id, person.token);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({});
    expect(await roleOf(person.id)).toBe(role);
    expect((await get(organization, person.token)).status).toBe(200);
  });

  test('200: by everybody who has it, again and again, with the role it has then', async () => {
    const { id, path } = await aLink('read');
    const [one, two] = [await aPerson(app, 'one'), await aPerson(app, 'two')];
    expect((await join(id, one.token)).status).toBe(200);
    await call('PATCH', path, { role: 'edit' });
    expect((await join(id, two.token)).status).toBe(200);
    expect((await join(id, one.token)).status).toBe(200);
    expect([await roleOf(one.id), await roleOf(two.id)]).toEqual(['read', 'edit']);
  });

  test('200: who is a member already keeps their role', async () => {
    const { id } = await aLink('admin');
    const member = await aMember(app, world.a.organizationId, 'comment');
    expect((await join(id, member.token)).status).toBe(200);
    expect(await roleOf(member.id)).toBe('comment');
  });

  test('200: twice at once', async () => {
    const { id } = await aLink('edit');
    for (let round = 0; round < 10; round++) {
      const { token } = await aPerson(app, 'hasty');
      const answers = await Promise.all([join(id, token), join(id, token), join(id, token)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });

  test('403: with a limited token', async () => {
    const { id } = await aLink();
    const person = await aPerson(app, 'limited');
    const scopes = ['organization:write', 'organization:members:write'];
    const { body } = await call('POST', '/v1/user/tokens', { label: 'Limited', scopes }, person.token);
    expectError(await join(id, body.token), 403);
  });

  test('404: of another organization, deleted, or made up', async () => {
    const { id, path } = await aLink();
    const { token } = await aPerson(app, 'joiner');
    expectError(await join(id, token, `/v1/orgs/${world.b.organizationId}`), 404);
    expectError(await join('nosuchinvitation', token), 404);
    await call('DELETE', path);
    expectError(await join(id, token), 404);
    expectError(await get(organization, token), 404);
  });
});

describe('joining by the page, without a mail server', () => {
  test('200: asks for name and address, and hands out a token', async () => {
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
    // Nobody has proven anything: the address was only typed in.
    const rows = await app.sql('select email_proven_at from users where email = $1', [email]);
    expect(rows).toEqual([{ email_proven_at: null }]);
  });

  test('400: an account that there is, proven or not, is not entered by typing its address', async () => {
    const { page } = await aLink('admin');
    const proven = await aPerson(app, 'proven');
    const unproven = anAddress();
    const { db } = app.app.installation.connection;
    await insertUser(db, { email: unproven, displayName: 'Unproven', isProven: false });
    const tokens = async () => (await app.sql('select from tokens')).length;
    const before = await tokens();
    for (const email of [proven.email, proven.email.toUpperCase(), unproven, ` ${unproven} `]) {
      const answer = await accept(page, { name: 'Impostor', email });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('has an account here');
      expect(tokenIn(answer)).toBe('');
    }
    expect(await tokens()).toBe(before);
    expect((await get(`${organization}/members/${proven.id}`)).status).toBe(404);
    const [row] = await app.sql('select display_name from users where email = $1', [unproven]);
    expect(row).toEqual({ display_name: 'Unproven' });
  });

  test('400: asks again for a name or an address that is none', async () => {
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

  test('of those who type the same new address at once, one is in', async () => {
    const { page } = await aLink();
    for (let round = 0; round < 10; round++) {
      const email = anAddress();
      const answers = await Promise.all([
        accept(page, { name: 'One', email }),
        accept(page, { name: 'Two', email }),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    }
  });

  test('404: when the link is deleted', async () => {
    const { page, path } = await aLink();
    await call('DELETE', path);
    expect((await app.call('GET', page)).status).toBe(404);
    expect((await accept(page, { name: 'Late', email: anAddress() })).status).toBe(404);
  });
});

describe('inviteLinks: false', () => {
  test('switches them all off, by every way, and on again', async () => {
    const { id, page, path } = await aLink();
    const { token } = await aPerson(app, 'joiner');
    await call('PATCH', organization, { inviteLinks: false });
    expectError(await create({ role: 'read' }), 409, /switched off/);
    expectError(await join(id, token), 404);
    expect((await app.call('GET', page)).status).toBe(404);
    expect((await accept(page, { name: 'Linked', email: anAddress() })).status).toBe(404);
    // They can still be seen and deleted; invitations by e-mail are something else.
    expect((await get(path)).status).toBe(200);
    const { body } = await call('POST', `${organization}/invites`, { emails: [anAddress()] });
    expect((await accept(new URL(body.links[0].url).pathname, { name: 'Mailed' })).status).toBe(200);

    await call('PATCH', organization, { inviteLinks: true });
    expect((await app.call('GET', page)).status).toBe(200);
    expect((await join(id, token)).status).toBe(200);
  });
});
