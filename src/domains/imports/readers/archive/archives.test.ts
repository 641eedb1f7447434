import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { aWork } from '../../../../../test/import-work.ts';
import { craftZip } from '../../../../../test/zip.ts';
import { writeStoredZip } from '../../../../platform/zip/index.ts';
import type { ImportedFolder, ImportWork } from '../../folder/imported-folder.ts';
import { openArchive } from './archive.ts';
import type { ArchiveKind } from './archive-kind.ts';
import { readArchive } from './read-archive.ts';
import { ARCHIVE_LIMITS } from '../read-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'octavo-archives-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Contents = Readonly<Record<string, string | Uint8Array>>;

const zipOf = (contents: Contents): Buffer =>
  writeStoredZip(
    Object.entries(contents).map(([name, content]) => ({ name, bytes: Buffer.from(content as string) })),
  );

async function readBytes(
  files: Readonly<Record<string, Uint8Array>>,
  kind?: ArchiveKind,
  work: ImportWork = aWork(),
): Promise<ImportedFolder> {
  const onDisk = Object.entries(files).map(([name, bytes]) => {
    const file = path.join(folder, name);
    writeFileSync(file, bytes);
    return { name, path: file, size: bytes.length };
  });
  const archive = await openArchive(onDisk, ARCHIVE_LIMITS);
  try {
    return await readArchive(work, archive, kind);
  } finally {
    await archive.close();
  }
}

const read = (contents: Contents, kind?: ArchiveKind) => readBytes({ 'docs.zip': zipOf(contents) }, kind);

const pathsOf = ({ files }: ImportedFolder) => files.map((file) => file.path).toSorted();

function textOf({ files }: ImportedFolder, file: string): string {
  const found = files.find((each) => each.path === file);
  return found && 'bytes' in found ? Buffer.from(found.bytes).toString() : '';
}

const rowsOf = ({ outline = [] }: ImportedFolder) =>
  outline.map((row) => `${'  '.repeat(row.depth - 1)}${row.type === 'document' ? row.path : row.type}`);

