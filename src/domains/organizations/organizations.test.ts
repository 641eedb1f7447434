import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aMember, aPerson, aSide, aWorld, type Person, type World } from '../../../test/world.ts';
import { ROLES } from '../access/index.ts';

let app: TestApp;
let world: World;
let organization: string;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  organization = `/v1/orgs/${world.a.organizationId}`;
});

const create = (body: unknown, token = world.stranger.token) => app.call('POST', '/v1/orgs', { token, body });
const patch = (body: unknown, token = world.a.admin.token) =>
  app.call('PATCH', organization, { token, body });
const read = async () => (await app.call('GET', organization, { token: world.a.admin.token })).body;

const FAMILY = '👨‍👩‍👧‍👦';

describe('GET /v1/orgs', () => {
  test('ends a page before it is too large', async () => {
    const { token } = await aPerson(app, 'member of many');
    for (const title of ['One', 'Two', 'Three']) await create({ title }, token);
    await app.sql(
      `update organizations set email_domains = array(select repeat('x', 250) || n from generate_series(1, 10000) n)
       where id in (select organization_id from members m join users u on u.id = m.user_id where u.display_name = $1)`,
      ['member of many'],
    );
    const first = await app.call('GET', '/v1/orgs', { token });
    expect(first.body.items).toHaveLength(2);
    expect(first.body.count).toBe(3);
    const rest = await app.call('GET', `/v1/orgs?page=${first.body.next.page}`, { token });
    expect(rest.body.items).toHaveLength(1);
  });
});

describe('POST /v1/orgs', () => {
  test('returns 201 and makes the creator an admin', async () => {
    const { token, id: founder } = await aPerson(app, 'founder');
    const { status, body } = await create(
      { title: 'Acme', type: 'community', useCase: 'openSourceDocs' },
      token,
    );
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'organization',
      id: expect.stringMatching(/^\w{20}$/),
      title: 'Acme',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      emailDomains: [],
      type: 'community',
      useCase: 'openSourceDocs',
      defaultRole: 'read',
      sso: false,
      ai: false,
      inviteLinks: true,
      plan: 'enterprise_2024',
      mergeRules: { type: 'none' },
      trial: { status: 'notapplicable', count: 0 },
      urls: {
        location: `http://octavo.test/v1/orgs/${body.id}`,
        app: `http://octavo.test/app/orgs/${body.id}`,
      },
      permissions: Object.fromEntries(FLAGS.map((flag) => [flag, GRANTED[flag].includes('admin')])),
    });
    const { body: members } = await app.call('GET', `/v1/orgs/${body.id}/members`, { token });
    expect(members.items).toMatchObject([{ id: founder, role: 'admin' }]);
    expect((await app.call('GET', '/v1/orgs', { token })).body.items).toEqual([body]);
  });

  test('stores e-mail domains in lower case, without duplicates', async () => {
    const { body } = await create({
      title: 'Domains',
      emailDomains: ['Acme.Example', 'acme.example', 'b.CO.uk'],
    });
    expect(body.emailDomains).toEqual(['acme.example', 'b.co.uk']);
  });

  test('returns 400 for an invalid title, type, use case or domain', async () => {
    for (const body of [
      {},
      { title: null },
      { title: 'Ok', type: 'cult' },
      { title: 'Ok', useCase: 'fun' },
      ...[
        '',
        'localhost',
        '.example',
        'a..example',
        '-a.example',
        'a_b.example',
        'a@b.example',
        'x'.repeat(254),
      ].map((domain) => ({ title: 'Ok', emailDomains: [domain] })),
      { title: 'Ok', emailDomains: 'acme.example' },
      { title: 'Ok', emailDomains: Array.from({ length: 101 }, (_each, index) => `d${index}.example`) },
    ]) {
      expectError(await create(body), 400);
    }
  });

  test('returns 403 where only the operator creates organizations', async () => {
    const closed = await startApp({ environment: { OCTAVO_ORG_CREATION: 'operator' } });
    const answer = await closed.call('POST', '/v1/orgs', {
      token: closed.adminToken,
      body: { title: 'Mine' },
    });
    expectError(answer, 403, /octavo org create/);
    expect((await closed.call('GET', '/v1/orgs', { token: closed.adminToken })).body.count).toBe(1);
  });
});

