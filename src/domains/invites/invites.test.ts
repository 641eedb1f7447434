import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aMember, aPerson, aWorld, type World } from '../../../test/world.ts';
import { newId } from '../../platform/api/ids.ts';
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
const invite = (body: unknown, token?: string) => call('POST', `${organization}/invites`, body, token);
const anAddress = (domain = 'invited.example') => `${newId().toLowerCase()}@${domain}`;

/** Invites an address and returns the path of the page of its one-time link. */
async function aLink(email: string, more: object = {}): Promise<string> {
  const { body, status, text } = await invite({ emails: [email], ...more });
  expect(status, text).toBe(200);
  return new URL(body.links[0].url).pathname;
}

const open = (page: string) => app.call('GET', page);
const accept = (page: string, fields: Record<string, string> = { name: 'New Person' }) =>
  app.call('POST', page, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const tokenIn = ({ text }: Answer): string => /<code>(ov_\w+)<\/code>/.exec(text)?.[1] ?? '';
/** Searches by address, because an unproven address does not identify a member. */
const memberAt = async (email: string) =>
  (await get(`${organization}/members?search=${encodeURIComponent(email)}`)).body.items[0];
const openInvites = async (): Promise<{ id: string; email: string; role: string | null }[]> =>
  (await get(`${organization}/invites?limit=1000`)).body.items;
const idOfInvite = async (email: string) =>
  (await openInvites()).find((each) => each.email === email)?.id ?? '';

describe('POST invites, without a mail server', () => {
  test('returns a link for each address and lists the invitations until they are accepted', async () => {
    const emails = Array.from({ length: 12 }, () => anAddress());
    const { status, body } = await invite({ emails, role: 'edit' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ users: [], invited: 12 });
    expect(body.links.map((link: { email: string }) => link.email)).toEqual(emails);
    const urls: string[] = body.links.map((link: { url: string }) => link.url);
    for (const url of urls) expect(url).toMatch(/^http:\/\/octavo\.test\/invite\/\w{32}$/);
    expect(new Set(urls).size).toBe(12);
    const listed = await openInvites();
    expect(listed.filter(({ email }) => emails.includes(email))).toHaveLength(12);
    expect(listed.find(({ email }) => email === emails[0])).toEqual({
      object: 'email-invite',
      id: expect.stringMatching(/^\w{20}$/),
      email: emails[0],
      role: 'edit',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      active: true,
    });
    // Only a hash is stored.
    const stored = JSON.stringify(await app.sql(`select i::text from invites i`));
    for (const url of urls) expect(stored).not.toContain(url.split('/').at(-1));
  });

  test('treats people with a proven address alike; they join with their own token', async () => {
    const existing = await aPerson(app, 'known');
    const { body } = await invite({ emails: [existing.email.toUpperCase(), anAddress()], role: 'comment' });
    expect(body).toEqual({ users: [], invited: 2, links: [expect.anything(), expect.anything()] });
    expect(await memberAt(existing.email)).toBeUndefined();
    const path = `${organization}/invites/${await idOfInvite(existing.email)}`;
    expect((await call('POST', path, undefined, existing.token)).status).toBe(200);
    expect(await memberAt(existing.email)).toMatchObject({ id: existing.id, role: 'comment' });
    expect((await get(organization, existing.token)).status).toBe(200);
  });

  test('keeps the role of an existing member', async () => {
    const { email, token } = await aMember(app, world.a.organizationId, 'create');
    const page = await aLink(email, { role: 'read' });
    expect((await accept(page, { token })).status).toBe(200);
    expect((await memberAt(email)).role).toBe('create');
  });

  test('returns a link that creates a new account, not one that claims the address', async () => {
    const email = anAddress();
    const claimant = await insertUser(app.app.installation.connection.db, {
      email,
      displayName: 'Claims to be',
      isProven: false,
    });
    const page = await aLink(email);
    expect(await memberAt(email)).toBeUndefined();
    expect((await accept(page)).status).toBe(200);
    const member = await memberAt(email);
    expect(member).toMatchObject({ role: 'read', emailProven: false });
    expect(member.id).not.toBe(claimant);
  });

  test('takes the role from the entry, the request or the default of the organization', async () => {
    const [own, given, fallback, none, guest] = Array.from({ length: 5 }, () => anAddress());
    await invite({
      emails: [{ email: own, role: 'review' }, given, { email: guest, role: null }],
      role: 'create',
    });
    await invite({ emails: [fallback] });
    await call('PATCH', organization, { defaultRole: null });
    await invite({ emails: [none] });
    await call('PATCH', organization, { defaultRole: 'read' });
    const roles = new Map((await openInvites()).map(({ email, role }) => [email, role]));
    expect([own, given, guest, fallback, none].map((email) => roles.get(email ?? ''))).toEqual([
      'review',
      'create',
      null,
      'read',
      null,
    ]);
  });

  test('invites a repeated address once, with a valid link', async () => {
    const email = anAddress();
    const { body } = await invite({
      emails: [email, email.toUpperCase(), { email, role: 'edit' }],
      role: 'read',
    });
    expect(body.invited).toBe(1);
    expect(body.links).toHaveLength(1);
    expect((await accept(new URL(body.links[0].url).pathname)).status).toBe(200);
    expect((await memberAt(email)).role).toBe('edit');
  });

  test('returns 400 for an invalid list of addresses', async () => {
    for (const emails of [
      [],
      'a@b.example',
      [''],
      ['nobody'],
      ['a@'],
      ['@b.example'],
      ['a b@c.example'],
      ['"a b"@c.example'],
      ['"x@alpha.example@y"@evil.example'],
      ['a@b.example\r\nBcc: c@d.example'],
      [`${'x'.repeat(250)}@b.example`],
      [{ email: 'a@b.example' }],
      [{ email: 'a@b.example', role: 'owner' }],
      Array.from({ length: 101 }, () => anAddress()),
    ]) {
      const answer = await invite({ emails });
      expectError(answer, 400);
      expect(detailsOf(answer)[0]).toMatch(/^body\.emails/);
    }
    expectError(await invite({ emails: [anAddress()], role: 'owner' }), 400);
    expectError(await invite({}), 400);
  });

  test('returns 403 or 404 to everyone except admins, also to withdraw; they list nothing', async () => {
    const email = anAddress();
    await aLink(email);
    const id = await idOfInvite(email);
    for (const role of ['read', 'comment', 'edit', 'review', 'create', 'guest'] as const) {
      const { token } = world.a.people[role];
      expectError(await invite({ emails: [anAddress()] }, token), 403);
      expect((await get(`${organization}/invites`, token)).body).toEqual({ count: 0, items: [] });
      expectError(await call('DELETE', `${organization}/invites/${id}`, undefined, token), 404);
    }
    const { token } = world.b.admin;
    expectError(await invite({ emails: [anAddress()] }, token), 404);
    expectError(await get(`${organization}/invites`, token), 404);
    expectError(await call('DELETE', `${organization}/invites/${id}`, undefined, token), 404);
    expectError(
      await call('DELETE', `/v1/orgs/${world.b.organizationId}/invites/${id}`, undefined, token),
      404,
    );
    expect(await idOfInvite(email)).toBe(id);
  });

  test('returns 409 for SSO without a provider', async () => {
    expectError(await invite({ emails: [anAddress()], sso: true }), 409);
  });
});

describe('the page of a one-time link', () => {
  test('shows the organization and the address and asks for a name', async () => {
    const email = anAddress();
    const page = await open(await aLink(email));
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('Join alpha marker-alpha');
    expect(page.text).toContain(email);
    expect(page.text).toContain('<form method="post">');
    expect(page.text).toContain('name="name"');
    expect(page.text).not.toContain('name="email"');
  });

  test('is not cached, sends no referrer and runs no script', async () => {
    const { headers } = await open(await aLink(anAddress()));
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('can be read repeatedly without using the link', async () => {
    const page = await aLink(anAddress());
    for (let i = 0; i < 3; i++) expect((await open(page)).status).toBe(200);
    expect((await app.call('HEAD', page)).status).toBe(200);
    expect((await accept(page)).status).toBe(200);
  });

  test('adds the member and returns a valid token', async () => {
    const email = anAddress();
    const joined = await accept(await aLink(email, { role: 'review' }), { name: '  Grace Hopper  ' });
    expect(joined.status).toBe(200);
    expect(joined.headers['cache-control']).toBe('no-store');
    const token = tokenIn(joined);
    expect((await get('/v1/user', token)).body).toMatchObject({ displayName: 'Grace Hopper', email });
    expect((await get(organization, token)).status).toBe(200);
    expect((await memberAt(email)).role).toBe('review');
    expect(await idOfInvite(email)).toBe('');
    // The inviter knows the link, so it does not prove the address.
    expect(await app.sql('select email_proven_at from users where email = $1', [email])).toEqual([
      { email_proven_at: null },
    ]);
  });

  test('works once', async () => {
    const page = await aLink(anAddress());
    expect((await accept(page)).status).toBe(200);
    for (const answer of [await open(page), await accept(page)]) {
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('no longer valid');
      expect(tokenIn(answer)).toBe('');
    }
  });

  test('works once for concurrent requests', async () => {
    for (let round = 0; round < 20; round++) {
      const email = anAddress();
      const page = await aLink(email);
      const answers = await Promise.all([accept(page), accept(page, { name: 'Twice' }), accept(page)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
      const tokens = await app.sql(
        'select from tokens t join users u on u.id = t.user_id where u.email = $1',
        [email],
      );
      expect(tokens).toHaveLength(1);
    }
  });

  test('expires', async () => {
    const email = anAddress();
    const page = await aLink(email);
    const { expiresAt } = (await get(`${organization}/invites?limit=1000`)).body.items.find(
      (each: { email: string }) => each.email === email,
    );
    expect(new Date(expiresAt).getTime() - Date.now()).toBeGreaterThan(13.9 * 86_400_000);
    await app.sql(`update invites set expires_at = now() - interval '1 second' where email = $1`, [email]);
    expect((await open(page)).status).toBe(404);
    expect((await accept(page)).status).toBe(404);
    expect(await memberAt(email)).toBeUndefined();
    // A new invitation is valid.
    expect((await accept(await aLink(email))).status).toBe(200);
  });

  test('returns 404 when the invitation is withdrawn', async () => {
    const email = anAddress();
    const page = await aLink(email);
    const id = await idOfInvite(email);
    expect((await call('DELETE', `${organization}/invites/${id}`)).status).toBe(205);
    expect((await open(page)).status).toBe(404);
    expect((await accept(page)).status).toBe(404);
    expectError(await call('DELETE', `${organization}/invites/${id}`), 404);
  });

  test('returns 404 when a new invitation replaces the link', async () => {
    const email = anAddress();
    const first = await aLink(email, { role: 'read' });
    const second = await aLink(email.toUpperCase(), { role: 'create' });
    expect((await openInvites()).filter((each) => each.email === email)).toMatchObject([{ role: 'create' }]);
    expect((await open(first)).status).toBe(404);
    expect((await accept(first)).status).toBe(404);
    expect((await accept(second)).status).toBe(200);
    expect((await memberAt(email)).role).toBe('create');
  });

  test('asks again after an invalid name, without using the link', async () => {
    const page = await aLink(anAddress());
    const noName: Record<string, string> = {};
    for (const fields of [
      noName,
      { name: '' },
      { name: '   ' },
      { name: 'x'.repeat(65) },
      { name: '😀'.repeat(65) },
      { name: 'a\u0007b' },
      { name: 'a\u0000b' },
    ]) {
      const answer = await accept(page, fields);
      expect(answer.status).toBe(400);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.text).toContain('role="alert"');
    }
    const joined = await accept(page, { name: '😀'.repeat(64) });
    expect(joined.status).toBe(200);
    expect((await get('/v1/user', tokenIn(joined))).body.displayName).toBe('😀'.repeat(64));
  });

  test('returns 404 for an unknown code', async () => {
    const email = anAddress();
    const page = await aLink(email);
    const id = await idOfInvite(email);
    // The id is not a secret: admins see it.
    for (const code of [id, 'x', 'x'.repeat(2000), page.split('/').at(-1)?.slice(1), "' or 1=1", '%2e%2e']) {
      expect((await open(`/invite/${encodeURIComponent(code ?? '')}`)).status).toBe(404);
      expect((await accept(`/invite/${encodeURIComponent(code ?? '')}`)).status).toBe(404);
    }
  });

  test('escapes text of users', async () => {
    const title = `<script>alert(1)</script> & "Co" '`;
    await call('PATCH', organization, { title });
    const page = await aLink(`a&b${newId().toLowerCase()}@invited.example`);
    const shown = await open(page);
    const refused = await accept(page, { name: '' });
    const joined = await accept(page, { name: '<img src=x onerror=alert(1)>' });
    for (const { text } of [shown, refused, joined]) {
      expect(text).not.toMatch(/<script|<img/);
      expect(text).toContain('&#60;script&#62;alert(1)&#60;/script&#62; &#38; &#34;Co&#34; &#39;');
      expect(text).not.toContain('a&b');
    }
    await call('PATCH', organization, { title: 'alpha marker-alpha' });
  });
});

describe('an account created with an unproven address', () => {
  test('is not shared with the next person who uses the address', async () => {
    const email = anAddress();
    const link = (await call('POST', `${organization}/link-invites`, { role: 'read' })).body;
    const first = tokenIn(await accept(new URL(link.urls.join).pathname, { name: 'First', email }));
    const later = tokenIn(await accept(await aLink(email, { role: 'create' })));
    const ids = [];
    for (const token of [first, later]) {
      const { body } = await get('/v1/user', token);
      expect(body.email).toBe(email);
      expect((await get('/v1/user/tokens', token)).body.count).toBe(1);
      ids.push(body.id);
    }
    expect(new Set(ids).size).toBe(2);
  });
});

describe('POST invites/{inviteId} for an invitation by e-mail', () => {
  const join = (id: string, token: string, headers = {}) =>
    app.call('POST', `${organization}/invites/${id}`, { token, headers });

  async function anInvited(isProven: boolean) {
    const person = await aPerson(app, 'invited');
    if (!isProven) await app.sql('update users set email_proven_at = null where id = $1', [person.id]);
    await aLink(person.email, { role: 'edit' });
    return { ...person, invite: await idOfInvite(person.email) };
  }

  test('returns 200 once, for the caller’s own proven address', async () => {
    const { invite: id, email, token } = await anInvited(true);
    expect((await join(id, token)).body).toEqual({});
    expect((await memberAt(email)).role).toBe('edit');
    expectError(await join(id, token), 409, /already been used/);
  });

  test('returns 200 again with the same Idempotency-Key', async () => {
    const { invite: id, token } = await anInvited(true);
    const headers = { 'idempotency-key': newId() };
    expect((await join(id, token, headers)).status).toBe(200);
    const again = await join(id, token, headers);
    expect(again.status).toBe(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  test('returns 404 for an unproven or other address, or an expired or withdrawn invitation', async () => {
    const unproven = await anInvited(false);
    expectError(await join(unproven.invite, unproven.token), 404);
    const { invite: id, token } = await anInvited(true);
    expectError(await join(id, world.stranger.token), 404);
    expectError(await app.call('POST', `/v1/orgs/${world.b.organizationId}/invites/${id}`, { token }), 404);
    await app.sql(`update invites set expires_at = now() - interval '1 second' where id = $1`, [id]);
    expectError(await join(id, token), 404);
    const withdrawn = await anInvited(true);
    await call('DELETE', `${organization}/invites/${withdrawn.invite}`);
    expectError(await join(withdrawn.invite, withdrawn.token), 404);
  });
});