const html = (title: string, body: string) =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('Markdown', () => {
  test('a book is taken over byte by byte, without the folder around it', async () => {
    const contents = {
      'README.md': '# Home\r\n\r\n[Guide](./guide.md "x") and ![](.gitbook/assets/a.png)\r\n',
      'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n',
      'guide.md': '---\ndescription: D\n---\n\n# Guide\n\n\n[Home](README.md#x)\n',
      '.gitbook/assets/a.png': PIXEL,
      '.gitbook/vars.yaml': 'a: b\n',
      '.gitbook/includes/note.md': 'Note\n',
      'demo.html': html('Demo', '<p>Not a page of the book</p>'),
    };
    const wrapped = Object.fromEntries(
      Object.entries(contents).map(([name, text]) => [`my-docs/${name}`, text]),
    );
    const imported = await read({ ...wrapped, 'my-docs/.DS_Store': 'x', '__MACOSX/my-docs/._a': 'x' });
    expect(pathsOf(imported)).toEqual(Object.keys(contents).toSorted());
    for (const [name, text] of Object.entries(contents))
      if (/\.(?:md|yaml)$/.test(name)) expect([name, textOf(imported, name)]).toEqual([name, text]);
    expect(imported).toMatchObject({ found: 4, imported: 4, skippedCount: 0 });
    expect(imported.outline).toBeUndefined();
  });

  test('HTML and Word documents among it are converted, and links follow', async () => {
    const imported = await read({
      'a.md': '# A\n\n[B](b.html)\n',
      'b.html': html(
        'B',
        '<p><a href="a.md#x">A</a> <a href="c/index.htm#x">C</a> <a href="c/index.htm#y">C</a> <a href="c/index.htm#z">C</a></p>',
      ),
      'c/index.htm': html('C', '<p><a href="../b.html">B</a></p><h2 id="x">X</h2><p id="y">y</p>'),
      'bad.docx': 'text',
    });
    expect(pathsOf(imported)).toEqual(['a.md', 'b.md', 'c/README.md']);
    expect(textOf(imported, 'a.md')).toBe('# A\n\n[B](b.md)\n');
    expect(textOf(imported, 'b.md')).toContain(
      '[A](a.md#x) [C](c/README.md#x) [C](c/README.md#x) [C](c/README.md#z)',
    );
    expect(textOf(imported, 'c/README.md')).toContain('[B](../b.md)');
    expect(imported.skipped).toEqual([{ source: 'bad.docx', reason: expect.stringContaining('not a Word') }]);
  });

  test('entries that cannot be read are skipped', async () => {
    const bytes = craftZip([
      { name: 'good.md', content: '# Good\n' },
      { name: 'bad.md', content: '# Bad\n', checksum: 1 },
      { name: 'large.md', content: 'x'.repeat(4 * 1024 * 1024 + 1) },
      { name: 'link.md', content: 'good.md', mode: 0o120777 },
    ]);
    const imported = await readBytes({ 'docs.zip': bytes });
    expect(pathsOf(imported)).toEqual(['good.md']);
    expect(imported).toMatchObject({ found: 4, imported: 1, skippedCount: 3 });
    expect(imported.skipped.map(({ source }) => source).toSorted()).toEqual([
      'bad.md',
      'large.md',
      'link.md',
    ]);
  });

  test('limits and the signal end it', async () => {
    const many = zipOf(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}.md`, `# ${n}\n`])));
    const imported = await readBytes({ 'docs.zip': many }, undefined, aWork({ limits: { pages: 20 } }));
    expect(imported).toMatchObject({ found: 50, imported: 20, skippedCount: 30 });
    const late = aWork({ pagesMs: -1, filesMs: -1 });
    await expect(readBytes({ 'docs.zip': many }, undefined, late)).rejects.toThrow('time limit');
    const stopped = aWork({ signal: AbortSignal.abort(new Error('Stopped')) });
    await expect(readBytes({ 'docs.zip': many }, undefined, stopped)).rejects.toThrow('Stopped');
  });

  test('an archive without pages is refused with the reason', async () => {
    await expect(read({ 'a.txt': 'x' })).rejects.toMatchObject({ status: 422 });
    await expect(readBytes({ 'a.docx': Buffer.from('text') })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('not a Word document'),
    });
    await expect(read({})).rejects.toMatchObject({ status: 422 });
  });
});

describe('several files', () => {
  test('pages beside a ZIP, and the parts of an export', async () => {
    const mixed = await readBytes({
      'a.md': Buffer.from('# A\n'),
      'b.html': Buffer.from(html('B', '<p>B</p>')),
      'docs.zip': zipOf({ 'c.md': '# C\n' }),
    });
    expect(pathsOf(mixed)).toEqual(['a.md', 'b.md', 'docs/c.md']);
    const parts = { 'Part-1.zip': zipOf({ 'x/a.md': '# A\n' }), 'Part-2.zip': zipOf({ 'x/b.md': '# B\n' }) };
    expect(pathsOf(await readBytes(parts))).toEqual(['a.md', 'b.md']);
    expect(pathsOf(await read(parts))).toEqual(['a.md', 'b.md']);
  });

  test('a ZIP in a ZIP is opened once, within the same limits', async () => {
    const inner = zipOf({ 'a.md': '# A\n', 'inner.zip': zipOf({ 'b.md': '# B\n' }) });
    expect(pathsOf(await read({ 'Part-1.zip': inner }))).toEqual(['a.md', 'inner.zip']);
    // With pages beside it, it is a file for download.
    expect(pathsOf(await read({ 'README.md': '# A\n', 'sample.zip': inner }))).toEqual([
      'README.md',
      'sample.zip',
    ]);
    const file = path.join(folder, 'nested.zip');
    const bytes = zipOf({
      '1.zip': zipOf({ 'a.md': 'x'.repeat(1000) }),
      '2.zip': zipOf({ 'b.md': 'x'.repeat(1000) }),
    });
    writeFileSync(file, bytes);
    const opening = openArchive([{ name: 'nested.zip', path: file, size: bytes.length }], {
      entries: 100,
      bytes: 4000,
    });
    await expect(opening).rejects.toMatchObject({ reason: 'too-large' });
  });
});

