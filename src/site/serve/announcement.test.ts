import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** Parts of a page around its content. */

let app: TestApp;
let site: PublishedSite;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'));
  const { space } = await site.addSpace('Manual');
  await site.contents.edit(space, insert('Start', 'x'));
});

async function shown(message: string): Promise<string | undefined> {
  await site.change('PUT', `${site.site}/customization`, {
    announcement: { enabled: true, message, style: 'info' },
  });
  const { text } = await site.read('/');
  return /<aside class="announcement"[^>]*><span>(.*?)<\/span><\/aside>/.exec(text)?.[1];
}

test.each([
  ['Plain words', 'Plain words'],
  ['**Bold** and *slanted*', '<b>Bold</b> and <i>slanted</i>'],
  ['Run `npm i`', 'Run <code>npm i</code>'],
  ['~~Old~~ new', '<s>Old</s> new'],
  [
    'Read [the **news**](https://a.example/n)',
    'Read <a class="link" href="https://a.example/n">the <b>news</b></a>',
  ],
  ['See [this](javascript:alert(1))', 'See this'],
  ['See [this](missing.md)', 'See this'],
  ['2. December: we move', '2. December: we move'],
  ['# Not a heading', '# Not a heading'],
])('the announcement %j', async (message, html) => {
  expect(await shown(message)).toBe(html);
});

test.each([
  '<script>alert(1)</script> a',
  '<img src=x onerror=alert(1)> a',
  '![a](https://a.example/x.png) b',
])('the announcement %j is text', async (message) => {
  expect(await shown(message)).not.toMatch(/<(?!\/?(b|i|s|code|a)\b)/);
});

test('the breadcrumb begins with the section, if there are several', async () => {
  const crumbs = async (path: string) =>
    /<nav class="crumbs"[^>]*>(.*?)<\/nav>/.exec((await site.read(path)).text)?.[1];
  expect(await crumbs('/')).toBeUndefined();
  const sections: string[] = [];
  for (const title of ['Guides', 'Reference']) {
    const { id } = await site.change('POST', `/v1/orgs/${site.site.split('/')[3]}/spaces`, {
      title,
      editMode: 'live',
    });
    await site.contents.edit(
      `/v1/spaces/${id}`,
      insert('First', 'x', { ref: 'first' }),
      insert('Below', 'y', { into: 'first' }),
    );
    sections.push((await site.change('POST', `${site.site}/sections`, { title, spaceId: id })).path);
  }
  const [, reference] = sections;
  const link = `<li><a href="/${site.basename}/${reference}/">Reference</a></li>`;
  expect(await crumbs(`/${reference}/`)).toBe(`<ol>${link}</ol>`);
  expect(await crumbs(`/${reference}/first/below`)).toContain(`<ol>${link}<li><a href=`);
});