describe('the title', () => {
  test.each([
    ['ab'],
    ['x'.repeat(255)],
    ['😀😀'],
    ['😀'.repeat(255)],
    [FAMILY],
    [`${FAMILY.repeat(36)}xxx`],
    ['e\u0301'],
    ['<b>&"\'</b>'],
    ['%_\\'],
  ])('%j is accepted (2 to 255 characters)', async (title) => {
    const made = await create({ title });
    expect(made.status, made.text).toBe(201);
    expect(made.body.title).toBe(title);
    const patched = await patch({ title });
    expect(patched.status, patched.text).toBe(200);
    expect((await read()).title).toBe(title);
  });

  test.each([
    [''],
    ['a'],
    ['😀'],
    ['x'.repeat(256)],
    ['😀'.repeat(256)],
    [FAMILY.repeat(37)],
    ['a\nb'],
    ['a\u007fb'],
    [null],
    [['ab']],
  ])('%j is rejected', async (title) => {
    const made = await create({ title });
    expectError(made, 400);
    expect(detailsOf(made)[0]).toMatch(/^body\.title: /);
    expectError(await patch({ title }), 400);
  });
});

describe('PATCH /v1/orgs/{organizationId}', () => {
  test('changes only the given fields', async () => {
    const before = await read();
    for (const [change, shown] of [
      [{ title: 'Changed' }, { title: 'Changed' }],
      [
        { emailDomains: ['B.example', 'a.EXAMPLE', 'b.example'] },
        { emailDomains: ['b.example', 'a.example'] },
      ],
      [{ emailDomains: [] }, { emailDomains: [] }],
      [{ defaultRole: 'edit' }, { defaultRole: 'edit' }],
      [{ defaultRole: null }, { defaultRole: null }],
      [{ ai: true }, { ai: true }],
      [{ inviteLinks: false }, { inviteLinks: false }],
      [{ inviteLinks: true }, { inviteLinks: true }],
      [{ sso: false }, { sso: false }],
      [{ defaultContent: null }, {}],
      [{}, {}],
    ] as const) {
      const expected = { ...(await read()), ...shown };
      const answer = await patch(change);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toEqual(expected);
      expect(await read()).toEqual(expected);
    }
    expect((await read()).createdAt).toBe(before.createdAt);
  });

  test('sets and removes the logo', async () => {
    const logo = 'https://acme.example/logo.svg';
    expect((await patch({ logo })).body.urls.logo).toBe(logo);
    expect((await patch({ title: 'Still' })).body.urls.logo).toBe(logo);
    expect((await patch({ logo: null })).body.urls).not.toHaveProperty('logo');
    for (const bad of ['javascript:alert(1)', 'acme.svg', '', `https://x.example/${'x'.repeat(2048)}`]) {
      expectError(await patch({ logo: bad }), 400);
    }
  });

  test('omits fields without a value', async () => {
    const { body } = await create({ title: 'Bare' });
    for (const name of ['hostname', 'useCase', 'communityType', 'defaultContent', 'billing', 'blocked']) {
      expect(body).not.toHaveProperty(name);
    }
    expect(body.urls).not.toHaveProperty('logo');
  });

  test('returns 400 for invalid values', async () => {
    for (const body of [
      { defaultRole: 'guest' },
      { defaultRole: '' },
      { ai: 'yes' },
      { inviteLinks: null },
      { emailDomains: null },
      { emailDomains: [''] },
      { title: null },
      { defaultContent: {} },
      { defaultContent: { type: 'space', site: 'x' } },
    ]) {
      expectError(await patch(body), 400);
    }
  });

  test('returns 400 for a default site of another organization', async () => {
    expectError(
      await patch({ defaultContent: { type: 'site', site: 'nosuchsite' } }),
      400,
      /not a site of this organization/,
    );
  });

  test('returns 403 to everyone except admins, 404 to users outside of it', async () => {
    for (const role of [...ROLES.filter((each) => each !== 'admin'), 'guest'] as const) {
      expectError(await patch({ title: 'No' }, world.a.people[role].token), 403);
    }
    expectError(await patch({ title: 'No' }, world.b.admin.token), 404);
  });

  test('returns 409 for SSO without a provider', async () => {
    expectError(await patch({ sso: true }), 409, /provider/);
    expect((await read()).sso).toBe(false);
  });
});

