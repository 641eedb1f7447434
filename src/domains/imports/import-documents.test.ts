import { beforeAll, describe, expect, test } from 'vitest';
import { docx, paragraph, picture, pictures } from '../../../test/docx.ts';
import {
  expectImportElsewhere,
  expectImportIntoSpace,
  PIXEL,
  startImporting,
  type ExpectedImport,
  type Importing,
} from '../../../test/importing.ts';
import { respond, type Site } from '../../../test/site.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const REPORT = docx(
  [
    paragraph('The report', 'Title'),
    paragraph('Results', 'Heading1'),
    paragraph('Good.'),
    picture('rId7'),
  ].join(''),
  { ...pictures({ rId7: 'media/chart.png' }), 'word/media/chart.png': PIXEL },
);

const SITE: Site = {
  '/guide/install.md': respond(
    200,
    { 'content-type': 'text/plain' },
    '---\ndescription: How to begin\n---\n\n# Install\n\nSee [usage](usage.md) and ![](../logo.png).\n\n{% hint style="info" %}\nA hint\n{% endhint %}\n',
  ),
  '/guide/page.html': `<!doctype html><title>Page</title><body><nav><a href="/x">Menu</a></nav><main><h1>Page</h1>
    <p>Text with <a href="other.html">a link</a> and <img src="/logo.png">.</p></main>`,
  '/logo.png': respond(200, { 'content-type': 'image/png' }, PIXEL),
  '/report.docx': respond(200, { 'content-type': WORD }, REPORT),
  '/download?id=7': respond(200, { 'content-type': 'application/octet-stream' }, REPORT),
  '/document.html': `<html><head><style>.c1{font-weight:700}</style></head><body class="c2 doc-content">
    <h1>My document</h1><p><span class="c1">Bold</span> text, <a href="https://www.google.com/url?q=https://example.org/a&amp;sa=D">linked</a>.</p></body></html>`,
  '/notion.html': `<html><body><article id="1f" class="page sans"><header><h1 class="page-title">Notes</h1></header>
    <div class="page-body"><p>Text of the notes.</p></div></article></body></html>`,
  '/latin.html': respond(
    200,
    { 'content-type': 'text/html; charset=utf-8' },
    Buffer.from(
      '<!doctype html><title>Caf\xe9</title><main><h1>Caf\xe9</h1><p>Cr\xe8me</p></main>',
      'latin1',
    ),
  ),
};

let importing: Importing;
beforeAll(async () => {
  importing = await startImporting(SITE);
});

const one = (source: string, path: string, title: string, imported = 1): ExpectedImport => ({
  source,
  path,
  imported,
  outline: [title],
});

const CASES: readonly ExpectedImport[] = [
  one('markdown', '/guide/install.md', 'Install', 2),
  one('html', '/guide/page.html', 'Page', 2),
  one('docx', '/report.docx', 'The report', 2),
  one('docx', '/download?id=7', 'The report', 2),
  one('google-docs', '/document.html', 'My document'),
  one('google-docs', '/report.docx', 'The report', 2),
  one('notion', '/notion.html', 'Notes'),
];

describe.each(CASES)('$source of $path', (expected) => {
  test('is imported into a space', async () => {
    const { contents } = importing;
    const space = await expectImportIntoSpace(importing, expected);
    const { items } = await contents.get(`${space}/content/files`);
    expect(items).toHaveLength(expected.imported - 1);
  });

  test('is imported below a page and into change requests', () => expectImportElsewhere(importing, expected));
});

async function markdownOf(source: string, path: string): Promise<string> {
  const { contents, importInto } = importing;
  const space = await contents.aSpace();
  const answer = await importInto(`${space}/content`, source, path);
  expect(answer.status, answer.text).toBe(201);
  const [page] = await contents.pages(space);
  return (await contents.page(space, page.id, '?format=markdown')).markdown;
}

describe('the text of', () => {
  test('a Markdown file remains; its links lead where they led', async () => {
    const markdown = await markdownOf('markdown', '/guide/install.md');
    expect(markdown).toContain(`See [usage](${importing.site.url}/guide/usage.md) and ![](`);
    expect(markdown).toContain('{% hint style="info" %}\nA hint\n{% endhint %}');
  });

  test('an HTML page is its main content', async () => {
    const markdown = await markdownOf('html', '/guide/page.html');
    expect(markdown).toContain(`[a link](${importing.site.url}/guide/other.html)`);
    expect(markdown).not.toContain('Menu');
  });

  test('a Google document has formatting and the targets of its links', async () => {
    expect(await markdownOf('google-docs', '/document.html')).toContain(
      '**Bold** text, [linked](https://example.org/a).',
    );
  });

  test('a page in the wrong charset is decoded as what it is', async () => {
    expect(await markdownOf('html', '/latin.html')).toContain('Crème');
  });
});
