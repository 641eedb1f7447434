import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** Links to pages that are gone. */

let app: TestApp;
let site: PublishedSite;

const GONE = [
  'missing.md',
  '../folder/missing.md#part',
  './missing.md',
  '/folder/missing.md',
  'gone.md',
  '/broken/pages/abc',
  '/broken/spaces/abc/pages/def',
  'broken-reference',
  'broken-reference/',
];
const KEPT = ['/pricing', '/spaces/abc', 'https://a.example/readme.md', 'https://a.example/broken/pages/x'];

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'));
  const { space } = await site.addSpace('Manual');
  const blocks = GONE.map((href, at) =>
    [
      `Read [words ${at}](${href}).`,
      `{% content-ref url="${href}" %}\n[${href}](${href})\n{% endcontent-ref %}`,
      `<a href="${href}" class="button primary">Press ${at}</a>`,
      `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>Card ${at}</td><td><a href="${href}">x</a></td></tr></tbody></table>`,
    ].join('\n\n'),
  );
  const kept = KEPT.map((href) => `[kept](${href})`).join(' ');
  const [gone] = idsOf(
    await site.contents.edit(
      space,
      insert('Gone', 'Old.'),
      insert('Start', 'Text.'),
      insert('Links', `${blocks.join('\n\n')}\n\n${kept}`),
    ),
  );
  await site.contents.edit(space, { operation: 'delete_page', page: gone });
});

test('are text for readers, wherever they are', async () => {
  const { status, text } = await site.read('/links');
  expect(status).toBe(200);
  const article = text.slice(text.indexOf('<div class="prose">'), text.indexOf('<footer class="foot">'));
  const hrefs = [...article.matchAll(/href="([^"#][^"]*)"/g)].map(([, href]) => href);
  expect(hrefs).toEqual(KEPT);
  for (const at of GONE.keys())
    for (const words of [`words ${at}`, `Press ${at}`, `Card ${at}`]) expect(article).toContain(words);
  expect(article.match(/class="row broken"/g)).toHaveLength(GONE.length);
});

test('images that are missing are their text', async () => {
  const images = ['/img/a.png', '../b.png', '/broken/files/abc', '/files/gone', 'http://a.example/kept.png'];
  const { space } = await site.addSpace('Pictures');
  await site.contents.edit(
    space,
    insert('Pictures', images.map((src, at) => `![Picture ${at}](${src})`).join('\n\n')),
  );
  const { text } = await site.read('/pictures/');
  const article = text.slice(text.indexOf('<div class="prose">'), text.indexOf('<footer class="foot">'));
  expect([...article.matchAll(/<img[^>]* src="([^"]*)"/g)].map(([, src]) => src)).toEqual(images.slice(-1));
  for (const at of images.slice(0, -1).keys()) expect(article).toContain(`>Picture ${at}<`);
});

test('lead nowhere in its Markdown', async () => {
  const { text } = await site.read('/links.md');
  expect(text).toContain('[words 0](#)');
  for (const href of GONE)
    for (const link of [`](${href})`, `url="${href}"`, `href="${href}"`]) expect(text).not.toContain(link);
  for (const href of KEPT) expect(text).toContain(`(${href})`);
});