describe('HTML', () => {
  test('pages, the files that they use, and the order of the navigation', async () => {
    const nav =
      '<nav class="menu"><ul><li><a href="/index.html">Home</a></li><li><span>Guides</span><ul><li><a href="/z.html">Zed</a></li><li><a href="/guide/b.html">Bee</a></li></ul></li><li><a href="/a.html">A</a></li></ul></nav>';
    const page = (title: string, body: string) => html(title, body).replace('<main>', `${nav}<main>`);
    const imported = await read({
      'index.html': page(
        'Home',
        '<p>Welcome to it <img src="img/a b.png?v=2"> <a href="files/x.pdf">PDF</a></p>',
      ),
      'a.html': page('A', '<p>Text of A</p>'),
      'z.html': page('Z', '<p>Text of Z</p>'),
      'guide/b.html': page('B', '<p>Text of <a href="../missing.html">B</a></p>'),
      'img/a b.png': PIXEL,
      'files/x.pdf': '%PDF-1.4',
      'theme.css': 'body{}',
      'search.html': page('Search', '<p>Search</p>'),
      'old.html': '<meta http-equiv="refresh" content="0;url=a.html"><p>Redirecting...</p>',
      '404.html': page('404', '<p>Not found</p>'),
    });
    expect(pathsOf(imported)).toEqual([
      'README.md',
      'a.md',
      'files/x.pdf',
      'guide/b.md',
      'img/a b.png',
      'z.md',
    ]);
    expect(rowsOf(imported)).toEqual(['README.md', 'group', '  z.md', '  guide/b.md', 'a.md']);
    expect(imported.skipped).toEqual([{ source: 'old.html', reason: 'redirects to a.html' }]);
    expect(textOf(imported, 'README.md')).toContain('img/a%20b.png');
    // A link to nothing stays one, and is not the address that the entry had during the import.
    expect(textOf(imported, 'guide/b.md')).toContain('[B](../missing.html)');
  });
});

