import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { anIntegration, PNG, publishAs } from '../../../test/integrations.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aWorld, type World } from '../../../test/world.ts';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

const publish = (name: string, more: object = {}) => publishAs(app, world.a, name, more);
const get = (path: string, token = world.a.admin.token) => app.call('GET', path, { token });
const namesIn = async (query: object, token = world.a.admin.token, path = '/v1/integrations') => {
  const { body } = await app.call('GET', path, { token, query: query as Record<string, string> });
  return body.items.map(({ name }: { name: string }) => name);
};

describe('a publication', () => {
  test('is answered with all that it set, and the next one is the next version', async () => {
    const sent = {
      title: 'Analytics',
      description: 'Counts readers.',
      summary: '# Counts',
      icon: PNG,
      previewImages: [PNG, PNG],
      visibility: 'public',
      target: 'site',
      scopes: ['site:script:inject', 'site:script:cookies'],
      categories: ['analytics'],
      blocks: [{ id: 'chart', title: 'Chart', urlUnfurl: ['https://charts.example/**'] }],
      contentSources: [{ id: 'source', title: 'Source', configuration: { componentId: 'source' } }],
      externalLinks: [{ url: 'https://charts.example/docs', label: 'Documentation' }],
      configurations: {
        site: {
          properties: { tracking_id: { type: 'string', title: 'Tracking id' } },
          required: ['tracking_id'],
        },
        account: { componentId: 'config' },
      },
      contentSecurityPolicy: { 'script-src': 'https://charts.example' },
      secrets: { KEY: 'canary-of-secrets' },
    };
    const { body, status, text } = await publish('analytics', sent);
    expect(status, text).toBe(200);
    const { icon: _icon, previewImages, secrets: _secrets, ...shown } = sent;
    expect(body).toMatchObject({
      ...shown,
      object: 'integration',
      name: 'analytics',
      version: 1,
      verified: false,
      owner: { id: world.a.organizationId, emailDomains: ['alpha.example'] },
      permissions: { admin: true, install: true },
    });
    expect(body.previewImages).toHaveLength(previewImages.length);
    expect((await publish('analytics', { ...sent, title: 'Renamed' })).body).toMatchObject({
      version: 2,
      title: 'Renamed',
    });
    const read = await get('/v1/integrations/analytics');
    expect(read.body).toMatchObject({ version: 2 });
    expect(read.text).not.toContain('canary-of-secrets');
    expect(read.text).not.toContain('export default');
    const [row] = await app.sql(`select i::text as row from integrations i where name = 'analytics'`);
    expect(row?.['row']).not.toContain('canary-of-secrets');
  });

  test('may name its organization by its subdomain', async () => {
    await app.sql(`update organizations set hostname = 'alpha-docs' where id = $1`, [world.a.organizationId]);
    const { status, text } = await publish('by-subdomain', { organization: 'alpha-docs' });
    expect(status, text).toBe(200);
  });

  test('has images that are served as inert files, and replaced by the next', async () => {
    const { body } = await publish('pictured', { icon: PNG, previewImages: [PNG] });
    for (const url of [body.urls.icon, ...body.previewImages]) {
      const { status, headers } = await app.call('GET', new URL(url).pathname);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
      });
    }
    const elsewhere = new URL(body.urls.icon).pathname.replace('/pictured/', '/analytics/');
    expect((await app.call('GET', elsewhere)).status).toBe(404);
    expect((await publish('pictured')).body.urls).not.toHaveProperty('icon');
    expect((await app.call('GET', new URL(body.urls.icon).pathname)).status).toBe(404);
  });

  test('counts versions without a gap when many are published at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => publish('contended')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.map(({ body }) => body.version).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 1),
    );
    const both = await Promise.all([publishAs(app, world.a, 'raced'), publishAs(app, world.b, 'raced')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>').toString(
    'base64',
  );
  const text = Buffer.from('not an image').toString('base64');

  test.each<[string, object, number]>([
    ['a title that is too short', { title: 'a' }, 400],
    ['a title that is too long', { title: 'a'.repeat(31) }, 400],
    ['a description that is too long', { description: 'a'.repeat(101) }, 400],
    ['a summary that is too long', { summary: 'a'.repeat(2049) }, 400],
    ['four preview images', { previewImages: [PNG, PNG, PNG, PNG] }, 400],
    ['an icon that is no image', { icon: text }, 400],
    ['an icon that is SVG', { icon: svg }, 400],
    ['an icon that is not base64', { icon: `${PNG.slice(0, -4)}é===` }, 400],
    ['an icon that ends in its header', { icon: PNG.slice(0, 16) }, 400],
    ['a large icon', { icon: Buffer.alloc(251 * 1024).toString('base64') }, 400],
    ['a preview image that is no image', { previewImages: [PNG, text] }, 400],
    ['an unknown scope', { scopes: ['space:everything'] }, 400],
    ['an unknown category', { categories: ['games'] }, 400],
    [
      'six links',
      { externalLinks: Array.from({ length: 6 }, () => ({ url: 'https://a.example/', label: 'A' })) },
      400,
    ],
    ['a link with a script', { externalLinks: [{ url: 'javascript:alert(1)', label: 'A' }] }, 400],
    [
      'many blocks',
      { blocks: Array.from({ length: 5000 }, (_, n) => ({ id: `b${n}`, title: 'Block' })) },
      400,
    ],
    [
      'many URLs of a block',
      { blocks: [{ id: 'b', title: 'Block', urlUnfurl: Array(5000).fill('https://a.example') }] },
      400,
    ],
    [
      'a property of an unknown type',
      { configurations: { site: { properties: { a: { type: 'object' } } } } },
      400,
    ],
    [
      'a property with a hostile name',
      { configurations: { site: { properties: { 'a b': { type: 'string' } } } } },
      400,
    ],
    ['no script', { script: undefined }, 400],
    ['no organization', { organization: undefined }, 400],
    ['a script of 25 MB', { script: 'a'.repeat(25 * 1024 * 1024) }, 413],
  ])('is refused with %s', async (_name, more, status) => {
    expectError(await publish('refused', more), status);
    expect((await get('/v1/integrations/refused')).status).toBe(404);
  });

  test.each(['...', 'a b', 'a/b', 'é', 'a'.repeat(101)])('is refused under the name %j', async (name) => {
    expectError(await publish(encodeURIComponent(name)), 400, /integrationName/);
  });

  test('never changes a prototype', async () => {
    const raw = JSON.stringify({
      title: 'Hostile',
      description: '',
      script: '',
      organization: world.a.organizationId,
      configurations: { site: { properties: { PLACE: { type: 'string', default: 'polluted' } } } },
    }).replace('PLACE', '__proto__');
    const headers = { 'content-type': 'application/json' };
    const token = world.a.admin.token;
    const { body } = await app.call('POST', '/v1/integrations/hostile', { token, raw, headers });
    expect(body.configurations).toEqual({ site: { properties: {} } });
    expect(({} as Record<string, unknown>)['default']).toBeUndefined();
  });

  test('needs an admin of the organization, which outsiders do not find', async () => {
    for (const role of ['read', 'create', 'guest'] as const)
      expectError(await publishAs(app, world.a, 'denied', {}, world.a.people[role].token), 403);
    expectError(await publishAs(app, world.a, 'denied', {}, world.b.admin.token), 404);
    expectError(await publish('denied', { organization: 'no-such-organization' }), 404);
  });

  test('may not take the name of another organization, in any spelling', async () => {
    await publish('Taken');
    expectError(await publishAs(app, world.b, 'Taken'), 409, /is taken/);
    expectError(await publishAs(app, world.b, 'taken'), 409, /is taken/);
    expectError(await publish('taken'), 409, /is taken/);
  });
});

