import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** Feeds of a site: sitemaps, Markdown, RSS and others beside its pages. */

let app: TestApp;
let site: PublishedSite;
let base: string;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'), { title: 'Feeds' });
  base = `http://octavo.test/${site.basename}`;
  const { space } = await site.addSpace('Manual');
  await site.contents.edit(
    space,
    insert('Welcome', 'Read [the setup](/pages/setup) and <https://other.example/>.\n', {
      description: 'Where to begin',
    }),
    insert('Setup', '## Install\n\nRun `install` & enjoy.\n', { slug: 'setup' }),
    insert(
      'Changes',
      '{% updates %}\n{% update date="2026-01-02" %}\n## Faster\n\nMuch faster.\n{% endupdate %}\n{% endupdates %}\n',
    ),
    insert('Internal', 'Not for search.', { noIndex: true }),
    insert('No robots', 'For people.', { noRobotsIndex: true }),
  );
});

describe('Markdown', () => {
  test('is at the address of a page with .md, with absolute links', async () => {
    const { status, headers, text } = await site.read('/welcome.md');
    expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text.slice(0, text.indexOf('\n'))).toBe(`> All pages of this site: <${base}/llms.txt>`);
    expect(text).toMatch(/^> .*\n\n# Welcome\n\nWhere to begin\n\n/);
    expect(text).toContain(`[the setup](${base}/setup)`);
    expect(text).toContain('<https://other.example/>');
  });

  test('is sent to clients that ask for it', async () => {
    const markdown = await site.read('/setup', { accept: 'text/markdown, text/html;q=0.9' });
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(markdown.headers['vary']).toContain('Accept');
    const browser = await site.read('/setup', { accept: 'text/html, text/markdown;q=0.5, */*;q=0.1' });
    expect(browser.headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await site.read('/nothing.md')).status).toBe(404);
  });

  test('of a page is also at index.md below it', async () => {
    for (const [path, leadsTo] of [
      ['/index.md', '/welcome.md'],
      ['/setup/index.md', '/setup.md'],
    ] as const) {
      const { status, headers } = await site.read(path);
      expect([path, status, headers['location']]).toEqual([path, 301, `/${site.basename}${leadsTo}`]);
    }
    expect((await site.read('/nothing/index.md')).status).toBe(404);
  });

  test('is where pages say that it is: programs find the list of all pages', async () => {
    expect((await site.read('/setup')).text).toContain(
      `<a hidden href="/${site.basename}/llms.txt">llms.txt</a>`,
    );
  });
});