describe('Notion', () => {
  const id = (n: number) => `${n}`.padStart(32, '0');

  test('ids are removed, subpages follow the order of links, databases are tables', async () => {
    const imported = await read({
      [`Home ${id(1)}.md`]: `# Home\n\n[Second](Home%20${id(1)}/Second%20${id(3)}.md)\n\n[First](Home%20${id(1)}/First%20${id(2)}.md)\n\n[Tasks](Home%20${id(1)}/Tasks%20${id(4)}.csv)\n\n<aside>\n💡 Careful\n\n</aside>\n\n![](Home%20${id(1)}/pic.png)\n`,
      [`Home ${id(1)}/First ${id(2)}.md`]: `# First\n\n[Up](../Home%20${id(1)}.md) [By id](https://www.notion.so/Second-${id(3)}?pvs=4)\n`,
      [`Home ${id(1)}/Second ${id(3)}.md`]: '# Second\n\nKey: stays text\n',
      [`Home ${id(1)}/pic.png`]: PIXEL,
      [`Home ${id(1)}/Tasks ${id(4)}.csv`]: '\uFEFFName,Status\nOne,"Open, *not* done"\n',
      [`Home ${id(1)}/Tasks ${id(4)}_all.csv`]: '\uFEFFName,Status\nOne,"Open, *not* done"\nTwo,"a\nb"\n',
      [`Home ${id(1)}/Tasks ${id(4)}/One ${id(5)}.md`]: '# One\n\nStatus: Open\nOwner: Ada | Bob\n\nText\n',
    });
    expect(pathsOf(imported)).toEqual([
      'Home.md',
      'Home/First.md',
      'Home/Second.md',
      'Home/Tasks.md',
      'Home/Tasks/One.md',
      'Home/pic.png',
    ]);
    expect(rowsOf(imported)).toEqual([
      'Home.md',
      '  Home/Second.md',
      '  Home/First.md',
      '  Home/Tasks.md',
      '    Home/Tasks/One.md',
    ]);
    const home = textOf(imported, 'Home.md');
    expect(home).toContain('[Second](Home/Second.md)');
    expect(home).toContain('[Tasks](Home/Tasks.md)');
    expect(home).toContain('![](Home/pic.png)');
    expect(home).toContain('{% hint style="info" %}\n💡 Careful\n\n{% endhint %}');
    expect(textOf(imported, 'Home/First.md')).toContain('[Up](../Home.md) [By id](Second.md)');
    expect(textOf(imported, 'Home/Second.md')).toContain('Key: stays text');
    expect(textOf(imported, 'Home/Tasks/One.md')).toContain('| Owner | Ada \\| Bob |');
    const tasks = textOf(imported, 'Home/Tasks.md');
    expect(tasks).toContain(
      '| Name | Status |\n| --- | --- |\n| One | Open, \\*not\\* done |\n| Two | a<br>b |',
    );
  });

  test('folders without ids hold the subpages of the page with their name', async () => {
    const imported = await read({
      [`Home ${id(1)}.md`]: `# Home\n\n[Second](Home/Second%20${id(3)}.md)\n\n[First](Home/First%20${id(2)}.md)\n\n![](Home/pic.png)\n`,
      [`Home/First ${id(2)}.md`]: `# First\n\n[Up](../Home%20${id(1)}.md)\n`,
      [`Home/Second ${id(3)}.md`]: '# Second\n',
      [`Home/Second/Deep ${id(4)}.md`]: '# Deep\n',
      'Home/pic.png': PIXEL,
      [`Home/Tasks ${id(5)}.csv`]: '\uFEFFName,Status\nOne,Open\n',
      [`Home/Tasks/One ${id(6)}.md`]: '# One\n\nStatus: Open\n',
    });
    expect(rowsOf(imported)).toEqual([
      'Home.md',
      '  Home/Second.md',
      '    Home/Second/Deep.md',
      '  Home/First.md',
      '  Home/Tasks.md',
      '    Home/Tasks/One.md',
    ]);
    expect(textOf(imported, 'Home.md')).toContain('![](Home/pic.png)');
    expect(textOf(imported, 'Home/Tasks/One.md')).toContain('| Status | Open |');
  });

  test('of pages with the name of a folder, the one with the link has the subpage', async () => {
    const imported = await read({
      [`Note ${id(1)}.md`]: '# Note\n',
      [`Note ${id(2)}.md`]: `# Note\n\n[Sub](Note/Sub%20${id(3)}.md)\n`,
      [`Note/Sub ${id(3)}.md`]: '# Sub of 2\n',
      [`Note/Other ${id(4)}.md`]: '# Other\n',
    });
    expect(rowsOf(imported)).toEqual(['Note.md', '  Note/Other.md', 'Note-1.md', '  Note/Sub.md']);
  });

  test('pages with the same name keep their own subpages', async () => {
    const imported = await read({
      [`Note ${id(1)}.md`]: '# Note\n',
      [`Note ${id(2)}.md`]: '# Note\n',
      [`Note ${id(1)}/Sub ${id(3)}.md`]: '# Sub of 1\n',
      [`Note ${id(2)}/Sub ${id(4)}.md`]: '# Sub of 2\n',
    });
    expect(rowsOf(imported)).toEqual(['Note.md', '  Note/Sub.md', 'Note-1.md', '  Note-1/Sub.md']);
    expect(textOf(imported, 'Note-1/Sub.md')).toBe('# Sub of 2\n');
  });
});