describe('the hostname', () => {
  const inOther = (hostname: unknown) =>
    app.call('PATCH', `/v1/orgs/${world.b.organizationId}`, {
      token: world.b.admin.token,
      body: { hostname },
    });

  test.each(['abc', 'a-b', 'x'.repeat(32), '007', 'a--b', '1-2'])('%s is accepted', async (hostname) => {
    const answer = await inOther(hostname);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.hostname).toBe(hostname);
    // Setting the same value again succeeds.
    expect((await inOther(hostname)).status).toBe(200);
  });

  test.each([
    '',
    'ab',
    'x'.repeat(33),
    'Abc',
    '-ab',
    'ab-',
    'a.b',
    'a b',
    'a_b',
    'äöü',
    'abc\n',
    '😀😀😀',
    null,
  ])('%j is rejected', async (hostname) => {
    const answer = await inOther(hostname);
    expectError(answer, 400);
    expect(detailsOf(answer)[0]).toMatch(/^body\.hostname: /);
  });

  test.each(['www', 'login', 'admin', 'mail', 'api', 'mta-sts', 'xn--80ak6aa92e'])(
    '%s is reserved: 400',
    async (hostname) => expectError(await inOther(hostname), 400, /reserved/),
  );

  test('returns 409 while another organization uses it', async () => {
    expect((await inOther('wanted')).status).toBe(200);
    expectError(await patch({ hostname: 'wanted', title: 'Not either' }), 409, /already in use/);
    expect((await read()).title).not.toBe('Not either');
    await inOther('given-up');
    expect((await patch({ hostname: 'wanted' })).status).toBe(200);
  });

  test('is given to one of two concurrent requests; the other gets 409', async () => {
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([patch({ hostname: `race-${round}` }), inOther(`race-${round}`)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
  });
});

describe('GET /v1/orgs', () => {
  test('lists the caller’s organizations in order of creation, with permissions', async () => {
    const person = await aPerson(app, 'member');
    const first = await create({ title: 'First' }, person.token);
    const other = await aSide(app, 'gamma');
    await app.sql(`insert into members (organization_id, user_id, role) values ($1, $2, null)`, [
      other.organizationId,
      person.id,
    ]);
    const third = await create({ title: 'Third' }, person.token);
    const { body } = await app.call('GET', '/v1/orgs', { token: person.token });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([
      first.body.id,
      other.organizationId,
      third.body.id,
    ]);
    expect(body.items.map((each: { permissions: { admin: boolean } }) => each.permissions.admin)).toEqual([
      true,
      false,
      true,
    ]);
    const single = await app.call('GET', `/v1/orgs/${other.organizationId}`, { token: person.token });
    expect(body.items[1]).toEqual(single.body);
  });

  test('returns an empty list to a user without organizations', async () => {
    const { token } = await aPerson(app, 'nobody');
    expect((await app.call('GET', '/v1/orgs', { token })).body).toEqual({ count: 0, items: [] });
  });
});

const FLAGS = [
  'view',
  'access',
  'admin',
  'ownTeam',
  'createContent',
  'createOpenAPISpec',
  'ingestConversations',
  'viewBilling',
  'listMembers',
  'listTeams',
  'listIntegrations',
  'listInstallations',
  'installIntegration',
] as const;

/** Decision 15, for the operations that exist: flags of others are false. */
const GRANTED: Record<(typeof FLAGS)[number], readonly string[]> = {
  view: [...ROLES, 'guest'],
  access: [...ROLES, 'guest'],
  admin: ['admin'],
  ownTeam: ['admin'],
  createContent: ['create', 'admin'],
  createOpenAPISpec: ['create', 'admin'],
  ingestConversations: [],
  viewBilling: [],
  listMembers: ROLES,
  listTeams: ROLES,
  listIntegrations: ROLES,
  listInstallations: ROLES,
  installIntegration: ['admin'],
};

describe.each([...ROLES, 'guest'] as const)('the permission flags of %s', (role) => {
  let person: Person;
  let permissions: Record<string, boolean>;

  beforeAll(async () => {
    person = await aMember(app, world.a.organizationId, role === 'guest' ? null : role);
    permissions = (await app.call('GET', organization, { token: person.token })).body.permissions;
  });

  test('match the table', () => {
    expect(permissions).toEqual(
      Object.fromEntries(FLAGS.map((flag) => [flag, GRANTED[flag].includes(role)])),
    );
  });

  test('match the results of the operations', async () => {
    const call = async (method: string, path: string, body?: unknown) =>
      (await app.call(method, organization + path, { token: person.token, ...(body ? { body } : {}) }))
        .status;
    const member = await aMember(app, world.a.organizationId, 'read');
    for (const [flag, method, path, body, done] of [
      ['view', 'GET', '', undefined, 200],
      ['view', 'POST', '/ping', undefined, 200],
      ['admin', 'PATCH', '', { ai: true }, 200],
      ['admin', 'PUT', '/teams', { title: 'Team' }, 201],
      ['view', 'GET', '/invites', undefined, 200],
      ['admin', 'POST', '/invites', { emails: ['somebody@new.example'] }, 200],
      ['view', 'GET', '/link-invites', undefined, 200],
      ['admin', 'POST', '/link-invites', { role: 'read' }, 201],
      ['listMembers', 'GET', '/members', undefined, 200],
      ['listTeams', 'GET', '/teams', undefined, 200],
      ['listInstallations', 'GET', '/installations', undefined, 200],
      ['listIntegrations', 'GET', '/integrations', undefined, 200],
      ['createContent', 'POST', '/collections', { title: 'Collection' }, 201],
      ['createContent', 'POST', '/spaces', { title: 'Space' }, 201],
    ] as const) {
      expect(await call(method, path, body), `${flag}: ${method} ${path}`).toBe(
        permissions[flag] ? done : 403,
      );
    }
    const patched = await call('PATCH', `/members/${member.id}`, { role: 'read' });
    // Guests do not even see other members.
    expect(patched).toBe(role === 'guest' ? 404 : permissions['admin'] ? 200 : 403);
  });

  test('include ownTeam if the caller can manage a team that they own', async () => {
    const team = await app.call('PUT', `${organization}/teams`, {
      token: world.a.admin.token,
      body: { title: 'Owned' },
    });
    const path = `${organization}/teams/${team.body.id}`;
    await app.call('PUT', `${path}/members/${person.id}`, {
      token: world.a.admin.token,
      body: { role: 'owner' },
    });
    const { ownTeam } = (await app.call('GET', organization, { token: person.token })).body.permissions;
    const renamed = await app.call('PATCH', path, { token: person.token, body: { title: 'Mine' } });
    expect(renamed.status === 200).toBe(ownTeam);
    await app.call('DELETE', path, { token: world.a.admin.token });
    const after = (await app.call('GET', organization, { token: person.token })).body.permissions;
    expect(after.ownTeam).toBe(role === 'admin');
  });
});
