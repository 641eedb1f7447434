import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectImportElsewhere,
  expectImportIntoSpace,
  PIXEL,
  startImporting,
  zipOf,
  type ExpectedImport,
  type Importing,
} from '../../../test/importing.ts';
import { aPage, type Site } from '../../../test/site.ts';

const id = (n: number) => `${n}`.padStart(32, '0');

const confluencePage = (title: string, body: string) =>
  `<!DOCTYPE html><html><head><title>Docs : ${title}</title></head><body class="theme-default aui-theme-default"><div id="page"><div id="main"><div id="main-header"><h1 id="title-heading" class="pagetitle"><span id="title-text">Docs : ${title}</span></h1></div><div id="content" class="view"><div id="main-content" class="wiki-content group">${body}</div></div></div></div></body></html>`;

const SITE: Site = {
  '/book.zip': zipOf({
    'book/README.md': '# Home\n\n[Guide](guide/README.md) ![](.gitbook/assets/a.png)\n',
    'book/SUMMARY.md': '* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Use](guide/use.md)\n',
    'book/guide/README.md': '# Guide\n\n[Use](use.md#first)\n',
    'book/guide/use.md': '# Use\n\n## First\n\n[Home](../README.md)\n',
    'book/.gitbook/assets/a.png': PIXEL,
    '__MACOSX/book/._README.md': 'x',
  }),
  '/entries.zip': zipOf({
    'README.md': '# Home\n\n## Part\n',
    'b.md': '# B\n\n## Part\n',
    'SUMMARY.md':
      '* [Home](README.md)\n* [Gone](gone.md)\n* [B](b.md#part)\n* [Part](README.md#part)\n' +
      '* [Run](javascript:alert%281%29)\n* [Local](file:///etc/passwd)\n* [Mail](mailto:a@example.com)\n',
  }),
  '/unread-entry.zip': zipOf({
    'README.md': '# Home\n',
    'guide/binary.md': Uint8Array.from([1, 0, 0, 0]),
    'SUMMARY.md': '* [Home](README.md)\n* [Binary](guide/binary.md)\n',
  }),
  '/mdx.zip': zipOf({
    'README.md': '# Home\n\n[Install](install.mdx)\n',
    'install.mdx': "import Tabs from '@theme/Tabs';\n\n# Install\n\n<Tabs>\n\n{version}\n\n</Tabs>\n",
  }),
  '/mkdocs.zip': zipOf({
    'site/mkdocs.yml':
      'nav:\n  - Home: index.md\n  - Guide:\n    - Use it: guide/use.md\n  - Gone: gone.md\n',
    'site/docs/guide/use.md': '# Use\n',
    'site/docs/index.md': '# Start\n\n[Use](guide/use.md)\n',
  }),
  '/hostile-settings.zip': zipOf({
    'README.md': '# Home\n',
    'mkdocs.yml': `nav:\n${'- a:\n  '.repeat(5000)}\n- &a [*a]\n`,
    'sidebars.js': `module.exports = ${'[{a:'.repeat(30_000)}`,
    '.vitepress/config.mts': `export default { sidebar: ${'`${'.repeat(60_000)}`,
    'book.toml': 'src = "../../../../etc"\n',
    'a/_category_.json': '['.repeat(200_000),
    'a/b.md': `---\nsidebar_position: ${'9'.repeat(5000)}\n---\n# B\n`,
    'docusaurus.config.js': 'for (;;) {}',
  }),
  '/computed.zip': zipOf({
    'sidebars.js': "module.exports = require('child_process').execSync('exit 1');\n",
    'docs/intro.md': '# Intro\n',
    'README.md': '# Home\n',
  }),
  '/parts.zip': zipOf({
    'a.html': aPage('A', '<a href="b.html#nope">B</a> <a href="b.html#part">Part</a>'),
    'b.html': aPage('B', '<h2 id="part">Other</h2><svg width="300"><text>x</text></svg>'),
  }),
  '/mixed.zip': zipOf({
    'a.md': '# A\n\n[B](b.html)\n',
    'b.html': aPage('B', '<a href="a.md">A</a>'),
    'broken.docx': 'text',
  }),
  '/html.zip': zipOf({
    'index.html': aPage('Start', '<a href="b/">B</a><img src="a.png">', ['Start|index.html', 'B|b/']),
    'b/index.html': aPage('B', '<a href="../index.html">Start</a>', ['Start|../index.html', 'B|.']),
    'a.png': PIXEL,
    'site.css': 'body{}',
  }),
  '/notion.zip': zipOf({
    [`Home ${id(1)}.md`]: `# Home\n\n[Second](Home%20${id(1)}/Second%20${id(3)}.md)\n\n[First](Home%20${id(1)}/First%20${id(2)}.md)\n\n![](Home%20${id(1)}/pic.png)\n`,
    [`Home ${id(1)}/First ${id(2)}.md`]: `# First\n\n[Up](../Home%20${id(1)}.md)\n`,
    [`Home ${id(1)}/Second ${id(3)}.md`]: '# Second\n\nText.\n',
    [`Home ${id(1)}/pic.png`]: PIXEL,
  }),
  '/confluence.zip': zipOf({
    'DOCS/index.html':
      '<!DOCTYPE html><html><head><title>Docs</title></head><body class="theme-default"><div id="main-content"><h2>Available Pages:</h2><ul><li><a href="Home_1.html">Home</a><ul><li><a href="Zebra_3.html">Zebra</a></li><li><a href="Apple_2.html">Apple</a></li></ul></li></ul></div></body></html>',
    'DOCS/Home_1.html': confluencePage(
      'Home',
      '<p>Welcome <a href="Apple_2.html">Apple</a> <img src="attachments/1/5.png"></p>',
    ),
    'DOCS/Apple_2.html': confluencePage('Apple', '<p>About apples</p>'),
    'DOCS/Zebra_3.html': confluencePage('Zebra', '<p>About zebras</p>'),
    'DOCS/attachments/1/5.png': PIXEL,
    'DOCS/styles/site.css': '',
  }),
  '/google.zip': zipOf({
    'MyDocument.html':
      '<html><head><style>.c1{font-weight:700}</style></head><body class="c2 doc-content"><h1>My document</h1><p><span class="c1">Bold</span> <img src="images/image1.png"></p></body></html>',
    'images/image1.png': PIXEL,
  }),
  '/wiki.zip': zipOf({
    'Home.md': 'Welcome to [[Getting Started]] and [[FAQ]].\n',
    'Getting-Started.md': '# Getting started\n\n[[Home]]\n',
    'FAQ.md': 'Answers\n',
    'Old.mediawiki': '== Old ==\n',
    '_Sidebar.md': '* [[FAQ]]\n  * [Start](Getting-Started)\n',
  }),
  '/acme/app/wiki': `<!doctype html><html><head><title>Home · acme/app Wiki · GitHub</title></head><body><div id="wiki-wrapper"><h1>Home</h1>
    <div id="wiki-content"><div id="wiki-body"><div class="markdown-body"><p>Welcome to <a href="/acme/app/wiki/Setup">Setup</a>.</p></div></div>
    <div id="wiki-rightbar"><div class="wiki-pages-box"><ul><li><a href="/acme/app/wiki">Home</a></li><li><a href="/acme/app/wiki/Setup">Setup</a></li></ul></div></div></div></div></body></html>`,
  '/acme/app/wiki/Setup': `<!doctype html><html><head><title>Setup · acme/app Wiki · GitHub</title></head><body><div id="wiki-wrapper"><h1>Setup</h1>
    <div id="wiki-content"><div id="wiki-body"><div class="markdown-body"><p>How to set up. <a href="/acme/app/wiki">Home</a></p></div></div></div></div></body></html>`,
};

let importing: Importing;
beforeAll(async () => {
  importing = await startImporting(SITE);
});

const CASES: readonly ExpectedImport[] = [
  {
    source: 'zip',
    path: '/book.zip',
    imported: 4,
    outline: ['Home', 'Guide', '  Use'],
  },
  {
    source: 'zip',
    path: '/mixed.zip',
    imported: 2,
    skipped: [{ source: 'broken.docx', reason: expect.stringContaining('not a Word document') }],
    outline: ['A', 'B'],
  },
  {
    source: 'zip',
    path: '/mdx.zip',
    imported: 2,
    skipped: ['import', '<Tabs>', '{version}'].map((name) => ({
      source: `install.mdx: ${name}`,
      reason: 'has no form in Markdown',
    })),
    outline: ['Home', 'Install'],
  },
  {
    source: 'zip',
    path: '/mkdocs.zip',
    imported: 2,
    skipped: [{ source: 'mkdocs.yml', reason: 'There is no docs/gone.md' }],
    outline: ['Start', 'Guide', '  Use'],
  },
  { source: 'zip', path: '/html.zip', imported: 3, outline: ['Start', 'B'] },
  { source: 'markdown', path: '/html.zip', imported: 3, outline: ['Start', 'B'] },
  { source: 'notion', path: '/notion.zip', imported: 4, outline: ['Home', '  Second', '  First'] },
  { source: 'confluence', path: '/confluence.zip', imported: 4, outline: ['Home', '  Zebra', '  Apple'] },
  { source: 'google-docs', path: '/google.zip', imported: 2, outline: ['My document'] },
  {
    source: 'github-wiki',
    path: '/wiki.zip',
    imported: 3,
    skipped: [{ source: 'Old.mediawiki', reason: expect.stringContaining('Markdown') }],
    outline: ['Home', 'FAQ', '  Getting started'],
  },
  { source: 'github-wiki', path: '/acme/app/wiki', imported: 2, outline: ['Home', 'Setup'] },
];

describe.each(CASES)('$source of $path', (expected) => {
  test('is imported into a space, and its links lead to its pages', async () => {
    const space = await expectImportIntoSpace(importing, expected);
    const { contents } = importing;
    const { items } = await contents.get(`${space}/links?status=broken`);
    expect(items).toEqual([]);
    const [page] = await contents.pages(space);
    const { document } = await contents.page(space, page.id, '?format=document');
    if (expected.outline.length > 1) expect(JSON.stringify(document)).toContain('"kind":"page"');
  });

  test('is imported below a page and into change requests', () => expectImportElsewhere(importing, expected));
});

test('hostile settings of other programs are reported, and the folders decide', async () => {
  const { contents, importInto, outlineOf } = importing;
  const space = await contents.aSpace();
  const { body, status, text } = await importInto(`${space}/content`, 'zip', '/hostile-settings.zip');
  expect(status, text).toBe(201);
  const sources = body.skipped.map(({ source }: { source: string }) => source.replace(/,.*/, ''));
  expect(new Set(sources)).toEqual(
    new Set(['mkdocs.yml', '.vitepress/config.mts', 'book.toml', 'sidebars.js']),
  );
  expect(await outlineOf(space)).toEqual(['Home', 'A', '  B']);
});

test('a navigation that is code is not run, and reported as not used', async () => {
  const { contents, importInto, outlineOf } = importing;
  const space = await contents.aSpace();
  const { body, status } = await importInto(`${space}/content`, 'zip', '/computed.zip');
  expect(status).toBe(201);
  expect(body.skipped).toEqual([
    { source: 'sidebars.js', reason: 'It is not plain data: code is not run' },
    { source: 'sidebars.js', reason: 'Not used: it lists no page of the folder' },
  ]);
  expect(await outlineOf(space)).toEqual(['Home', 'Docs', '  Intro']);
});

test('a file of SUMMARY.md that cannot be read is listed once', async () => {
  const { contents, importInto } = importing;
  const { body } = await importInto(`${await contents.aSpace()}/content`, 'zip', '/unread-entry.zip');
  expect(body).toMatchObject({
    importedResources: 1,
    totalResources: 2,
    skipped: [{ source: 'guide/binary.md', reason: 'The page is not text.' }],
  });
});

test('anchors that pages do not have are broken links, and drawings are listed as skipped', async () => {
  const { contents, importInto } = importing;
  const space = await contents.aSpace();
  const { body } = await importInto(`${space}/content`, 'zip', '/parts.zip');
  expect(body.skipped).toEqual([{ source: 'b.html: <svg>', reason: 'has no form in Markdown' }]);
  const { items } = await contents.get(`${space}/links?status=broken`);
  expect(items).toHaveLength(1);
  expect(JSON.stringify(items)).toContain('nope');
});

test('entries of SUMMARY.md that are no page are listed as skipped', async () => {
  const { contents, importInto, outlineOf } = importing;
  const space = await contents.aSpace();
  const { body } = await importInto(`${space}/content`, 'zip', '/entries.zip');
  expect(body).toMatchObject({
    importedResources: 2,
    totalResources: 5,
    skipped: [
      { source: 'SUMMARY.md, line 2', reason: 'There is no gone.md' },
      { source: 'SUMMARY.md, line 5', reason: expect.stringContaining('http, https, mailto or tel') },
      { source: 'SUMMARY.md, line 6', reason: expect.stringContaining('http, https, mailto or tel') },
    ],
  });
  expect(await outlineOf(space)).toEqual(['Home', 'B', 'Part', 'Mail']);
  const pages = await contents.pages(space);
  expect(pages.map(({ type }) => type)).toEqual(['document', 'document', 'link', 'link']);
  expect((await contents.get(`${space}/links?status=broken`)).items).toEqual([]);
});
