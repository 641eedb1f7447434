import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aSite, aSpaceWithPages, type TestSite } from '../../../test/site-settings.ts';
import { aWorld, grantOn, type World } from '../../../test/world.ts';
import { DEFAULT_CUSTOMIZATION } from './defaults.ts';

let app: TestApp;
let world: World;
let site: TestSite;
let token: string;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  token = world.a.admin.token;
});

const call = (method: string, path: string, body?: unknown, caller = token) =>
  app.call(method, `${site.path}${path}`, { token: caller, ...(body === undefined ? {} : { body }) });
const put = (body: unknown) => call('PUT', '/customization', body);
const ofSiteSpace = () => `/site-spaces/${site.siteSpaceId}/customization`;
const patch = (body: unknown) => call('PATCH', ofSiteSpace(), body);

describe('of a site', () => {
  beforeAll(async () => {
    site = await aSite(app, world.a);
  });

  test('has defaults', async () => {
    const answer = await call('GET', '/customization');
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual(DEFAULT_CUSTOMIZATION);
  });

  test('is replaced as a whole', async () => {
    const sent = {
      ...DEFAULT_CUSTOMIZATION,
      title: 'Manual',
      styling: {
        ...DEFAULT_CUSTOMIZATION.styling,
        primaryColor: { light: '#123', dark: '#AbCdEf' },
        tint: { color: { light: '#111111', dark: '#eeeeee' } },
      },
      favicon: { emoji: '📕' },
      announcement: { enabled: true, message: 'New', style: 'info' },
      header: {
        preset: 'custom',
        backgroundColor: { light: '#000000', dark: '#ffffff' },
        logo: { light: 'https://a.example/l.png', dark: 'https://a.example/d.png' },
        links: [
          {
            title: 'Home',
            to: { kind: 'url', url: 'https://a.example/' },
            links: [],
            style: 'button-primary',
          },
          { title: 'Mail', to: { kind: 'url', url: 'mailto:us@a.example' }, links: [] },
          {
            title: 'More',
            to: null,
            links: [{ title: 'Space', to: { kind: 'space', space: site.spaceId } }],
            condition: 'visitor.claims.pro',
          },
        ],
      },
      footer: {
        groups: [
          {
            title: 'Legal',
            links: [{ title: 'Page', to: { kind: 'page', page: site.pageId, space: site.spaceId } }],
          },
        ],
        copyright: '© Us',
      },
    };
    const answer = await put(sent);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual(sent);
    expect((await call('GET', '/customization')).body).toEqual(sent);
    expect((await put({ title: 'Short' })).body).toEqual({ ...DEFAULT_CUSTOMIZATION, title: 'Short' });
    expect((await put({})).body).toEqual(DEFAULT_CUSTOMIZATION);
  });

  test('has what programs that render sites need: social accounts, themes of code, actions in an order', async () => {
    const sent = {
      socialAccounts: [
        { platform: 'mastodon', handle: '@a@b.example', display: { footer: true, header: false } },
      ],
      styling: {
        codeTheme: {
          default: { light: 'github-light', dark: 'nord' },
          openapi: { light: 'min-light', dark: 'dracula' },
        },
      },
      pageActions: { items: ['pdf', 'assistant', 'markdown'] },
    };
    expect((await put(sent)).body).toMatchObject(sent);
    expect((await put(sent)).body).toMatchObject(sent);
    expect((await call('GET', '/customization')).body).toMatchObject(sent);
    expect((await call('GET', ofSiteSpace())).body).toMatchObject(sent);
    expect((await patch({ socialAccounts: [] })).body).toMatchObject({ socialAccounts: [] });
    expect((await patch({ socialAccounts: null })).body).toMatchObject({ ...sent, hasOverrides: false });
    expect((await put({})).body).toEqual(DEFAULT_CUSTOMIZATION);
  });

  test('the list of actions and their older switches agree, whichever a client sets', async () => {
    const { body } = await put({ pageActions: { items: ['mcp', 'git'] } });
    expect(body).toMatchObject({
      pageActions: { externalAI: false, markdown: false, mcp: true, items: ['mcp', 'git'] },
      git: { showEditLink: true },
      pdf: { enabled: false },
    });
    // A client that does not know the list changes what it knows in the answer.
    const older = { ...body, pageActions: { ...body.pageActions, mcp: false }, pdf: { enabled: true } };
    const now = (await put(older)).body;
    expect(now.pageActions).toMatchObject({ mcp: false, items: ['git', 'pdf'] });
    const newer = { ...now, pageActions: { ...now.pageActions, items: ['markdown'] } };
    expect((await put(newer)).body).toMatchObject({
      pageActions: { externalAI: false, markdown: true, mcp: false, items: ['markdown'] },
      git: { showEditLink: false },
    });
    expect((await patch({ pageActions: { mcp: true } })).body.pageActions.items).toEqual(['markdown', 'mcp']);
    expect((await patch({ pageActions: { items: ['pdf'] } })).body).toMatchObject({
      pageActions: { markdown: false, mcp: false, items: ['pdf'] },
      pdf: { enabled: true },
    });
    expect((await patch({ pageActions: { items: null } })).body).toMatchObject({
      pageActions: { items: ['markdown'] },
      hasOverrides: false,
    });
    await put({});
  });

  test('of more than 256 kB is refused', async () => {
    const links = Array.from({ length: 50 }, () => ({
      title: 'A',
      to: { kind: 'url', url: `https://a.example/${'x'.repeat(2000)}` },
    }));
    const header = { links: [{ title: 'Menu', to: null, links }] };
    const groups = [{ title: 'Legal', links }];
    expect((await put({ header })).status).toBe(200);
    expectError(await put({ header, footer: { groups: [...groups, ...groups] } }), 413, /256 kB.*`footer`/);
    expect((await put({})).status).toBe(200);
    // The sum of all changes of a site space counts.
    expect((await patch({ header })).status).toBe(200);
    expectError(await patch({ footer: { groups: [...groups, ...groups] } }), 413, /256 kB/);
    expect((await call('DELETE', ofSiteSpace())).status).toBe(205);
  });

  test('names the space of a link', async () => {
    const to = { kind: 'anchor', page: site.pageId, anchor: 'top' };
    const answer = await put({ header: { links: [{ title: 'Top', to, links: [] }] } });
    expect(answer.body.header.links[0].to).toEqual({ ...to, space: site.spaceId });
    const { body: bare } = await app.call('POST', `/v1/orgs/${world.a.organizationId}/sites`, {
      token,
      body: { title: 'Without spaces' },
    });
    const refused = await app.call(
      'PUT',
      `/v1/orgs/${world.a.organizationId}/sites/${bare.id}/customization`,
      {
        token,
        body: { header: { links: [{ title: 'Top', to, links: [] }] } },
      },
    );
    expectError(refused, 400, /needs the id of the space/);
    expect(detailsOf(refused)[0]).toMatch(/^body\.header\.links\[0\]\.to\.space/);
  });

  test('refuses a link into a space that the caller cannot view', async () => {
    const foreign = await aSpaceWithPages(app, world.b);
    const linkTo = (spaceId: string) => ({
      footer: {
        groups: [{ title: 'A', links: [{ title: 'B', to: { kind: 'page', page: 'x', space: spaceId } }] }],
      },
    });
    expectError(await put(linkTo(foreign.spaceId)), 404);
    expectError(await put(linkTo('missing')), 404);
    const secret = await aSpaceWithPages(app, world.a);
    await app.call('PATCH', `/v1/spaces/${secret.spaceId}`, { token, body: { defaultLevel: null } });
    const editor = world.a.people.edit;
    await grantOn(app, editor, 'admin', [], [], [site.id]);
    expectError(await call('PUT', '/customization', linkTo(secret.spaceId), editor.token), 404);
    expect((await call('PUT', '/customization', linkTo(site.spaceId), editor.token)).status).toBe(200);
  });

  test.each(['https://a;sandbox', 'https://a,b/f', "https://a'b/f", 'https://u@a.example/f'])(
    'refuses a font at %s',
    async (url) => {
      const fontFaces = [{ weight: 400, sources: [{ url }] }];
      const font = { id: 'f', custom: true, fontFamily: 'A', fontFaces };
      expectError(await put({ styling: { font } }), 400);
    },
  );

  test.each([
    ['a colour', { styling: { primaryColor: { light: 'red', dark: '#000' } } }],
    ['a colour of eight digits', { styling: { tint: { color: { light: '#00000000', dark: '#000' } } } }],
    ['a colour with CSS', { styling: { infoColor: { light: '#000;}', dark: '#000' } } }],
    ['half a colour', { styling: { infoColor: { light: '#000' } } }],
    ['a theme', { styling: { theme: 'neon' } }],
    ['a font', { styling: { font: 'Comic' } }],
    [
      'a font with CSS',
      {
        styling: {
          font: {
            id: 'f',
            custom: true,
            fontFamily: 'A"; }',
            fontFaces: [{ weight: 400, sources: [{ url: 'https://a.example/f' }] }],
          },
        },
      },
    ],
    [
      'a font without a source',
      { styling: { font: { id: 'f', custom: true, fontFamily: 'A', fontFaces: [] } } },
    ],
    ['a theme of code', { styling: { codeTheme: { default: { light: 'neon', dark: 'nord' } } } }],
    ['an action', { pageActions: { items: ['shout'] } }],
    [
      'a platform',
      { socialAccounts: [{ platform: 'fax', handle: 'a', display: { footer: true, header: true } }] },
    ],
    ['a locale', { internationalization: { locale: 'tlh' } }],
    [
      'a script as a logo',
      { header: { logo: { light: 'javascript:alert(1)', dark: 'https://a.example/' } } },
    ],
    ['data as a logo', { header: { logo: { light: 'data:image/svg+xml,x', dark: 'https://a.example/' } } }],
    [
      'a script as a link',
      { header: { links: [{ title: 'A', to: { kind: 'url', url: ' javascript:alert(1)' }, links: [] }] } },
    ],
    [
      'a link with white space',
      { header: { links: [{ title: 'A', to: { kind: 'url', url: 'https://a.example/ b' }, links: [] }] } },
    ],
    ['a kind of link', { header: { links: [{ title: 'A', to: { kind: 'user', user: 'x' }, links: [] }] } }],
    ['a script as the privacy policy', { privacyPolicy: { url: 'vbscript:x' } }],
    ['a long title', { title: 'x'.repeat(129) }],
    ['a short title', { title: 'x' }],
    ['a long title of a link', { header: { links: [{ title: 'x'.repeat(65), to: null, links: [] }] } }],
    ['a long copyright', { footer: { copyright: 'x'.repeat(301) } }],
    ['a long announcement', { announcement: { enabled: true, message: 'x'.repeat(129), style: 'info' } }],
    ['a line break', { announcement: { enabled: true, message: 'a\nb', style: 'info' } }],
    [
      'too many links',
      { header: { links: Array.from({ length: 51 }, () => ({ title: 'A', to: null, links: [] })) } },
    ],
    ['null', { title: null }],
    [
      'a long condition',
      { header: { links: [{ title: 'A', to: null, links: [], condition: 'x'.repeat(1025) }] } },
    ],
  ])('refuses %s', async (_name, body) => {
    const answer = await put(body);
    expectError(answer, 400);
    expect(detailsOf(answer)[0]).toMatch(/^body\./);
  });

  test('refuses a condition that does not parse, with its position', async () => {
    const answer = await put({
      header: { links: [{ title: 'A', to: null, links: [], condition: 'a ===' }] },
    });
    expectError(answer, 400, /header\.links\[0\]\.condition.*character 6/);
  });

  test('needs an admin of the site', async () => {
    const reader = world.a.people.create;
    await grantOn(app, reader, 'read', [], [], [site.id]);
    expect((await call('GET', '/customization', undefined, reader.token)).status).toBe(200);
    expectError(await call('PUT', '/customization', {}, reader.token), 403);
    expectError(await call('GET', '/customization', undefined, world.a.people.review.token), 404);
  });

  test('is written only if it did not change', async () => {
    const { headers } = await call('GET', '/customization');
    const etag = headers['etag'] ?? '';
    const write = (title: string) =>
      app.call('PUT', `${site.path}/customization`, {
        token,
        body: { title },
        headers: { 'if-match': etag },
      });
    expect((await write('First')).status).toBe(200);
    expectError(await write('Second'), 412);
  });

  test('a change counts as a change of the site', async () => {
    const version = async () =>
      (await app.sql('select config_version from sites where id = $1', [site.id]))[0]?.['config_version'];
    const before = Number(await version());
    await put({ title: 'Counted' });
    const between = Number(await version());
    expect(between).toBeGreaterThan(before);
    await patch({ title: 'Counted, too' });
    expect(Number(await version())).toBeGreaterThan(between);
  });

  test('the favicon is the icon of the site, at once and in lists; null without one', async () => {
    const icon = { light: 'https://a.example/l.png', dark: 'https://a.example/d.png' };
    for (const [favicon, shown] of [
      [{ emoji: '📕' }, { emoji: '📕' }],
      [{ icon }, { icon }],
      [{}, null],
    ] as const) {
      expect((await put({ favicon })).status).toBe(200);
      expect((await call('GET', '')).body.icon).toEqual(shown);
      const { body } = await app.call('GET', `/v1/orgs/${world.a.organizationId}/sites`, { token });
      expect(body.items.find(({ id }: { id: string }) => id === site.id).icon).toEqual(shown);
    }
  });
});

