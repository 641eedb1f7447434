import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aPerson, aWorld, type Person, type World } from '../../../test/world.ts';
import { newId } from '../../platform/api/ids.ts';
import { insertUser } from '../users/index.ts';

/** An invitation must not prove an address, give access to an account, or add a member without consent. No mail server. */

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

const call = (method: string, path: string, token: string, body?: unknown): Promise<Answer> =>
  app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const post = (page: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.call('POST', page, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
const tokenIn = ({ text }: Answer): string => /<code>(ov_\w+)<\/code>/.exec(text)?.[1] ?? '';
const organizationOf = async (person: Person) =>
  (await call('POST', '/v1/orgs', person.token, { title: 'Own' })).body.id as string;
const userOf = async (token: string) => (await call('GET', '/v1/user', token)).body;
const isMember = async (organizationId: string, userId: string, adminToken: string) =>
  (await call('GET', `/v1/orgs/${organizationId}/members/${userId}`, adminToken)).status === 200;

/** Invites an address. Returns the response, the id and the page of the link given to the inviter. */
async function invite(organizationId: string, email: string, token: string, role = 'read') {
  const answer = await call('POST', `/v1/orgs/${organizationId}/invites`, token, { emails: [email], role });
  expect(answer.status, answer.text).toBe(200);
  const [row] = await app.sql('select id from invites where organization_id = $1 and email = $2', [
    organizationId,
    email,
  ]);
  return { answer, page: new URL(answer.body.links[0].url).pathname, id: String(row?.['id']) };
}

describe('a link given to the inviter', () => {
  test('never gives access to the account of the address', async () => {
    const victim = await aMember(app, world.a.organizationId, 'admin', 'victim');
    const attacker = await aPerson(app, 'attacker');
    const own = await organizationOf(attacker);
    for (const email of [victim.email, victim.email.toUpperCase()]) {
      const { page } = await invite(own, email.toLowerCase(), attacker.token);
      const token = tokenIn(await post(page, { name: 'Attacker' }));
      // The attacker gets a new account with an unproven address.
      const me = await userOf(token);
      expect(me.id).not.toBe(victim.id);
      expectError(await call('GET', `/v1/orgs/${world.a.organizationId}`, token), 404);
    }
    expect((await userOf(victim.token)).id).toBe(victim.id);
    expect(await isMember(own, victim.id, attacker.token)).toBe(false);
  });

  test('responds identically whether or not the address has an account', async () => {
    const attacker = await aPerson(app, 'attacker');
    const own = await organizationOf(attacker);
    const existing = await aPerson(app, 'known');
    const answers = [];
    for (const email of [existing.email, `${newId().toLowerCase()}@unknown.example`]) {
      const { answer, page } = await invite(own, email, attacker.token);
      expect(answer.body).toEqual({ users: [], invited: 1, links: [{ email, url: expect.any(String) }] });
      const shown = await app.call('GET', page);
      const created = await post(page, { name: 'Attacker' });
      const without = (text: string) => text.replaceAll(email, '').replaceAll(/ov_\w+/g, '');
      answers.push([shown.status, without(shown.text), created.status, without(created.text)]);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test('creates an account that email domains and other invitations do not trust', async () => {
    const domain = `${newId().toLowerCase()}.example`;
    await call('PATCH', `/v1/orgs/${world.b.organizationId}`, world.b.admin.token, {
      emailDomains: ['beta.example', domain],
    });
    const attacker = await aPerson(app, 'attacker');
    const email = `boss@${domain}`;
    const own = await invite(await organizationOf(attacker), email, attacker.token);
    const token = tokenIn(await post(own.page, { name: 'Attacker' }));
    expectError(await call('POST', `/v1/orgs/${world.b.organizationId}/join`, token), 404);
    expect((await call('GET', `/v1/email-domains/${domain}/orgs`, token)).body.organizations).toEqual([]);
    const other = await invite(world.b.organizationId, email, world.b.admin.token, 'admin');
    expectError(await call('POST', `/v1/orgs/${world.b.organizationId}/invites/${other.id}`, token), 404);
  });

  test.each(['a mail server is configured later', 'an earlier invitation was mailed'])(
    'proves nothing if %s',
    async (order) => {
      const environment = { OCTAVO_SMTP_URL: 'smtp://127.0.0.1:1', OCTAVO_SMTP_FROM: 'docs@octavo.test' };
      const mailing = await startApp({ beside: app, environment });
      const organizationId = await organizationOf(await aPerson(app, 'attacker'));
      const { token } = await aMember(app, organizationId, 'admin', 'inviter');
      const email = `${newId().toLowerCase()}@victim.example`;
      if (order === 'an earlier invitation was mailed') {
        const path = `/v1/orgs/${organizationId}/invites`;
        const mailed = await mailing.call('POST', path, { token, body: { emails: [email], role: 'read' } });
        expect(mailed.body).toEqual({ users: [], invited: 1 });
      }
      const { page } = await invite(organizationId, email, token);
      const raw = 'name=Attacker';
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const accepted = await mailing.call('POST', page, { raw, headers });
      expect(tokenIn(accepted)).not.toBe('');
      const accounts = await app.sql('select email_proven_at from users where email = $1', [email]);
      expect(accounts).toEqual([{ email_proven_at: null }]);
    },
  );

  test('adds the account of a token in the header or the form, once', async () => {
    for (const by of ['header', 'form'] as const) {
      const person = await aPerson(app, 'joiner');
      const { page } = await invite(
        world.a.organizationId,
        `${newId().toLowerCase()}@x.example`,
        world.a.admin.token,
        'edit',
      );
      const join = () =>
        by === 'form'
          ? post(page, { token: person.token })
          : post(page, {}, { authorization: `Bearer ${person.token}` });
      const joined = await join();
      expect(joined.status, joined.text).toBe(200);
      expect(joined.text).not.toMatch(/ov_/);
      const member = await call(
        'GET',
        `/v1/orgs/${world.a.organizationId}/members/${person.id}`,
        world.a.admin.token,
      );
      expect(member.body.role).toBe('edit');
      expect((await join()).status).toBe(404);
      expect((await userOf(person.token)).email).toBe(person.email);
    }
  });

  test('rejects an invalid, expired or limited token and remains valid', async () => {
    const person = await aPerson(app, 'limited');
    const { page } = await invite(
      world.a.organizationId,
      `${newId().toLowerCase()}@x.example`,
      world.a.admin.token,
    );
    const limited = await call('POST', '/v1/user/tokens', person.token, {
      label: 'Limited',
      scopes: ['organization:members:write'],
    });
    const expired = await call('POST', '/v1/user/tokens', person.token, { label: 'Expired' });
    await app.sql(`update tokens set expires_at = now() - interval '1 second' where id = $1`, [
      expired.body.id,
    ]);
    for (const token of [
      'ov_nothing',
      'x'.repeat(3000),
      'a\u0000b',
      limited.body.token,
      expired.body.token,
    ]) {
      const answer = await post(page, { token, name: 'Somebody' });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('role="alert"');
      expect(tokenIn(answer)).toBe('');
    }
    expect((await post(page, { token: person.token })).status).toBe(200);
  });
});

describe('an address of two accounts', () => {
  test('can be proven by its owner although another account claims it', async () => {
    const { db } = app.app.installation.connection;
    const email = `${newId().toLowerCase()}@claimed.example`;
    const link = await call('POST', `/v1/orgs/${world.a.organizationId}/link-invites`, world.a.admin.token, {
      role: 'read',
    });
    const page = new URL(link.body.urls.join).pathname;
    const impostors = await Promise.all(
      ['One', 'Two'].map(async (name) => userOf(tokenIn(await post(page, { name, email })))),
    );
    const owner = await insertUser(db, { email, displayName: 'Owner', isProven: true });
    expect(owner).toBeDefined();
    expect(new Set([...impostors.map(({ id }) => id), owner]).size).toBe(3);
    // Only one account can have a proven address.
    expect(await insertUser(db, { email, displayName: 'Second', isProven: true })).toBeUndefined();
  });

  test('identifies a member only if it is proven', async () => {
    const organization = `/v1/orgs/${world.a.organizationId}`;
    const owner = await aMember(app, world.a.organizationId, 'read', 'owner');
    const link = await call('POST', `${organization}/link-invites`, world.a.admin.token, { role: 'read' });
    const page = new URL(link.body.urls.join).pathname;
    const unproven = `${newId().toLowerCase()}@claimed.example`;
    await post(page, { name: 'Impostor', email: owner.email });
    await post(page, { name: 'Impostor', email: unproven });
    const found = (email: string) => call('GET', `${organization}/members/${email}`, world.a.admin.token);
    expect((await found(owner.email)).body).toMatchObject({ id: owner.id, emailProven: true });
    expectError(await found(unproven), 404);
    const { body: team } = await call('PUT', `${organization}/teams`, world.a.admin.token, { title: 'T' });
    const path = `${organization}/teams/${team.id}/members`;
    expectError(await call('PUT', `${path}/${unproven}`, world.a.admin.token, {}), 404);
    expect((await call('PUT', `${path}/${owner.email}`, world.a.admin.token, {})).status).toBe(204);
    const members = await call('GET', path, world.a.admin.token);
    expect(members.body.items.map((each: { organization: { id: string } }) => each.organization.id)).toEqual([
      owner.id,
    ]);
    const listed = await call('GET', `${organization}/members?search=${unproven}`, world.a.admin.token);
    expect(listed.body.items).toMatchObject([{ emailProven: false, user: { email: unproven } }]);
  });

  test('is visible only to its own account while it is not proven', async () => {
    const organization = `/v1/orgs/${world.a.organizationId}`;
    const email = world.a.people.review.email;
    const link = await call('POST', `${organization}/link-invites`, world.a.admin.token, { role: 'edit' });
    const token = tokenIn(await post(new URL(link.body.urls.join).pathname, { name: 'Impostor', email }));
    const me = await userOf(token);
    expect(me.email).toBe(email);
    expect((await call('GET', `/v1/users/${me.id}`, world.a.admin.token)).body.email).toBe('');
    const { body: space } = await call('POST', `${organization}/spaces`, world.a.admin.token, { title: 'S' });
    const requests = `/v1/spaces/${space.id}/change-requests`;
    const made = await call('POST', requests, token, { subject: 'By an impostor' });
    expect(made.body.createdBy).toMatchObject({ id: me.id, email: '' });
    const read = await call('GET', `${requests}/${made.body.id}`, world.a.admin.token);
    expect(read.body.createdBy).toMatchObject({ id: me.id, email: '' });
  });

  test('does not satisfy a merge rule about `actor.email` while it is not proven', async () => {
    const organization = `/v1/orgs/${world.a.organizationId}`;
    const { admin } = world.a;
    const link = await call('POST', `${organization}/link-invites`, admin.token, { role: 'review' });
    const impostor = tokenIn(
      await post(new URL(link.body.urls.join).pathname, { name: 'Impostor', email: admin.email }),
    );
    const { body: space } = await call('POST', `${organization}/spaces`, admin.token, { title: 'Ruled' });
    const expression = `actor.email == "${admin.email}"`;
    const mergeRules = { type: 'rules', rules: [{ rule: 'custom', expression }] };
    expect((await call('PATCH', `/v1/spaces/${space.id}`, admin.token, { mergeRules })).status).toBe(200);
    const requests = `/v1/spaces/${space.id}/change-requests`;
    const { body: request } = await call('POST', requests, admin.token, {});
    const changes = [{ operation: 'insert_page', title: 'New', document: { markdown: 'New' } }];
    await call('POST', `${requests}/${request.id}/content`, admin.token, { changes });
    expectError(await call('POST', `${requests}/${request.id}/merge`, impostor), 409, /rules/);
    expect((await call('POST', `${requests}/${request.id}/merge`, admin.token)).status).toBe(200);
  });
});

describe('inviting an existing user', () => {
  test('does not add them until they accept with their own token', async () => {
    const existing = await aPerson(app, 'known');
    const organization = `/v1/orgs/${world.a.organizationId}`;
    const { id, answer } = await invite(
      world.a.organizationId,
      existing.email,
      world.a.admin.token,
      'comment',
    );
    expect(answer.text).not.toContain(existing.id);
    expectError(await call('GET', organization, existing.token), 404);
    expectError(await call('GET', `/v1/users/${existing.id}`, world.a.admin.token), 404);
    expect((await call('POST', `${organization}/invites/${id}`, existing.token)).status).toBe(200);
    expect((await call('GET', organization, existing.token)).status).toBe(200);
    expect(await isMember(world.a.organizationId, existing.id, world.a.admin.token)).toBe(true);
  });
});
