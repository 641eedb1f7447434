import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aPerson, aWorld, type Person, type World } from '../../../test/world.ts';
import { newId } from '../../platform/api/ids.ts';
import { insertToken, insertUser } from '../users/index.ts';

let app: TestApp;
let world: World;
let organization: string;
let second: string;

/** Two organizations list `shared.example`; only the first lists `alpha.example`. */
beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  organization = `/v1/orgs/${world.a.organizationId}`;
  second = world.b.organizationId;
  await patch({ emailDomains: ['alpha.example', 'Shared.Example'] });
  await app.call('PATCH', `/v1/orgs/${second}`, {
    token: world.b.admin.token,
    body: { emailDomains: ['shared.example'] },
  });
});

const patch = (body: unknown) => app.call('PATCH', organization, { token: world.a.admin.token, body });

async function withAddress(email: string, isProven: boolean): Promise<Person> {
  const { db } = app.app.installation.connection;
  const id = (await insertUser(db, { email, displayName: 'Somebody', isProven })) ?? '';
  return { id, email, token: (await insertToken(db, id, { label: 'Test' })).token };
}

const inDomain = (domain: string, isProven = true) => withAddress(`${newId()}@${domain}`, isProven);
const join = (person: Person, within = organization) =>
  app.call('POST', `${within}/join`, { token: person.token });
const roleOf = async ({ id }: Person) =>
  (await app.call('GET', `${organization}/members/${id}`, { token: world.a.admin.token })).body.role;