describe('an integration', () => {
  test('is seen by everyone, by name, or by members, according to its visibility', async () => {
    const [open, unlisted, hidden] = await Promise.all(
      ['public', 'unlisted', 'private'].map((visibility) => anIntegration(app, world.a, { visibility })),
    );
    const reader = world.a.people.read.token;
    const outsider = world.b.admin.token;
    const statuses = async (token: string) =>
      Promise.all(
        [open, unlisted, hidden].map(async (name) => (await get(`/v1/integrations/${name}`, token)).status),
      );
    expect(await statuses(reader)).toEqual([200, 200, 200]);
    expect(await statuses(outsider)).toEqual([200, 200, 404]);
    expect(await statuses(world.a.people.guest.token)).toEqual([200, 200, 404]);
    const limit = { limit: '1000' };
    expect(await namesIn(limit, reader)).toEqual(expect.arrayContaining([open, unlisted, hidden]));
    expect(await namesIn(limit, outsider)).toContain(open);
    for (const name of [unlisted, hidden]) expect(await namesIn(limit, outsider)).not.toContain(name);

    // Also for somebody who is in both organizations.
    const both = await aMember(app, world.a.organizationId, 'admin');
    await app.sql(`insert into members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      world.b.organizationId,
      both.id,
    ]);
    const ofOrganization = (id: string) => namesIn(limit, both.token, `/v1/orgs/${id}/integrations`);
    expect(await ofOrganization(world.a.organizationId)).toContain(hidden);
    expect(await ofOrganization(world.b.organizationId)).not.toContain(hidden);

    const { body } = await get(`/v1/integrations/${open}`, outsider);
    expect(body.owner).toMatchObject({ id: world.a.organizationId, emailDomains: [] });
    expect(Object.values(body.owner.permissions)).not.toContain(true);
    expect(body.permissions).toEqual({ admin: false, install: true });
    expect((await get(`/v1/integrations/${open}`, world.stranger.token)).body.permissions.install).toBe(
      false,
    );
  });

  test('is found by every filter', async () => {
    const owner = world.b.organizationId;
    const of = (more: object) => anIntegration(app, world.b, { visibility: 'public', ...more });
    const plain = await of({ title: 'A plain one', target: 'space' });
    const rich = await of({
      title: 'Unfurls 100%',
      categories: ['content'],
      scopes: ['space:content:read', 'space:views:read'],
      blocks: [{ id: 'b', title: 'Block', urlUnfurl: ['https://*.Maps.example/**'] }],
      contentSources: [{ id: 's', title: 'Source', configuration: { componentId: 'c' } }],
    });
    const found = (query: object) => namesIn({ owner, ...query });
    expect((await found({})).toSorted()).toEqual(expect.arrayContaining([plain, rich]));
    for (const [query, expected] of [
      [{ search: 'PLAIN' }, [plain]],
      [{ search: '100%' }, [rich]],
      [{ search: plain }, [plain]],
      [{ search: '%' }, [rich]],
      [{ category: 'content' }, [rich]],
      [{ blockDomain: 'maps.example' }, [rich]],
      [{ blockDomain: 'aps.example' }, []],
      [{ blocks: 'true' }, [rich]],
      [{ blocks: 'false' }, [plain]],
      [{ contentSources: 'true' }, [rich]],
      [{ scope: 'space:views:read' }, [rich]],
      [{ target: 'site' }, [rich]],
      [{ target: 'all' }, [rich]],
      [{ owner: world.stranger.id }, []],
    ] as const)
      expect(await found(query), JSON.stringify(query)).toEqual(expected);
    expect((await found({ target: 'space' })).toSorted()).toEqual([plain, rich].toSorted());
    const wrong: Record<string, string>[] = [
      { blockDomain: 'a/b' },
      { category: 'games' },
      { target: 'page' },
    ];
    for (const query of wrong)
      expectError(await app.call('GET', '/v1/integrations', { token: world.a.admin.token, query }), 400);
  });

  test('is unpublished by admins of its organization, after which its name is free', async () => {
    const name = await anIntegration(app, world.a, { visibility: 'public' });
    const path = `/v1/integrations/${name}`;
    expectError(await app.call('DELETE', path, { token: world.b.admin.token }), 403);
    expectError(await app.call('DELETE', path, { token: world.a.people.create.token }), 403);
    expect((await app.call('DELETE', path, { token: world.a.admin.token })).status).toBe(204);
    expectError(await app.call('DELETE', path, { token: world.a.admin.token }), 404);
    expect((await publishAs(app, world.b, name)).body.version).toBe(1);
  });

  test('has a public endpoint that says that scripts do not run', async () => {
    const name = await anIntegration(app, world.a);
    const { body } = await get(`/v1/integrations/${name}`);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      for (const rest of ['', '/oauth/callback?code=1']) {
        const { status, text } = await app.call(method, new URL(body.urls.publicEndpoint).pathname + rest);
        expect(status, method).toBe(501);
        expect(text).toContain('does not run them');
      }
    expect((await app.call('GET', '/~integrations/none/endpoint')).status).toBe(404);
  });
});