describe('Confluence', () => {
  test('the index is the tree, and only used attachments are imported', async () => {
    const page = (title: string, body: string) =>
      `<!DOCTYPE html><html><head><title>Docs : ${title}</title></head><body class="theme-default aui-theme-default"><div id="page"><div id="main"><div id="main-header"><h1 id="title-heading" class="pagetitle"><span id="title-text">\n Docs : ${title}\n</span></h1></div><div id="content" class="view"><div id="main-content" class="wiki-content group">${body}</div></div></div></div></body></html>`;
    const imported = await read({
      'DOCS/index.html': `<!DOCTYPE html><html><head><title>Docs</title></head><body class="theme-default"><div id="main-content"><h2>Available Pages:</h2><ul><li><a href="Home_1.html">Home</a><ul><li><a href="Zebra_3.html">Zebra</a><ul><li><a href="4.html">日本</a></li></ul></li><li><a href="Apple_2.html">Apple</a></li></ul></li></ul></div></body></html>`,
      'DOCS/Home_1.html': page(
        'Home',
        '<p>Welcome <a href="Apple_2.html">Apple</a> <img src="attachments/1/5.png"></p>',
      ),
      'DOCS/Apple_2.html': page('Apple', '<p>About apples</p>'),
      'DOCS/Zebra_3.html': page('Zebra : Africa', '<p>About zebras</p>'),
      'DOCS/4.html': page('日本', '<p>About Japan</p>'),
      'DOCS/attachments/1/5.png': PIXEL,
      'DOCS/attachments/1/6.png': PIXEL,
      'DOCS/styles/site.css': '',
    });
    expect(rowsOf(imported)).toEqual(['Home.md', '  Zebra.md', '    4.md', '  Apple.md']);
    expect(pathsOf(imported)).toContain('attachments/1/5.png');
    expect(pathsOf(imported)).not.toContain('attachments/1/6.png');
    expect(textOf(imported, 'Home.md')).toMatch(/^# Home\n/);
    expect(textOf(imported, 'Zebra.md')).toMatch(/^# Zebra : Africa\n/);
    expect(textOf(imported, 'Home.md')).toContain('[Apple](Apple.md)');
  });

  test('an XML export is refused', async () => {
    await expect(read({ 'entities.xml': '<x/>', 'exportDescriptor.properties': '' })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('Export the space as HTML'),
    });
  });
});

test('Google Docs: one page with its images', async () => {
  const imported = await read({
    'MyDocument.html':
      '<html><head><style>.c1{font-weight:700}</style></head><body class="c2 doc-content"><h1>My document</h1><p><span class="c1">Bold</span> text <img src="images/image1.png"></p></body></html>',
    'images/image1.png': PIXEL,
  });
  expect(pathsOf(imported)).toEqual(['MyDocument.md', 'images/image1.png']);
  expect(textOf(imported, 'MyDocument.md')).toContain('images/image1.png');
});

test('GitHub wiki: pages by name, the sidebar as outline', async () => {
  const imported = await read({
    'Home.md':
      'Welcome to [[Getting Started]], [[the FAQ|FAQ#top]], [[Nowhere]] and `[[code]]`.\n\n```\n[[FAQ]]\n```\n\n[[images/a.png|alt=Logo]] [plain](Getting-Started)\n',
    'guides/Getting-Started.md': '# Getting started\n\n[[Home]]\n',
    'FAQ.md': 'Answers\n',
    'Unlisted-Page.md': Buffer.from('Größe\n', 'latin1'),
    'Old.mediawiki': '== Old ==\n',
    '_Sidebar.md': '# Menu\n\n* [[FAQ]]\n  * [Start](Getting-Started)\n* [Elsewhere](https://example.org)\n',
    '_Footer.md': 'Footer\n',
    'images/a.png': PIXEL,
  });
  expect(rowsOf(imported)).toEqual([
    'README.md',
    'FAQ.md',
    '  guides/Getting-Started.md',
    'Unlisted-Page.md',
  ]);
  expect(imported.outline?.[0]).toMatchObject({ title: 'Home' });
  expect(textOf(imported, 'README.md')).toBe(
    'Welcome to [Getting Started](guides/Getting-Started.md), [the FAQ](FAQ.md#top), Nowhere and `[[code]]`.\n\n```\n[[FAQ]]\n```\n\n![Logo](images/a.png) [plain](guides/Getting-Started.md)\n',
  );
  expect(textOf(imported, 'guides/Getting-Started.md')).toContain('[Home](../README.md)');
  expect(textOf(imported, 'Unlisted-Page.md')).toBe('Größe\n');
  expect(imported.skipped).toEqual([
    { source: 'Old.mediawiki', reason: expect.stringContaining('Markdown') },
  ]);
});
