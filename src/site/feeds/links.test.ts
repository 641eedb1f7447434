import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, HTML, idIn, type PublishedSite } from '../../../test/published-site.ts';
import { aSide, type Side } from '../../../test/world.ts';

/** Every URL that a site hands out leads to a page, in one step, and to a heading of it where it has an anchor. */

let app: TestApp;
let side: Side;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
});

const PARTS = '## First part\n\nText.\n\n## 安装\n\nText.\n';

const linkTo = (ref: object) => ({
  object: 'inline',
  type: 'link',
  isVoid: false,
  data: { ref },
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'elsewhere', marks: [] }] }],
});

/** A page with links to pages of another space, and to their anchors. */
const linking = (title: string, space: string, pages: readonly string[]) => {
  const refs = pages.flatMap((page) => [
    { kind: 'page', space: idIn(space), page },
    { kind: 'anchor', space: idIn(space), page, anchor: 'first-part' },
  ]);
  const paragraph = { object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: refs.map(linkTo) };
  return {
    operation: 'insert_page',
    title,
    document: { document: { object: 'document', data: {}, nodes: [paragraph] } },
  };
};

/** Pages that link to themselves, to each other, and to their anchors. */
async function write(site: PublishedSite, space: string, titles: readonly string[]) {
  const ids = idsOf(await site.contents.edit(space, ...titles.map((title) => insert(title, PARTS))));
  const reused = await site.contents.edit(space, {
    operation: 'insert_reusable_content',
    title: 'Shared',
    document: { markdown: `See [part](#first-part) and [page](/pages/${ids.at(-1)}#first-part).\n` },
  });
  const include = `{% include "/reusable-content/${reused.changes[0].reusableContent.id}" %}`;
  await site.contents.edit(
    space,
    ...ids.map((id, at) => {
      const targets = ids.flatMap((each) => [`/pages/${each}`, `/pages/${each}#first-part`]);
      const links = ['#first-part', `/pages/${id}#%E5%AE%89%E8%A3%85`, ...targets].map(
        (to, n) => `[${n}](${to})`,
      );
      const card = `{% content-ref url="/pages/${id}#first-part" %}\n[x](/pages/${id}#first-part)\n{% endcontent-ref %}`;
      const text = `${links.join(' ')}\n\n${card}\n\n${PARTS}\n${at === 1 ? include : ''}\n`;
      return { operation: 'update_page', page: id, document: { markdown: text } };
    }),
  );
  return ids;
}

const hrefsOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)|(?:href|url)="([^"]+)"/g)].map(([, link, href]) => link ?? href ?? '');
const locationsOf = (text: string): string[] =>
  [...text.matchAll(/<(loc|link)>(.*?)<\/\1>/g)].map(([, , loc]) => loc ?? '');

type Read = PublishedSite['read'];

interface Feed {
  readonly name: string;
  readonly urls: readonly string[];
}

/** Reads all feeds of a site, and all URLs in them. */
async function feedsOf(read: Read, base: string): Promise<Feed[]> {
  const text = async (path: string, headers?: Record<string, string>) => {
    const answer = await read(path, headers);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text;
  };
  const pages = locationsOf(await text('/sitemap.xml'));
  const markdown = hrefsOf(await text('/llms.txt'));
  const search = JSON.parse(await text('/~octavo/search?q=part', { accept: 'application/json' }));
  const feeds: Feed[] = [
    { name: 'sitemap.xml', urls: pages },
    { name: 'llms.txt', urls: markdown },
    { name: 'llms-full.txt', urls: hrefsOf(await text('/llms-full.txt')) },
    { name: 'rss.xml', urls: locationsOf(await text('/rss.xml')) },
    {
      name: 'search',
      urls: search.items
        .flatMap((item: Answer['body']) => [item, ...item.sections])
        .map(({ url }: never) => url),
    },
  ];
  for (const url of markdown) feeds.push({ name: url, urls: hrefsOf(await text(url.slice(base.length))) });
  return feeds;
}

/** The URLs that do not answer 200 with their anchor, as sentences. */
async function deadLinks(read: Read, base: string): Promise<string[]> {
  const answers = new Map<string, Promise<Answer>>();
  const dead: string[] = [];
  for (const { name, urls } of await feedsOf(read, base)) {
    expect(urls.length, name).toBeGreaterThan(3);
    for (const url of urls) {
      const [page = '', anchor] = url.split('#');
      if (!page.startsWith(`${base}/`)) {
        dead.push(`${name}: ${url} is not at the site`);
        continue;
      }
      let answer = answers.get(page);
      if (!answer) answers.set(page, (answer = read(page.slice(base.length))));
      const { status, text } = await answer;
      if (status !== 200) dead.push(`${name}: ${url} answers ${status}`);
      else if (anchor && !text.includes(`id="${decodeURIComponent(anchor)}"`))
        dead.push(`${name}: ${url} has no such heading`);
    }
  }
  return dead;
}