describe('of a site space', () => {
  beforeAll(async () => {
    site = await aSite(app, world.a);
    await put({ title: 'Site', styling: { theme: 'bold', sidebar: { list: 'pill' } } });
  });

  test('inherits, overrides and resets each setting', async () => {
    expect((await call('GET', ofSiteSpace())).body).toMatchObject({ title: 'Site', hasOverrides: false });
    const set = await patch({
      title: 'Variant',
      styling: { theme: 'muted', sidebar: { background: 'filled' } },
    });
    expect(set.status, set.text).toBe(200);
    expect(set.body).toMatchObject({
      title: 'Variant',
      hasOverrides: true,
      styling: { theme: 'muted', sidebar: { background: 'filled', list: 'pill' } },
    });
    expect((await call('GET', '/customization')).body).toMatchObject({
      title: 'Site',
      styling: { theme: 'bold' },
    });
    const reset = await patch({ title: null, styling: { theme: null } });
    expect(reset.body).toMatchObject({ title: 'Site', hasOverrides: true, styling: { theme: 'bold' } });
    expect((await patch({ styling: null })).body).toMatchObject({ hasOverrides: false });
    expect((await call('GET', ofSiteSpace())).body).toMatchObject({ hasOverrides: false });
  });

  test('is removed with DELETE', async () => {
    await patch({ title: 'Variant' });
    expect((await call('DELETE', ofSiteSpace())).status).toBe(205);
    expect((await call('GET', ofSiteSpace())).body).toMatchObject({ title: 'Site', hasOverrides: false });
  });

  test('concurrent changes of different settings are all kept', async () => {
    const patches = ['clean', 'subtle'].map((_value, index) =>
      index === 0 ? { title: 'Together' } : { footer: { copyright: 'Us' } },
    );
    await Promise.all(patches.map(patch));
    expect((await call('GET', ofSiteSpace())).body).toMatchObject({
      title: 'Together',
      footer: { copyright: 'Us' },
    });
  });

  test('a site space of another site is not found', async () => {
    const other = await aSite(app, world.a);
    expectError(await call('GET', `/site-spaces/${other.siteSpaceId}/customization`), 404);
    expectError(
      await call('PATCH', `/site-spaces/${other.siteSpaceId}/customization`, { title: 'Mine' }),
      404,
    );
  });
});
