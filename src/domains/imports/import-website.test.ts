import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectImportElsewhere,
  expectImportIntoSpace,
  PIXEL,
  startImporting,
  type ExpectedImport,
  type Importing,
} from '../../../test/importing.ts';
import { respond, type Site } from '../../../test/site.ts';

const NAVIGATION = `<nav class="menu"><ul>
  <li><a href="/docs/">Guide</a></li>
  <li><a href="/docs/zero">Install</a><ul>
    <li><a href="/docs/zero/windows">Windows</a></li>
    <li><a href="/docs/zero/linux">Linux</a></li></ul></li>
  <li><a href="/docs/blocks.html">Blocks</a></li>
  <li><a href="/docs/private">Private</a></li>
  <li><a href="/docs/gone">Gone</a></li>
  <li><a href="/blog/">Blog</a></li></ul></nav>`;

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} | Acme</title></head><body>
<header class="navbar"><a href="/">Acme</a> <a href="/pricing">Pricing of Acme</a></header>${NAVIGATION}
<main><article><h1>${title}</h1>${content}</article></main>
<footer>Copyright of Acme</footer><script>track('secret')</script></body></html>`;

const BLOCKS = `
<div class="admonition warning"><p class="admonition-title">Warning</p><p>Mind the gap.</p></div>
<div class="tabs"><div role="tablist"><button role="tab" aria-controls="t1">npm</button><button role="tab" aria-controls="t2">yarn</button></div>
<div role="tabpanel" id="t1"><p>Use npm.</p></div><div role="tabpanel" id="t2" hidden><p>Use yarn.</p></div></div>
<table><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody><tr><td>one</td><td>1</td></tr></tbody></table>
<pre><code class="language-rust">fn main() {}</code></pre>
<details><summary>More</summary><p>Hidden text.</p></details>`;

const SITE: Site = {
  '/robots.txt': respond(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /docs/private\n'),
  '/docs/': page(
    'Guide',
    `<p>Read <a href="zero#steps">the installation</a>, <a href="https://example.org/x?y=1">another site</a> and
     <a href="/blog/">the blog</a>.</p><p><img src="/img/logo.png" alt="Logo"></p>`,
  ),
  '/docs/zero': page('Install', '<h2 id="steps">Steps</h2><p>Two steps. <a href="/docs/">Back</a></p>'),
  '/docs/zero/windows': page('Windows', '<p>Click.</p>'),
  '/docs/zero/linux': page('Linux', '<p>Type. <img src="/img/logo.png"></p>'),
  '/docs/blocks.html': page('Blocks', BLOCKS),
  '/docs/private': page('Private', '<p>Not for robots</p>'),
  '/img/logo.png': respond(200, { 'content-type': 'image/png' }, PIXEL),
};

let importing: Importing;
let expected: ExpectedImport;

beforeAll(async () => {
  importing = await startImporting(SITE);
  const { url } = importing.site;
  expected = {
    source: 'website',
    path: '/docs/',
    imported: 6,
    skipped: [
      { source: `${url}/docs/private`, reason: 'robots.txt' },
      { source: `${url}/docs/gone`, reason: 'The remote server returned 404.' },
    ],
    outline: ['Guide', 'Install', '  Windows', '  Linux', 'Blocks'],
  };
});

describe('a website', () => {
  test('is imported into a space in the order of its navigation', async () => {
    const { contents, site } = importing;
    const space = await expectImportIntoSpace(importing, expected);
    const read = (path: string, format = 'markdown') =>
      contents.get(`${space}/content/path/${encodeURIComponent(path)}?format=${format}`);

    const blocks = (await read('blocks')).markdown;
    expect(blocks).toContain('{% hint style="warning" %}\nMind the gap.\n{% endhint %}');
    expect(blocks).toMatch(/{% tab title="npm" %}\nUse npm\.\n{% endtab %}/);
    expect(blocks).toMatch(/{% tab title="yarn" %}\nUse yarn\.\n{% endtab %}/);
    expect(blocks).toMatch(/\| Name +\| Value +\|/);
    expect(blocks).toContain('```rust\nfn main() {}\n```');
    expect(blocks).toMatch(/<summary>More<\/summary>\s+Hidden text\./);

    const { items: files } = await contents.get(`${space}/content/files`);
    expect(files).toHaveLength(1);
    const [guide, install] = await contents.pages(space);
    const document = JSON.stringify((await contents.page(space, guide.id, '?format=document')).document);
    expect(document).toContain(`"page":"${install.id}"`);
    expect(document).toContain(`"file":"${files[0].id}"`);
    expect(document).toContain('https://example.org/x?y=1');
    expect(document).toContain(`${site.url}/blog`);
    for (const chrome of ['Pricing', 'Copyright', 'secret', 'navbar']) expect(document).not.toContain(chrome);
  });

  test('has links to pages and headings that are not broken', async () => {
    const space = await expectImportIntoSpace(importing, expected);
    const { items } = await importing.contents.get(`${space}/links?status=broken`);
    expect(items).toEqual([]);
  });

  test('is imported below a page and into change requests', () => expectImportElsewhere(importing, expected));

  test('is searchable, and what robots.txt forbids was not requested', async () => {
    const { contents, site, importInto } = importing;
    const space = await contents.aSpace();
    const answer = await importInto(`${space}/content`, 'website', '/docs/zero');
    expect(answer.status, answer.text).toBe(201);
    expect((await contents.get(`${space}/search?query=click`)).items).toMatchObject([{ title: 'Windows' }]);
    expect(site.requests).not.toContain('/docs/private');
  });
});