describe('all URLs in the feeds of a site', () => {
  let site: PublishedSite;
  const expected: string[] = [];

  beforeAll(async () => {
    site = await aPublishedSite(app, side, { title: 'Names that collide' });
    const aSection = async (title: string) => {
      const path = `/v1/orgs/${side.organizationId}/spaces`;
      const { id: spaceId } = await site.change('POST', path, { title, editMode: 'live' });
      const section = await site.change('POST', `${site.site}/sections`, { spaceId, title });
      return { section: section.id as string, space: `/v1/spaces/${spaceId}` };
    };
    const guides = await aSection('Guides');
    const reference = await aSection('Reference');
    // The paths of pages and variants are those of sections and of other variants.
    const titles = ['Start', 'Guides', 'Reference', 'Two'];
    const inReference = await write(site, reference.space, titles);
    const inGuides = await write(site, guides.space, titles);
    await site.contents.edit(guides.space, linking('To reference', reference.space, inReference));
    await site.contents.edit(reference.space, linking('To guides', guides.space, inGuides));
    const { defaultSiteSpace } = await site
      .change('GET', `${site.site}/sections/${guides.section}`)
      .then((body) => ({ defaultSiteSpace: body.siteSpaces[0].id }));
    await site.change('PATCH', `${site.site}/site-spaces/${defaultSiteSpace}`, { path: 'main' });
    for (const [section, path] of [
      [guides.section, 'guides'],
      [guides.section, 'reference'],
      [guides.section, 'two'],
      [guides.section, 'v1'],
      [reference.section, 'reference-2'],
      [reference.section, 'two'],
    ] as const) {
      const variant = await site.addSpace(`Variant ${path}`, section);
      await write(site, variant.space, ['Begin', 'Two', `Only ${path}`]);
      await site.change('PATCH', `${site.site}/site-spaces/${variant.siteSpace}`, { path });
    }
    expected.push(...titles, ...titles, 'To reference', 'To guides');
  });

  test('lead to pages at the default address', async () => {
    expect(await deadLinks(site.read, `http://octavo.test/${site.basename}`)).toEqual([]);
  });

  test('are different for all pages', async () => {
    const urls = locationsOf((await site.read('/sitemap.xml')).text);
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls).toHaveLength(expected.length + 6 * 3);
    const texts = new Set<string>();
    for (const url of urls)
      texts.add((await site.read(url.replace(`http://octavo.test/${site.basename}`, ''))).text);
    expect(texts.size).toBe(urls.length);
  });

  test('are those that the API answers', async () => {
    const { structure } = await site.change('GET', `${site.site}/structure`);
    const shown = structure.flatMap((section: Answer['body']) => [section, ...section.siteSpaces]);
    expect(shown).toHaveLength(2 + 8);
    for (const { urls, space } of shown) {
      const path = urls.published.replace(`http://octavo.test/${site.basename}`, '');
      expect([path, (await site.read(path)).status]).toEqual([path, 200]);
      if (space) expect(space.urls.published).toBe(urls.published);
    }
    const { section } = shown.find(({ path }: { path: string }) => path === 'two');
    await site.change('PATCH', `${site.site}/sections/${section}`, { path: 'two' });
    const space = shown.find(({ path }: { path: string }) => path === 'reference').space;
    const { urls } = await site.change('GET', `/v1/spaces/${space.id}`);
    expect(urls.published).toMatch(/\/two\/reference\/$/);
    await site.change('PATCH', `${site.site}/sections/${section}`, { path: 'guides' });
  });

  test('of one page, in the answers of MCP, are too', async () => {
    const params = { name: 'get_page', arguments: { url: '/reference/two/' } };
    const { body } = await app.call('POST', `/${site.basename}/~octavo/mcp`, {
      headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    const base = `http://octavo.test/${site.basename}/reference/two/`;
    expect(hrefsOf(body.result.content[0].text)).toEqual(
      expect.arrayContaining([`${base}#first-part`, `${base}#%E5%AE%89%E8%A3%85`]),
    );
  });

  test('lead to pages at a custom hostname', async () => {
    const host = 'links.alpha.example';
    await app.sql('update sites set hostname = $1 where id = $2', [host, site.id]);
    const read: Read = (path, headers = {}) =>
      app.call('GET', path, { headers: { ...HTML, host, ...headers } });
    // The row was changed by another connection: caches learn it from the database.
    await expect
      .poll(async () => (await read('/llms.txt')).text, { timeout: 120_000 })
      .toContain(`](https://${host}/`);
    expect(await deadLinks(read, `https://${host}`)).toEqual([]);
  });
});

test('pages of a site without sections lie beside variants of their names', async () => {
  const site = await aPublishedSite(app, side, { title: 'Variants only' });
  const { space } = await site.addSpace('Main');
  await write(site, space, ['Start', 'Main', 'Two']);
  const variant = await site.addSpace('Two');
  await write(site, variant.space, ['Begin', 'Two', 'Main']);
  expect(await deadLinks(site.read, `http://octavo.test/${site.basename}`)).toEqual([]);
});