describe('lists of pages', () => {
  test('follow the order of the site, also through section groups', async () => {
    const ordered = await aPublishedSite(app, await aSide(app, 'ordered'), { title: 'Ordered' });
    const spaces = `/v1/orgs/${ordered.site.split('/')[3]}/spaces`;
    const sections: string[] = [];
    for (const title of ['First', 'Second', 'Third']) {
      const { id } = await ordered.change('POST', spaces, { title, editMode: 'live' });
      await ordered.contents.edit(`/v1/spaces/${id}`, insert(`Page of ${title}`, 'Text.'));
      sections.push((await ordered.change('POST', `${ordered.site}/sections`, { spaceId: id, title })).id);
    }
    const groups = `${ordered.site}/section-groups`;
    await ordered.change('POST', groups, { title: 'Group', sections: sections.slice(2) });
    const titles = async () =>
      [...(await ordered.read('/llms.txt')).text.matchAll(/^- \[Page of (\w+)\]/gm)].map(
        ([, title]) => title,
      );
    expect(await titles()).toEqual(['First', 'Second', 'Third']);
    const item = { type: 'site-section', id: sections[1] };
    const before = { type: 'site-section', id: sections[0] };
    await ordered.change('PATCH', `${ordered.site}/structure/sort`, { item, position: { before } });
    expect(await titles()).toEqual(['Second', 'First', 'Third']);
    const sitemap = (await ordered.read('/sitemap.xml')).text;
    expect(sitemap.indexOf('/second')).toBeLessThan(sitemap.indexOf('/third'));
  });

  test('llms.txt and llms-full.txt', async () => {
    const list = await site.read('/llms.txt');
    expect(list.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(list.text).toMatch(/^# Feeds\n\n> The pages of this site as Markdown, in their order/);
    expect(list.text).toContain(
      `- [Welcome](${base}/welcome.md): Where to begin\n- [Setup](${base}/setup.md)\n`,
    );
    expect(list.text).not.toContain('internal');
    const full = await site.read('/llms-full.txt');
    expect(full.text).toContain('Run `install` & enjoy.');
    expect(full.text).toContain('# Welcome');
    expect(full.text).not.toContain('Not for search.');
  });

  test('sitemap.xml and robots.txt', async () => {
    const { text, headers } = await site.read('/sitemap.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    const locations = Array.from(text.matchAll(/<loc>(.*?)<\/loc>/g), ([, loc]) => loc);
    expect(locations).toEqual([`${base}/`, `${base}/setup`, `${base}/changes`]);
    expect(text).toMatch(/<lastmod>\d{4}-\d\d-\d\dT/);
    expect((await site.read('/sitemap-2.xml')).status).toBe(404);
    expect((await site.read('/robots.txt')).text).toContain(`Sitemap: ${base}/sitemap.xml`);
    const page = await site.read('/no-robots');
    expect(page.text).toContain('<meta name="robots" content="noindex">');
  });

  test('RSS of the site, and of the updates of a page', async () => {
    const feed = await site.read('/rss.xml');
    expect(feed.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
    expect(feed.text).toContain(`<link>${base}/setup</link>`);
    const page = await site.read('/changes');
    expect(page.text).toContain(`href="/${site.basename}/changes/rss.xml"`);
    const updates = await site.read('/changes/rss.xml');
    expect(updates.text).toContain('<title>Faster</title>');
    expect(updates.text).toContain('<pubDate>Fri, 02 Jan 2026 00:00:00 GMT</pubDate>');
    expect((await site.read('/setup/rss.xml')).status).toBe(404);
  });

  test('RSS of the updates of a first page', async () => {
    const log = await aPublishedSite(app, await aSide(app, 'log'), { title: 'Log' });
    const { space } = await log.addSpace('Log');
    const update =
      '{% updates %}\n{% update date="2026-01-02" %}\n## Faster\n{% endupdate %}\n{% endupdates %}\n';
    await log.contents.edit(space, insert('Changes', update));
    const [, href = ''] = /href="([^"]+rss\.xml)"/.exec((await log.read('/')).text) ?? [];
    expect(href).toBe(`/${log.basename}/changes/rss.xml`);
    expect((await log.read('/changes/rss.xml')).text).toContain('<title>Faster</title>');
  });
});

test('callouts of other programs are hints in every form but their source', async () => {
  const foreign = await aPublishedSite(app, await aSide(app, 'foreign'), { title: 'Foreign' });
  const { space } = await foreign.addSpace('Manual');
  const callouts =
    '> [!CAUTION]\r\n> Sharp *edges*\r\n\r\n:::tip[Faster]\r\nUse both hands\r\n:::\r\n\r\n??? warning "Old"\r\n    Since 2019\r\n';
  const update = `{% updates %}\n{% update date="2026-01-02" %}\n## News\n\n${callouts}{% endupdate %}\n{% endupdates %}\n`;
  const { changes } = await foreign.contents.edit(
    space,
    insert('Home'),
    insert('Callouts', callouts),
    insert('Log', update),
  );
  const [, page] = changes.map((each: { page: { id: string } }) => each.page.id);
  const { text } = await foreign.read('/callouts');
  const hints = [...text.matchAll(/class="hint" data-tone="(\w+)"/g)].map(([, tone]) => tone);
  expect(hints).toEqual(['danger', 'success', 'warning']);
  expect(text).toMatch(/<strong>Faster<\/strong>[^]*Use both hands/);
  expect(text).not.toMatch(/\[!CAUTION\]|:::|\?\?\?/);
  expect((await foreign.read('/log/rss.xml')).text).not.toMatch(/\[!CAUTION\]|:::|\?\?\?/);
  const { document } = await foreign.contents.page(space, page, '?format=document');
  expect(document.nodes.map((node: { type: string }) => node.type)).toEqual(['hint', 'hint', 'hint']);
  const sent = await foreign.contents.edit(space, { operation: 'update_page', page, document: { document } });
  expect(sent.warnings ?? []).toEqual([]);
  expect((await foreign.contents.page(space, page, '?format=markdown')).markdown).toBe(callouts);
  expect((await foreign.read('/callouts.md')).text).toContain('> [!CAUTION]');
  const found = await foreign.contents.get(`${space}/search?query=edges`);
  expect(JSON.stringify(found)).toContain('Sharp edges');
  expect((await foreign.contents.get(`${space}/search?query=caution`)).items).toEqual([]);
});

describe('search', () => {
  test('is a page, a fragment for the dialog, and JSON', async () => {
    const page = await site.read('/~octavo/search?q=install');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain(`href="/${site.basename}/setup#install"`);
    expect(page.text).toContain('<mark>');
    const fragment = await site.read('/~octavo/search?q=install&fragment=1');
    expect(fragment.text).not.toContain('<html');
    expect(fragment.text).toContain(`href="/${site.basename}/setup"`);
    const json = await site.read('/~octavo/search?q=install', { accept: 'application/json' });
    expect(json.body).toMatchObject({
      query: 'install',
      count: 1,
      items: [{ title: 'Setup', url: `${base}/setup` }],
    });
  });

  test('takes any query', async () => {
    for (const query of [
      '',
      ' ',
      '%00',
      '%',
      '"',
      "'",
      '<script>',
      'x'.repeat(3000),
      '\u{1f600}',
      '(a|b)*',
    ]) {
      const answer = await site.read(`/~octavo/search?q=${encodeURIComponent(query)}`);
      expect([query, answer.status]).toEqual([query, 200]);
      expect(answer.text).not.toContain('<script>x');
    }
    expect((await site.read('/~octavo/search')).status).toBe(200);
  });

  test('counts queries, and feedback of pages', async () => {
    await site.read('/~octavo/search?q=unfindable');
    const { text } = await site.read('/setup');
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
    const send = (fields: Record<string, string>, headers = {}) =>
      app.app.server.inject({
        method: 'POST',
        url: `/${site.basename}/~octavo/feedback`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          host: 'octavo.test',
          ...headers,
        },
        payload: new URLSearchParams(fields).toString(),
      });
    const place = { space: field('space'), page: field('page') };
    expect((await send({ ...place, rating: 'good', comment: 'Nice' })).statusCode).toBe(200);
    expect((await send({ ...place, rating: 'superb' })).statusCode).toBe(400);
    expect((await send({ ...place, page: 'nowhere', rating: 'good' })).statusCode).toBe(404);
    // From pages of others: a form needs no permission to be sent as text.
    const rating = { ...place, rating: 'bad' };
    const plain = { 'content-type': 'text/plain' };
    for (const from of ['cross-site', 'same-site'])
      expect((await send(rating, { ...plain, 'sec-fetch-site': from })).statusCode).toBe(403);
    for (const origin of ['https://evil.example', 'x'])
      expect((await send(rating, { ...plain, origin })).statusCode).toBe(403);
    for (const own of [{ 'sec-fetch-site': 'same-origin' }, { origin: 'http://octavo.test' }])
      expect((await send({ ...place, rating: 'superb' }, own)).statusCode).toBe(400);
    const { insights } = app.app.context.caches;
    expect([...insights.feedback.values()]).toMatchObject([{ rating: 'good', comment: 'Nice' }]);
    expect([...insights.searches.values()].find(({ query }) => query === 'unfindable')?.failed).toBe(1);
    expect([...insights.views.values()].length).toBeGreaterThan(0);
  });
});

describe('a long level', () => {
  test('is cut in the sidebar, and listed on a page of its own', async () => {
    const big = await aPublishedSite(app, await aSide(app, 'gamma'), { title: 'Big' });
    const { space } = await big.addSpace('Many');
    const pages = Array.from({ length: 250 }, (_page, index) => insert(`Page ${index}`, 'Text.'));
    for (let at = 0; at < pages.length; at += 50) await big.contents.edit(space, ...pages.slice(at, at + 50));
    const { text } = await big.read('/page-120');
    expect(text).toContain(`href="/${big.basename}/page-121"`);
    expect(text).not.toContain(`href="/${big.basename}/page-10"`);
    const more = /class="more" href="([^"]*)"/.exec(text)?.[1] ?? '';
    const contents = await app.call('GET', more);
    expect(contents.text).toContain(`href="/${big.basename}/page-10"`);
    expect(contents.text).not.toContain(`href="/${big.basename}/page-240"`);
    const next = await app.call('GET', `${more}?from=200`);
    expect(next.text).toContain(`href="/${big.basename}/page-240"`);
    expect((await app.call('GET', `${more}?from=400`)).status).toBe(404);
  });
});