const found = async (person: Person, domain: string): Promise<string[]> => {
  const answer = await app.call('GET', `/v1/email-domains/${domain}/orgs`, { token: person.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.organizations.map(({ id }: { id: string }) => id).toSorted();
};

describe('POST join', () => {
  test('returns 204 for a proven address in a listed domain, in any case', async () => {
    for (const domain of ['alpha.example', 'ALPHA.example', 'shared.example']) {
      const person = await inDomain(domain);
      const answer = await join(person);
      expect(answer.status, answer.text).toBe(204);
      expect(answer.text).toBe('');
      expect(await roleOf(person)).toBe('read');
    }
  });

  test('assigns the default role of the organization, also null', async () => {
    for (const defaultRole of ['edit', null, 'read'] as const) {
      await patch({ defaultRole });
      const person = await inDomain('alpha.example');
      await join(person);
      expect(await roleOf(person)).toBe(defaultRole);
    }
  });

  test('returns 404 for an unproven address', async () => {
    const person = await inDomain('alpha.example', false);
    expectError(await join(person), 404);
    await app.sql('update users set email_proven_at = now() where id = $1', [person.id]);
    expect((await join(person)).status).toBe(204);
  });

  test('returns 404 for an address in another domain, however similar', async () => {
    for (const email of [
      `${newId()}@other.example`,
      `${newId()}@sub.alpha.example`,
      `${newId()}@xalpha.example`,
      `${newId()}@alpha.example.evil.example`,
      `alpha.example@${newId()}.example`,
      `"${newId()}@alpha.example@y"@evil.example`,
      `"@alpha.example"@evil.example`,
    ]) {
      const person = await withAddress(email, true);
      expectError(await join(person), 404);
      expect(await found(person, 'alpha.example')).toEqual([]);
    }
  });

  test('returns 404 when the domain is no longer listed', async () => {
    await patch({ emailDomains: ['alpha.example', 'shared.example', 'former.example'] });
    const person = await inDomain('former.example');
    await patch({ emailDomains: ['alpha.example', 'shared.example'] });
    expectError(await join(person), 404);
    expectError(await join(person, '/v1/orgs/nosuchorganization'), 404);
  });

  test('returns 409 for a member, whose role does not change', async () => {
    const person = await inDomain('alpha.example');
    await join(person);
    await app.call('PATCH', `${organization}/members/${person.id}`, {
      token: world.a.admin.token,
      body: { role: 'create' },
    });
    expectError(await join(person), 409, /already/);
    expect(await roleOf(person)).toBe('create');
  });

  test('returns 204 to one of two concurrent requests, 409 to the other', async () => {
    for (let round = 0; round < 10; round++) {
      const person = await inDomain('alpha.example');
      const answers = await Promise.all([join(person), join(person)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    }
  });
});

describe('GET /v1/email-domains/{emailDomain}/orgs', () => {
  test('lists all organizations with the domain of the caller’s proven address', async () => {
    const person = await inDomain('shared.example');
    expect(await found(person, 'shared.example')).toEqual([world.a.organizationId, second].toSorted());
    expect(await found(person, 'SHARED.Example')).toHaveLength(2);
    expect(await found(await inDomain('alpha.example'), 'alpha.example')).toEqual([world.a.organizationId]);
  });

  test('lists at most 100, those of the caller and the oldest first', async () => {
    const person = await inDomain('crowded.example');
    await app.sql(
      `insert into organizations (id, title, email_domains, created_at)
       select 'crowded' || n, 'Crowded', '{crowded.example}', now() - interval '1 day' * n
       from generate_series(1, 150) n`,
    );
    await app.sql(`insert into members (organization_id, user_id, role) values ('crowded1', $1, 'read')`, [
      person.id,
    ]);
    const oldest = Array.from({ length: 99 }, (_each, n) => `crowded${150 - n}`);
    expect(await found(person, 'crowded.example')).toEqual(['crowded1', ...oldest].toSorted());
  });

  test('shows an organization without permissions until the caller joins', async () => {
    const person = await inDomain('alpha.example');
    const path = '/v1/email-domains/alpha.example/orgs';
    const { body } = await app.call('GET', path, { token: person.token });
    expect(body.organizations).toMatchObject([
      { object: 'organization', id: world.a.organizationId, title: 'alpha marker-alpha' },
    ]);
    expect(new Set(Object.values(body.organizations[0].permissions))).toEqual(new Set([false]));
    expectError(await app.call('GET', organization, { token: person.token }), 404);
    await join(person);
    const after = await app.call('GET', path, { token: person.token });
    const own = await app.call('GET', organization, { token: person.token });
    expect(after.body.organizations).toEqual([own.body]);
  });

  test('returns an empty list for a domain other than the caller’s', async () => {
    const person = await inDomain('alpha.example');
    expect(await found(person, 'shared.example')).toEqual([]);
    expect(await found(person, 'nobody.example')).toEqual([]);
  });

  test('returns an empty list for an unproven address', async () => {
    expect(await found(await inDomain('shared.example', false), 'shared.example')).toEqual([]);
  });

  test('lists only their own organization for an admin from another domain', async () => {
    expect(await found(world.a.admin, 'shared.example')).toEqual([world.a.organizationId]);
    expect(await found(world.b.admin, 'shared.example')).toEqual([second]);
    expect(await found(world.b.admin, 'alpha.example')).toEqual([]);
  });

  test('returns an empty list for other members from another domain', async () => {
    for (const role of ['read', 'comment', 'edit', 'review', 'create', 'guest'] as const) {
      expect(await found(world.a.people[role], 'alpha.example')).toEqual([]);
    }
    expect(await found(await aPerson(app, 'stranger'), 'alpha.example')).toEqual([]);
    const disabled = await aMember(app, world.a.organizationId, 'admin');
    await app.sql('update members set disabled = true where user_id = $1', [disabled.id]);
    expect(await found(disabled, 'alpha.example')).toEqual([]);
  });

  test('returns 400 for an invalid domain', async () => {
    for (const domain of [
      'localhost',
      'a..b',
      '%25',
      'a_b.example',
      '-a.example',
      `${'x'.repeat(64)}.example`,
      'a%40b.example',
    ]) {
      const answer = await app.call('GET', `/v1/email-domains/${domain}/orgs`, {
        token: world.a.admin.token,
      });
      expectError(answer, 400);
    }
  });
});
