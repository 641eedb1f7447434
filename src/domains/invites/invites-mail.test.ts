import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { serveMail, type MailServer } from '../../../test/mail-server.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aPerson, aWorld, type World } from '../../../test/world.ts';
import { startJobs } from '../../app.ts';
import { newId } from '../../platform/api/ids.ts';
import { insertToken, insertUser } from '../users/index.ts';

let server: MailServer;
let app: TestApp;
let world: World;
let organization: string;

beforeAll(async () => {
  server = await serveMail();
  const environment = {
    OCTAVO_SMTP_URL: server.url,
    OCTAVO_SMTP_FROM: 'Docs <docs@octavo.test>',
  };
  app = await startApp({ environment });
  world = await aWorld(app);
  organization = `/v1/orgs/${world.a.organizationId}`;
  const worker = await startJobs(app.app.context, app.app.installation, pino({ level: 'silent' }));
  afterAll(() => worker.stop());
});

beforeEach(() => {
  server.refusals = 0;
});

const anAddress = () => `${newId().toLowerCase()}@mailed.example`;
const call = (method: string, path: string, body?: unknown, token = world.a.admin.token): Promise<Answer> =>
  app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const invite = (body: unknown) => call('POST', `${organization}/invites`, body);
const accept = (page: string, fields: Record<string, string> = { name: 'Mailed' }) =>
  app.call('POST', page, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const tokenIn = ({ text }: Answer): string => /<code>(ov_\w+)<\/code>/.exec(text)?.[1] ?? '';
const member = async (email: string) => (await call('GET', `${organization}/members/${email}`)).body;

const mailsTo = (email: string) => server.mails.filter(({ to }) => to.includes(email));

/** Waits for `count` mails to the address and returns the path of the link in the latest. */
async function linkMailedTo(email: string, count = 1): Promise<string> {
  await expect.poll(() => mailsTo(email).length, { interval: 20 }).toBe(count);
  const [, path = ''] = /http:\/\/octavo\.test(\/invite\/\w+)/.exec(mailsTo(email).at(-1)?.text ?? '') ?? [];
  return path;
}

describe('invitations by e-mail, with a mail server', () => {
  test('are sent only to the address: the inviter gets no link', async () => {
    const email = anAddress();
    const { status, body } = await invite({ emails: [email], role: 'edit' });
    expect(status).toBe(200);
    expect(body).toEqual({ users: [], invited: 1 });
    const page = await linkMailedTo(email);
    const [mail] = mailsTo(email);
    expect(mail).toMatchObject({ to: [email], from: 'docs@octavo.test' });
    expect(mail?.text).toContain('Subject: Invitation to join an organization on Octavo\r\n');
    expect(mail?.text).toContain('alpha marker-alpha');
    const joined = await accept(page);
    expect((await call('GET', '/v1/user', undefined, tokenIn(joined))).body.email).toBe(email);
    expect((await member(email)).role).toBe('edit');
    expect((await accept(page)).status).toBe(404);
  });

  test('prove the address for a new account, although another account claims it', async () => {
    const { db } = app.app.installation.connection;
    const email = anAddress();
    const claimant = await insertUser(db, { email, displayName: 'Impostor', isProven: false });
    await invite({ emails: [email] });
    const token = tokenIn(await accept(await linkMailedTo(email)));
    const { body: me } = await call('GET', '/v1/user', undefined, token);
    expect(me.id).not.toBe(claimant);
    expect(await member(email)).toMatchObject({ id: me.id, emailProven: true });
    const rows = await app.sql('select id from users where email = $1 and email_proven_at is not null', [
      email,
    ]);
    expect(rows).toEqual([{ id: me.id }]);
  });

  test('to existing accounts return no token: the user joins with their own', async () => {
    const existing = await aPerson(app, 'known');
    const { body } = await invite({ emails: [existing.email], role: 'edit' });
    expect(body).toEqual({ users: [], invited: 1 });
    const page = await linkMailedTo(existing.email);
    const refused = await accept(page);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('An account with this address exists');
    expect(tokenIn(refused)).toBe('');
    expect((await member(existing.email)).error.code).toBe(404);
    const [, path = ''] =
      /POST http:\/\/octavo\.test(\/v1\S+)/.exec(mailsTo(existing.email)[0]?.text ?? '') ?? [];
    expect(refused.text).toContain(path);
    expect((await call('POST', path, undefined, existing.token)).status).toBe(200);
    expect((await member(existing.email)).role).toBe('edit');
    expect((await accept(page, { token: existing.token })).status).toBe(404);
    const { body: tokens } = await call('GET', '/v1/user/tokens', undefined, existing.token);
    expect(tokens.count).toBe(1);
  });

  test('opened by another account add that account, without proving its address', async () => {
    const email = anAddress();
    await invite({ emails: [email], role: 'comment' });
    const { db } = app.app.installation.connection;
    const friend = await insertUser(db, { email, displayName: 'Claims it', isProven: false });
    const { token } = await insertToken(db, friend ?? '', { label: 'Test' });
    const joined = await accept(await linkMailedTo(email), { token });
    expect(joined.status).toBe(200);
    const { body } = await call('GET', `${organization}/members/${friend}`);
    expect(body).toMatchObject({ role: 'comment', emailProven: false });
  });

  test('of two organizations, accepted concurrently, create one account; the other link remains valid', async () => {
    for (let round = 0; round < 5; round++) {
      const email = anAddress();
      await invite({ emails: [email] });
      const first = await linkMailedTo(email);
      const other = `/v1/orgs/${world.b.organizationId}/invites`;
      await call('POST', other, { emails: [email] }, world.b.admin.token);
      const second = await linkMailedTo(email, 2);
      const answers = await Promise.all([accept(first), accept(second)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      const rows = await app.sql('select from users where email = $1', [email]);
      expect(rows).toHaveLength(1);
      const token = answers.map(tokenIn).find((each) => each !== '') ?? '';
      const left = answers[0]?.status === 400 ? first : second;
      expect((await accept(left, { token })).status).toBe(200);
    }
  });

  test('are sent once to a repeated address; a new invitation invalidates the old link', async () => {
    const email = anAddress();
    await invite({ emails: [email, email.toUpperCase()] });
    const first = await linkMailedTo(email);
    await invite({ emails: [email] });
    const second = await linkMailedTo(email, 2);
    expect(second).not.toBe(first);
    expect((await app.call('GET', first)).status).toBe(404);
    expect((await accept(second)).status).toBe(200);
  });

  test('are queued encrypted and sent again after a failure of the mail server', async () => {
    server.refusals = 1;
    const email = anAddress();
    await invite({ emails: [email] });
    const waiting = await app.sql(
      `select j::text as text from graphile_worker._private_jobs j where payload::text like $1`,
      [`%${email}%`],
    );
    for (const { text } of waiting) expect(text).not.toContain('/invite/');
    const page = await linkMailedTo(email);
    expect((await accept(page)).status).toBe(200);
  });

  test('are not queued when the request fails', async () => {
    const email = anAddress();
    await invite({ emails: [email], sso: true });
    const jobs = await app.sql(`select from graphile_worker._private_jobs where payload::text like $1`, [
      `%${email}%`,
    ]);
    expect(jobs).toEqual([]);
  });
});

describe('mails of invitations', () => {
  const addresses = (count: number) => Array.from({ length: count }, anAddress);
  const anOrganization = async (token: string, title = 'Mine') =>
    `/v1/orgs/${(await call('POST', '/v1/orgs', { title }, token)).body.id}`;
  const waiting = async (emails: readonly string[]) =>
    (await app.sql('select from invites where email = any($1)', [emails])).length;

  test('are limited per user, across organizations and for the same address', async () => {
    const { token } = await aPerson(app, 'sender');
    const [first, second] = [await anOrganization(token), await anOrganization(token)];
    const [email] = addresses(1);
    const send = (path: string, emails: unknown) => call('POST', `${path}/invites`, { emails }, token);
    expect((await send(first, addresses(60))).status).toBe(200);
    for (let times = 0; times < 10; times++) expect((await send(second, [email])).status).toBe(200);
    const tooMany = addresses(31);
    const refused = await send(second, tooMany);
    expectError(refused, 429, /a user can send 100 per hour.*Nothing was sent.*invite link/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect(await waiting(tooMany)).toBe(0);
    // Concurrent requests cannot exceed the remainder.
    const answers = await Promise.all(addresses(35).map((each) => send(first, [each])));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    await app.sql(`update invitation_mails set hour_ends = now() - interval '1 second'`);
    expect((await send(second, tooMany)).status).toBe(200);
  });

  test('are limited per organization, including those requested by an invite link', async () => {
    const founder = await aPerson(app, 'founder');
    const path = await anOrganization(founder.token);
    const { body: link } = await call('POST', `${path}/link-invites`, { role: 'read' }, founder.token);
    await app.sql(
      `insert into invitation_mails (kind, id, mails, hour_ends)
       values ('organization', $1, 299, now() + interval '1 hour')`,
      [path.split('/').at(-1)],
    );
    const ask = () => accept(new URL(link.urls.join).pathname, { name: 'Guest', email: anAddress() });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    const other = await anOrganization(founder.token);
    expect((await call('POST', `${other}/invites`, { emails: addresses(1) }, founder.token)).status).toBe(
      200,
    );
  });

  test('contain no text of the inviter in the subject, and only links to this server', async () => {
    const { token } = await aPerson(app, 'spammer');
    const path = await anOrganization(token, 'Win! https://evil.example www.evil.example');
    const email = anAddress();
    await call('POST', `${path}/invites`, { emails: [email] }, token);
    await linkMailedTo(email);
    const text = mailsTo(email)[0]?.text ?? '';
    expect(/^Subject: .*$/m.exec(text)?.[0].trim()).toBe(
      'Subject: Invitation to join an organization on Octavo',
    );
    expect(text).not.toContain('evil.example');
    expect(text).toContain('evil . example');
  });
});

describe('invite links, with a mail server', () => {
  const aLink = async (role: string): Promise<string> => {
    const { body } = await call('POST', `${organization}/link-invites`, { role });
    return new URL(body.urls.join).pathname;
  };

  test('prove the address before they add a member', async () => {
    const email = anAddress();
    const answer = await accept(await aLink('comment'), { name: 'Whoever', email: email.toUpperCase() });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Check your e-mail');
    expect(tokenIn(answer)).toBe('');
    expect(await app.sql('select from users where email = $1', [email])).toEqual([]);
    const joined = await accept(await linkMailedTo(email), { name: 'The Owner' });
    expect((await call('GET', '/v1/user', undefined, tokenIn(joined))).body).toMatchObject({
      email,
      displayName: 'The Owner',
    });
    expect((await member(email)).role).toBe('comment');
  });

  test('never give access to an existing account, even by mail to its address', async () => {
    const person = await aPerson(app, 'owner');
    const answer = await accept(await aLink('read'), { name: 'Impostor', email: person.email });
    expect(tokenIn(answer)).toBe('');
    expect((await member(person.email)).error.code).toBe(404);
    const page = await linkMailedTo(person.email);
    expect(tokenIn(await accept(page, { name: 'Ignored' }))).toBe('');
    expect((await accept(page, { token: person.token })).status).toBe(200);
    expect((await call('GET', organization, undefined, person.token)).status).toBe(200);
  });

  test("do not extend an admin's invitation to the same address", async () => {
    const email = anAddress();
    await invite({ emails: [email], role: 'edit' });
    await app.sql(`update invites set expires_at = now() + interval '1 day' where email = $1`, [email]);
    const before = await app.sql('select role, expires_at from invites where email = $1', [email]);
    expect((await accept(await aLink('read'), { name: 'Stranger', email })).status).toBe(200);
    expect(await app.sql('select role, expires_at from invites where email = $1', [email])).toEqual(before);
  });

  test('request mails that end with them', async () => {
    const { body: link } = await call('POST', `${organization}/link-invites`, {
      role: 'admin',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const email = anAddress();
    await accept(new URL(link.urls.join).pathname, { name: 'Late', email });
    const page = await linkMailedTo(email);
    const end = new Date(link.expiresAt).toUTCString();
    expect(mailsTo(email)[0]?.text).toContain(`It works once and expires on ${end}:`);
    const { items } = (await call('GET', `${organization}/invites?limit=1000`)).body;
    expect(items).toContainEqual(expect.objectContaining({ email, active: true, expiresAt: link.expiresAt }));
    await app.sql(`update invites set expires_at = now() - interval '1 second' where id = $1`, [link.id]);
    expect((await app.call('GET', page)).status).toBe(404);
    expect(tokenIn(await accept(page))).toBe('');
    expect((await member(email)).error.code).toBe(404);
  });

  test('add an account by its own token immediately', async () => {
    const person = await aPerson(app, 'signed');
    expect((await accept(await aLink('edit'), { token: person.token })).status).toBe(200);
    expect((await member(person.email)).role).toBe('edit');
    expect(mailsTo(person.email)).toEqual([]);
  });

  test.each([
    ['space', 'spaces'],
    ['collection', 'collections'],
  ])('to a %s: the mails that they requested are listed to its admins', async (name, plural) => {
    const { body: target } = await call('POST', `${organization}/${plural}`, { title: 'Opened' });
    const targetAdmin = await aMember(app, world.a.organizationId, 'read');
    await call('POST', `/v1/${plural}/${target.id}/permissions`, { role: 'admin', users: [targetAdmin.id] });
    const { body: link } = await call('POST', `${organization}/link-invites`, {
      level: 'edit',
      [name]: target.id,
    });
    const email = anAddress();
    await accept(new URL(link.urls.join).pathname, { name: 'Asks', email });
    const page = await linkMailedTo(email);
    const listed = async (token?: string) =>
      (await call('GET', `${organization}/invites?limit=1000`, undefined, token)).body.items;
    const mailed = { email, role: null, level: 'edit', [name]: { id: target.id } };
    expect(await listed()).toContainEqual(expect.objectContaining({ email }));
    expect(await listed(world.a.people.create.token)).toEqual([]);
    expect(await listed(targetAdmin.token)).toMatchObject([mailed]);

    const limited = async (...scopes: string[]): Promise<string> =>
      (await call('POST', '/v1/user/tokens', { label: 'Limited', scopes }, targetAdmin.token)).body.token;
    const members = await limited('organization:members:read', 'organization:members:write');
    const both = await limited('organization:members:read', 'space:permissions:read');
    expect(await listed(members)).toEqual([]);
    const [{ id }] = await listed(both);
    const path = `${organization}/invites/${id}`;
    expectError(await call('DELETE', path, undefined, members), 403, /space:permissions/);
    expect((await call('DELETE', path, undefined, targetAdmin.token)).status).toBe(205);
    expect((await accept(page)).status).toBe(404);
  });

  test('to a space that was deleted: the mails that they requested are listed to admins of the organization', async () => {
    const { body: space } = await call('POST', `${organization}/spaces`, { title: 'Opened' });
    const spaceAdmin = await aMember(app, world.a.organizationId, 'read');
    await call('POST', `/v1/spaces/${space.id}/permissions`, { role: 'admin', users: [spaceAdmin.id] });
    const link = { level: 'edit', space: space.id };
    const { body: made } = await call('POST', `${organization}/link-invites`, link);
    const email = anAddress();
    await accept(new URL(made.urls.join).pathname, { name: 'Asks', email });
    const page = await linkMailedTo(email);
    await call('DELETE', `/v1/spaces/${space.id}`);
    const listed = async (token?: string) =>
      (await call('GET', `${organization}/invites?limit=1000`, undefined, token)).body.items;
    expect(await listed(spaceAdmin.token)).toEqual([]);
    const mailed = (await listed()).find((each: { email: string }) => each.email === email);
    expect((await accept(page)).status).toBe(404);
    expect((await call('DELETE', `${organization}/invites/${mailed.id}`)).status).toBe(205);
  });

  test('invalidate the mails that they requested', async () => {
    const requestMail = async () => {
      const creator = await aMember(app, world.a.organizationId, 'admin');
      const body = { role: 'admin' };
      const link = (await call('POST', `${organization}/link-invites`, body, creator.token)).body;
      const email = anAddress();
      await accept(new URL(link.urls.join).pathname, { name: 'Asks', email });
      const path = `${organization}/link-invites/${link.id}`;
      return { creator, path, email, page: await linkMailedTo(email) };
    };
    const deleted = await requestMail();
    await call('DELETE', deleted.path);
    expect((await accept(deleted.page)).status).toBe(404);
    const demoted = await requestMail();
    await call('PATCH', `${organization}/members/${demoted.creator.id}`, { role: 'read' });
    expect((await accept(demoted.page)).status).toBe(404);
    const lowered = await requestMail();
    await call('PATCH', lowered.path, { role: 'read' });
    await call('PATCH', organization, { inviteLinks: false });
    expect((await accept(lowered.page)).status).toBe(404);
    await call('PATCH', organization, { inviteLinks: true });
    expect((await accept(lowered.page)).status).toBe(200);
    expect((await member(lowered.email)).role).toBe('read');
  });

  test('do not change the role of an existing invitation', async () => {
    const email = anAddress();
    await invite({ emails: [email], role: 'create' });
    await linkMailedTo(email);
    await accept(await aLink('read'), { name: 'Somebody else', email });
    expect((await accept(await linkMailedTo(email, 2))).status).toBe(200);
    expect((await member(email)).role).toBe('create');
  });

  test('to a space grant a role there, not in the organization', async () => {
    const space = (await call('POST', `${organization}/spaces`, { title: 'Inside' })).body;
    const made = await call('POST', `${organization}/link-invites`, { level: 'admin', space: space.id });
    expect(made.status, made.text).toBe(201);
    const email = anAddress();
    await accept(new URL(made.body.urls.join).pathname, { name: 'Guest', email });
    const page = await linkMailedTo(email);
    const { items } = (await call('GET', `${organization}/invites`)).body;
    expect(items).toContainEqual(expect.objectContaining({ email, role: null }));
    const token = tokenIn(await accept(page));
    expect((await member(email)).role).toBeNull();
    expect((await call('PATCH', organization, {}, token)).status).toBe(403);
    const inside = await call('GET', `/v1/spaces/${space.id}`, undefined, token);
    expect(inside.body.permissions).toMatchObject({ view: true, admin: true });
  });
});
