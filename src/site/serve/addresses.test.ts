import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, HTML, locationOf, type PublishedSite } from '../../../test/published-site.ts';
import { aSide, type Side } from '../../../test/world.ts';

/** From a host and a path to a page: sections, variants, former addresses, redirects, 404. */

let app: TestApp;
let side: Side;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
});

describe('a site with one space', () => {
  let site: PublishedSite;
  let space: string;
  let ids: string[];

  beforeAll(async () => {
    site = await aPublishedSite(app, side, { title: 'One space' });
    ({ space } = await site.addSpace('Manual'));
    ids = idsOf(
      await site.contents.edit(
        space,
        insert('Welcome', 'Hello **reader**.', { ref: 'welcome' }),
        insert('Set up', 'First steps.', { ref: 'setup' }),
        insert('Linux', 'On Linux.', { into: 'setup' }),
      ),
    );
  });

  test('shows its first page at its address, which ends with a slash', async () => {
    const root = await site.read('/');
    expect(root.status, root.text).toBe(200);
    expect(root.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(root.text).toContain('<strong>reader</strong>');
    const bare = await site.read('');
    expect([bare.status, locationOf(bare)]).toEqual([301, `/${site.basename}/`]);
    const own = await site.read('/welcome');
    expect([own.status, locationOf(own)]).toEqual([301, `/${site.basename}/`]);
  });

  test('shows other pages at their paths, without a slash and in one spelling', async () => {
    const page = await site.read('/set-up/linux');
    expect(page.status).toBe(200);
    expect(page.text).toContain('On Linux.');
    expect(page.text).toContain(
      `<link rel="canonical" href="http://octavo.test/${site.basename}/set-up/linux">`,
    );
    for (const other of ['/set-up/linux/', '/Set-Up/LINUX', '/set-up//linux']) {
      const answer = await site.read(other);
      expect([other, answer.status, locationOf(answer)]).toEqual([
        other,
        301,
        `/${site.basename}/set-up/linux`,
      ]);
    }
    const query = await site.read('/SET-UP?a=1');
    expect(locationOf(query)).toBe(`/${site.basename}/set-up?a=1`);
  });

  test('are cached once, however their path is encoded', async () => {
    const { pages, ready } = app.app.context.caches.sites;
    expect((await site.read('/set-up/linux')).status).toBe(200);
    const counts = () => [pages.size, ready.size];
    const before = counts();
    for (const other of ['/%73et-up/linux', '/set%2dup/linux', '/set%2Dup/%6cinux', '/set-up/%6C%69nux'])
      expect([other, (await site.read(other)).status]).toEqual([other, 200]);
    const encoded = site.basename.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`);
    for (const basename of [encoded, site.basename.toUpperCase()])
      expect((await app.call('GET', `/${basename}/set-up/linux`, { headers: HTML })).status).toBe(200);
    expect(counts()).toEqual(before);
  });

  test('answers 404 with a page of its own for everything else', async () => {
    const missing = ['/nothing', '/set-up/windows', '/%2e%2e/x', '/a%00b', '/%ff', '/~octavo/nothing', '/~'];
    for (const path of missing) {
      const answer = await site.read(path);
      expect([path, answer.status]).toEqual([path, path === '/%ff' ? 400 : 404]);
      if (answer.status === 404) expect(answer.headers['content-type']).toContain('text/html');
    }
    const long = await site.read(`/${'x'.repeat(3000)}`);
    expect(long.status).toBe(404);
    const page = await site.read('/nothing');
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    expect(page.text).toContain(`href="/${site.basename}/set-up"`);
  });

  test('redirects from the addresses of renamed and moved pages, also below them', async () => {
    const [, setup = '', linux = ''] = ids;
    const update = (page: string, changes: object) =>
      site.contents.edit(space, { operation: 'update_page', page, ...changes });
    await update(setup, { slug: 'installation' });
    expect(locationOf(await site.read('/set-up'))).toBe(`/${site.basename}/installation`);
    expect(locationOf(await site.read('/set-up/linux'))).toBe(`/${site.basename}/installation/linux`);
    await update(linux, { slug: 'gnu' });
    await update(setup, { slug: 'install' });
    for (const former of ['/set-up/linux', '/installation/linux', '/installation/gnu', '/Set-Up/GNU']) {
      const answer = await site.read(former);
      expect([former, answer.status, locationOf(answer)]).toEqual([
        former,
        301,
        `/${site.basename}/install/gnu`,
      ]);
    }
    // A new page at an old address is shown.
    await site.contents.edit(space, insert('Set up', 'Again.'));
    expect((await site.read('/set-up')).status).toBe(200);
    // A page that left a deleted one is found at its old addresses.
    await site.contents.edit(space, { operation: 'move_page', page: linux, into: null });
    await site.contents.edit(space, { operation: 'delete_page', page: setup });
    expect((await site.read('/installation')).status).toBe(404);
    for (const former of ['/install/gnu', '/installation/linux', '/set-up/linux'])
      expect([former, locationOf(await site.read(former))]).toEqual([former, `/${site.basename}/gnu`]);
  });
});

describe('a site with sections and variants', () => {
  let site: PublishedSite;
  let variant: { space: string; siteSpace: string };
  const spaces: string[] = [];

  beforeAll(async () => {
    site = await aPublishedSite(app, side, { title: 'Sections' });
    const guides = await site.addSpace('Guides');
    await site.contents.edit(guides.space, insert('Start', 'The guides.'), insert('Deep', 'Deep guide.'));
    const created = await site.change('POST', `/v1/orgs/${side.organizationId}/spaces`, {
      title: 'Reference',
      editMode: 'live',
    });
    const reference = `/v1/spaces/${created.id}`;
    await site.contents.edit(
      reference,
      insert('Overview', 'The reference.'),
      insert('Deep', 'Deep reference.'),
    );
    await site.change('POST', `${site.site}/sections`, { spaceId: idOf(guides.space), title: 'Guides' });
    const section = await site.change('POST', `${site.site}/sections`, {
      spaceId: created.id,
      title: 'Reference',
    });
    variant = await site.addSpace('Version one', section.id);
    await site.contents.edit(
      variant.space,
      insert('Old overview', 'Version 1.'),
      insert('Deep', 'Deep old.'),
    );
    spaces.push(guides.space, reference, variant.space);
  });

  const idOf = (path: string) => path.split('/').at(-1) ?? '';

  test('has no segment for the default section and the default variant', async () => {
    const shown = async (path: string) => (await site.read(path)).text;
    expect(await shown('/')).toContain('The guides.');
    expect(await shown('/deep')).toContain('Deep guide.');
    expect(await shown('/reference/')).toContain('The reference.');
    expect(await shown('/reference/deep')).toContain('Deep reference.');
    expect(await shown('/reference/version-one/')).toContain('Version 1.');
    expect(await shown('/reference/version-one/deep')).toContain('Deep old.');
    expect(locationOf(await site.read('/guides/deep'))).toBe(`/${site.basename}/deep`);
    expect(locationOf(await site.read('/Reference'))).toBe(`/${site.basename}/reference/`);
    expect(locationOf(await site.read('/reference/reference/deep'))).toBe(`/${site.basename}/reference/deep`);
  });

  test('links sections and variants', async () => {
    const { text } = await site.read('/reference/deep');
    expect(text).toContain(`href="/${site.basename}/reference/"`);
    expect(text).toContain(`href="/${site.basename}/reference/version-one/"`);
    expect(text).toContain('aria-current');
  });

  test('resolves links between its spaces', async () => {
    const [page] = await site.contents.pages(variant.space);
    const target = `{"kind":"page","space":"${idOf(variant.space)}","page":"${page.id}"}`;
    const document = {
      object: 'document',
      data: {},
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          isVoid: false,
          data: {},
          nodes: [
            {
              object: 'inline',
              type: 'link',
              isVoid: false,
              data: { ref: JSON.parse(target) },
              nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'over there', marks: [] }] }],
            },
          ],
        },
      ],
    };
    await site.contents.edit(spaces[0] ?? '', {
      operation: 'insert_page',
      title: 'Linking',
      document: { document },
    });
    const { status, text } = await site.read('/linking');
    expect(status).toBe(200);
    expect(text).toContain(`href="/${site.basename}/reference/version-one/"`);
    // The navigation leads to it on pages that do not refer to that space themselves.
    await site.contents.edit(
      spaces[0] ?? '',
      { operation: 'insert_page', type: 'link', title: 'Over there', target: JSON.parse(target) },
      { operation: 'insert_page', title: 'Without links', document: { markdown: 'x' } },
    );
    expect((await site.read('/without-links')).text).toMatch(
      /href="[^"]*\/version-one\/"[^>]*><span>Over there/,
    );
  });
});

describe('hosts', () => {
  test('a custom hostname serves its site without the basename, and no other', async () => {
    const site = await aPublishedSite(app, side, { title: 'At a hostname' });
    const { space } = await site.addSpace('Manual');
    await site.contents.edit(space, insert('Welcome', 'Own host.'), insert('Next', 'Next.'));
    await app.sql('update sites set hostname = $1 where id = $2', ['docs.alpha.example', site.id]);
    const at = (path: string, host: string) => app.call('GET', path, { headers: { ...HTML, host } });
    const root = await at('/', 'Docs.Alpha.example:8443');
    expect(root.text).toContain('Own host.');
    expect(root.text).toContain('<link rel="canonical" href="https://docs.alpha.example/">');
    expect(root.text).toContain('href="/next"');
    expect((await at('/next', 'docs.alpha.example')).text).toContain('Next.');
    expect((await at('/next', 'docs.alpha.example.')).text).toContain('Next.');
    expect((await at('/next', 'docs.alpha.example.:8443')).text).toContain('Next.');
    expect((await at('/next', 'docs.alpha.example..')).status).toBe(404);
    expect((await at(`/${site.basename}/next`, 'docs.alpha.example')).status).toBe(404);
    expect((await at('/next', 'other.example')).status).toBe(404);
    await app.sql('update sites set hostname = null where id = $1', [site.id]);
    await expect.poll(async () => (await at('/next', 'docs.alpha.example')).status).toBe(404);
  });

  test('the subdomain of an organization serves its default site, as long as it is that', async () => {
    const [one, two] = [
      await aPublishedSite(app, side, { title: 'Default' }),
      await aPublishedSite(app, side, { title: 'Other default' }),
    ];
    for (const site of [one, two]) {
      const { space } = await site.addSpace('Manual');
      await site.contents.edit(space, insert('Welcome', `Words of ${site.id}.`), insert('Next', 'Next.'));
    }
    const organization = (body: object) => one.change('PATCH', `/v1/orgs/${side.organizationId}`, body);
    const at = (path: string, host = 'alpha-docs.octavo.test') =>
      app.call('GET', path, { headers: { ...HTML, host } });
    await organization({ hostname: 'alpha-docs' });
    expect((await at('/next')).status).toBe(404);
    await organization({ defaultContent: { type: 'site', site: one.id } });
    const root = await at('/');
    expect(root.text).toContain(`Words of ${one.id}.`);
    expect(root.text).toContain('href="/next"');
    expect(root.text).toContain(`<link rel="canonical" href="http://octavo.test/${one.basename}/">`);
    expect((await at('/next')).status).toBe(200);
    for (const host of [
      'other.octavo.test',
      'x.alpha-docs.octavo.test',
      'alpha-docs.example',
      '.octavo.test',
    ])
      expect([host, (await at('/next', host)).status]).toEqual([host, 404]);
    // Twice, so that the response comes from caches.
    expect((await at('/')).text).toContain(one.id);
    await organization({ defaultContent: { type: 'site', site: two.id } });
    expect((await at('/')).text).toContain(`Words of ${two.id}.`);
    // From before the name was reserved.
    await app.sql(`update organizations set hostname = 'login' where id = $1`, [side.organizationId]);
    await expect.poll(async () => (await at('/next')).status).toBe(404);
    expect((await at('/next', 'login.octavo.test')).status).toBe(404);
    await organization({ hostname: 'alpha-pages' });
    expect((await at('/next')).status).toBe(404);
    expect((await at('/next', 'alpha-pages.octavo.test')).status).toBe(200);
    await two.change('POST', `${two.site}/unpublish`);
    expect((await at('/next', 'alpha-pages.octavo.test')).status).toBe(404);
  });

  test('a path without a site is refused in the format that the client reads', async () => {
    const program = await app.call('GET', '/no-such-site/page');
    expect([program.status, program.body.error.code]).toEqual([404, 404]);
    const browser = await app.call('GET', '/no-such-site/page', { headers: HTML });
    expect([browser.status, browser.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await app.call('GET', '/v1/nothing')).body.error.code).toBe(404);
    expect((await app.call('POST', '/no-such-site/page', { body: {} })).status).toBe(404);
  });
});
