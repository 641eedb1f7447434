import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../../test/app.ts';
import { contentsOf, idsOf, type Contents } from '../../../../test/content.ts';
import { violationsOf } from '../../../../test/conformance/schemas.ts';
import { exportOf, importInto, type Folder } from '../../../../test/folder.ts';
import { aSide } from '../../../../test/world.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

async function imported(folder: Folder): Promise<{ space: string; page: string }> {
  const space = await contents.aSpace();
  await importInto(app, space, folder);
  return { space, page: (await contents.pages(space))[0].id };
}

const update = (page: string, markdown: string, more: object = {}) => ({
  operation: 'update_page',
  page,
  document: { markdown },
  ...more,
});

const insertSource = (markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  document: { markdown },
  ...more,
});

describe('a body sent back as it was read', () => {
  test.each([
    ['a second heading', '# Home\n\n# Intro\n\nHello\n'],
    ['frontmatter, and a body that begins like it', '---\nx: 1\n---\n# Home\n\n---\nfoo: b\n---\ntext'],
    ['a body that begins like known fields', '# Home\n\n---\ntitle: T\nicon: bolt\n---\n# T\n'],
    ['blank lines and no heading', '\r\n\r\nHello\r\n\r\n# Later\r\n'],
    ['only a title', '# Home'],
    ['links', '# Home\n\n# See [other](other.md)\n'],
  ])('changes nothing: %s', async (_what, readme) => {
    const folder = { 'README.md': readme, 'other.md': '# Other\n' };
    const { space, page } = await imported(folder);
    const before = await contents.page(space, page);
    const edited = await contents.edit(space, update(page, before.markdown));
    expect(edited.warnings).toEqual([]);
    expect(await contents.page(space, page)).toEqual(before);
    expect(await exportOf(app, space)).toEqual(folder);
    await contents.edit(space, update(page, before.markdown, { title: before.title }));
    expect(await exportOf(app, space)).toEqual(folder);
  });

  test('still has resolved links', async () => {
    const { space, page } = await imported({ 'README.md': '# Home\n\n[x](other.md)\n', 'other.md': '# O\n' });
    const other = (await contents.pages(space))[1].id;
    await contents.edit(space, update(page, (await contents.page(space, page)).markdown));
    await contents.edit(space, { operation: 'update_page', page: other, slug: 'moved' });
    expect((await contents.page(space, page)).markdown).toBe('[x](moved.md)\n');
  });

  test.each([
    ['# Home\r\n\r\nOnly line', '# Home\r\n\r\nOnly line\r\n\r\nTwo\r\n'],
    [
      '---\r\nicon: bolt\r\n---\r\n\r\n# Home\r\n\r\n',
      '---\r\nicon: bolt\r\n---\r\n\r\n# Home\r\n\r\nTwo\r\n',
    ],
  ])('as a document with a new block has the line ends of the file: %j', async (before, after) => {
    const { space, page } = await imported({ 'README.md': before });
    const { document } = await contents.page(space, page, '?format=document');
    const leaves = [{ object: 'leaf', marks: [], text: 'Two' }];
    const node = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves }] };
    const nodes = [
      ...document.nodes.filter((one: Answer['body']) => one.nodes[0].leaves[0].text !== ''),
      node,
    ];
    await contents.edit(space, {
      operation: 'update_page',
      page,
      document: { document: { ...document, nodes } },
    });
    expect(await exportOf(app, space)).toEqual({ 'README.md': after });
  });

  test('as a document with one edited block keeps its first heading and its title', async () => {
    const { space, page } = await imported({ 'README.md': '# A\n\n# B\n\ntext' });
    const { document } = await contents.page(space, page, '?format=document');
    document.nodes[1].nodes[0].leaves[0].text = 'other';
    await contents.edit(space, { operation: 'update_page', page, document: { document } });
    expect(await contents.page(space, page)).toMatchObject({ title: 'A', markdown: '# B\n\nother' });
    expect(await exportOf(app, space)).toEqual({ 'README.md': '# A\n\n# B\n\nother' });
  });
});

describe('a document sent back as it was read', () => {
  const nested = `> \`\`\`js
> code
> \`\`\`

{% tabs %}
{% tab title="A" %}
| a  | b |
|----|---|
| *1* | 2 |
{% endtab %}
{% endtabs %}

- item

  <figure><img src="x.png" alt="" width="5"><figcaption></figcaption></figure>
`;

  test.each([['\n'], ['\r\n']])('conforms to the public schema and changes nothing: %j', async (end) => {
    const folder = { 'README.md': `# Home\n\n${nested}`.replaceAll('\n', end) };
    const { space, page } = await imported(folder);
    const { status, body } = await contents.call('GET', `${space}/content/page/${page}?format=document`);
    expect(violationsOf('GET', `${space}/content/page/${page}`, status, body)).toEqual([]);
    const before = await contents.page(space, page);
    await contents.edit(space, {
      operation: 'update_page',
      page,
      document: { document: body.document },
    });
    expect(await contents.page(space, page)).toEqual(before);
    expect(await exportOf(app, space)).toEqual(folder);
    const json = JSON.stringify(body.document).replace('"text":"1"', '"text":"one"');
    await contents.edit(space, { operation: 'update_page', page, document: { document: JSON.parse(json) } });
    expect((await contents.page(space, page)).markdown).toBe(before.markdown.replace('*1*', '*one*'));
  });
});

describe('{% page-ref %}', () => {
  test('resolves to its page and follows its moves', async () => {
    const readme = '# Home\n\n{% page-ref page="other.md" %}\n\nText\n';
    const { space, page } = await imported({ 'README.md': readme, 'other.md': '# Other\n' });
    const other = (await contents.pages(space))[1].id;
    const { document } = await contents.page(space, page, '?format=document');
    expect(document.nodes[0]).toMatchObject({
      type: 'content-ref',
      data: { ref: { kind: 'page', page: other } },
    });
    await contents.edit(space, { operation: 'update_page', page: other, slug: 'moved' });
    expect((await exportOf(app, space))['README.md']).toBe(readme.replace('other.md', 'moved.md'));
  });
});

describe('a source file that replaces a page', () => {
  test('sets fields and title, which take precedence over fields of the change', async () => {
    const readme = '---\ndescription: Old\nicon: bolt\nx: 1\n---\n# Home\n\nHello\n';
    const { space, page } = await imported({ 'README.md': readme });
    const source = '---\ndescription: New\nhidden: false\ny: 2\n---\n# Other\n\nBye\n';
    const { warnings } = await contents.edit(
      space,
      update(page, source, { title: 'Beside', description: 'Beside', hidden: true, icon: 'star' }),
    );
    expect(warnings).toEqual([]);
    const expected = { title: 'Other', description: 'New', icon: 'star', markdown: 'Bye\n' };
    expect(await contents.page(space, page)).toMatchObject(expected);
    expect((await contents.page(space, page)).hidden).not.toBe(true);
    expect((await exportOf(app, space))['README.md']).toBe(source.replace('y: 2\n', 'y: 2\nicon: star\n'));
  });

  test('with only a heading sets the title and keeps the frontmatter', async () => {
    const readme = '---\ndescription: Old\nx: 1\n---\n# Home\n\nHello\n';
    const { space, page } = await imported({ 'README.md': readme });
    await contents.edit(space, update(page, '# Other\n\nBye\n', { title: 'Beside' }));
    expect(await contents.page(space, page)).toMatchObject({
      title: 'Other',
      description: 'Old',
      markdown: 'Bye\n',
    });
    expect(await exportOf(app, space)).toEqual({
      'README.md': readme.replace('Home', 'Other').replace('Hello', 'Bye'),
    });
  });

  test('with only frontmatter keeps the title line; sent again, it changes nothing', async () => {
    const { space, page } = await imported({ 'README.md': '# Home\n\nHello\n' });
    const source = '---\ndescription: New\ntags: [a]\n---\n\nBye\n';
    await contents.edit(space, update(page, source));
    const after = await contents.page(space, page);
    expect(after).toMatchObject({ title: 'Home', description: 'New', markdown: 'Bye\n' });
    await contents.edit(space, update(page, source));
    expect(await contents.page(space, page)).toEqual(after);
  });

  test('may edit the heading with which the body begins', async () => {
    const { space, page } = await imported({ 'README.md': '# Home\n\n# Intro\n\nHello\n' });
    await contents.edit(space, update(page, '# Introduction\n\nHello\n'));
    expect(await contents.page(space, page)).toMatchObject({
      title: 'Home',
      markdown: '# Introduction\n\nHello\n',
    });
    await contents.edit(space, update(page, '# Home\n\n# Intro\n\nBye\n'));
    expect(await contents.page(space, page)).toMatchObject({ title: 'Home', markdown: '# Intro\n\nBye\n' });
  });

  test('may replace a page of the same batch', async () => {
    const space = await contents.aSpace();
    const edited = await contents.edit(
      space,
      insertSource('# One\n\nText\n', { ref: 'new' }),
      update('new', '# Two\n\nMore\n'),
    );
    expect(await contents.page(space, idsOf(edited)[0] ?? '')).toMatchObject({
      title: 'Two',
      markdown: 'More\n',
    });
  });
});

describe('an explicit slug', () => {
  test('that a sibling uses is rejected with the name of the sibling', async () => {
    const space = await contents.aSpace();
    const [one = '', two = ''] = idsOf(
      await contents.edit(space, insertSource('# One\n'), insertSource('# Two\n')),
    );
    const refusals = [
      [insertSource('# Three\n', { slug: 'ONE' })],
      [{ operation: 'update_page', page: two, slug: 'one' }],
      [insertSource('# Three\n'), { operation: 'update_page', page: two, slug: 'three' }],
      [insertSource('# Three\n', { slug: 'robots.txt' })],
    ];
    const before = await contents.pages(space);
    const messages = [];
    for (const changes of refusals) {
      const { status, body } = await contents.send(space, changes);
      expect(status).toBe(400);
      messages.push(body.error.message);
    }
    expect(messages).toEqual([
      expect.stringMatching(`slug: The slug "one" is already used by the sibling page "One" \\(${one}\\)`),
      expect.stringMatching(`slug: The slug "one" is already used by the sibling page "One" \\(${one}\\)`),
      expect.stringContaining('The slug "three" is already used by the sibling page "Three"'),
      expect.stringContaining('The slug "robots.txt" is reserved'),
    ]);
    expect(await contents.pages(space)).toEqual(before);
  });

  test('may be set again or used under another parent; a derived slug is made unique', async () => {
    const space = await contents.aSpace();
    const [one = ''] = idsOf(await contents.edit(space, insertSource('# One\n')));
    await contents.edit(
      space,
      { operation: 'update_page', page: one, slug: 'one' },
      insertSource('# Below\n', { slug: 'one', into: one }),
      insertSource('# One\n'),
    );
    const pages = await contents.pages(space);
    expect(pages.map(({ path }) => path)).toEqual(['one', 'one-1']);
    expect(pages[0].pages[0].path).toBe('one/one');
  });
});

describe('a new page', () => {
  test('may be a complete source file, which is exported unchanged', async () => {
    const space = await contents.aSpace();
    const source = '---\ndescription: D\nown: 1\n---\n\n# Page\n\n# First\n\nText\n';
    const [id = ''] = idsOf(await contents.edit(space, insertSource(source)));
    expect(await contents.page(space, id)).toMatchObject({
      title: 'Page',
      description: 'D',
      markdown: '# First\n\nText\n',
    });
    const [same = ''] = idsOf(await contents.edit(space, insertSource(source, { title: 'Page' })));
    expect((await contents.page(space, same)).markdown).toBe('# First\n\nText\n');
    const folder = await exportOf(app, space);
    expect(Object.values(folder).filter((text) => text === source)).toHaveLength(2);
  });

  test('takes its title from heading or frontmatter before `title`', async () => {
    const space = await contents.aSpace();
    const [id = '', other = '', third = ''] = idsOf(
      await contents.edit(
        space,
        insertSource('\n# Heading\n\nText\n', { title: 'Mine' }),
        insertSource('---\ntitle: Said\ndescription: D\n---\n\nText\n', { title: 'Yours', description: 'E' }),
        insertSource('\nText\n', { title: 'Ours' }),
      ),
    );
    expect(await contents.page(space, id)).toMatchObject({
      title: 'Heading',
      slug: 'heading',
      markdown: 'Text\n',
    });
    expect(await contents.page(space, other)).toMatchObject({
      title: 'Said',
      description: 'D',
      markdown: 'Text\n',
    });
    expect(await contents.page(space, third)).toMatchObject({ title: 'Ours', markdown: '\nText\n' });
  });

  test('sent as a document has a body only', async () => {
    const space = await contents.aSpace();
    const [from = ''] = idsOf(await contents.edit(space, insertSource('# A\n\n# B\n\ntext\n')));
    const { document } = await contents.page(space, from, '?format=document');
    const made = await contents.edit(space, { operation: 'insert_page', document: { document } });
    expect(await contents.page(space, idsOf(made)[0] ?? '')).toMatchObject({
      title: 'Untitled',
      markdown: expect.stringMatching(/^## B\n/),
    });
  });
});

describe('reusable content', () => {
  const sharedOf = (edited: Answer['body']) => edited.changes[0].reusableContent.id as string;
  const insertShared = (markdown: string, more: object = {}) => ({
    operation: 'insert_reusable_content',
    document: { markdown },
    ...more,
  });

  test('is stored and exported completely', async () => {
    const space = await contents.aSpace();
    const source = '---\ntitle: Note\nfoo: 1\n---\n# H\n\nx';
    const id = sharedOf(await contents.edit(space, insertShared(source)));
    await contents.edit(space, insertShared('\n# Only text\n', { title: 'Note' }));
    await contents.edit(space, insertShared(source));
    expect(await contents.get(`${space}/content/reusable-contents/${id}`)).toMatchObject({ title: 'Note' });
    const document = await contents.get(`${space}/content/reusable-contents/${id}/document`);
    expect(document.nodes.map((node: Answer['body']) => node.type)).toEqual(['heading-1', 'paragraph']);
    const folder = await exportOf(app, space);
    expect(folder['.gitbook/includes/note.md']).toBe(source);
    expect(Object.values(folder).filter((text) => text === source)).toHaveLength(2);
    expect(Object.values(folder)).toContainEqual(expect.stringMatching(/\n\n# Only text\n$/));
    const body = '---\nbar: 2\n---\n# H\n';
    await contents.edit(space, {
      operation: 'update_reusable_content',
      reusableContent: id,
      document: { markdown: body },
    });
    expect((await exportOf(app, space))['.gitbook/includes/note.md']).toBe(source.replace('# H\n\nx', body));
  });
});

describe('a cover in frontmatter', () => {
  test('sets the field to a URL, a file, or a file of the same batch', async () => {
    const space = await contents.aSpace();
    const { insertedFiles } = await contents.edit(space, {
      operation: 'insert_files',
      files: [{ name: 'a.png', base64: 'AAAA' }],
    });
    const file = insertedFiles[0].id;
    const edited = await contents.edit(
      space,
      insertSource('---\ncover: https://x.example/c.png\ncoverY: 5\n---\n# One\n\nbody'),
      insertSource(`---\ncover: /files/${file}\n---\n# Two\n`),
      insertSource('---\ncover: ./new\ncoverY: 7\n---\n# Three\n'),
      insertSource('---\ncover: https://x.example/c.png\n---\n# Four\n', { cover: null }),
      { operation: 'insert_files', files: [{ name: 'b.png', base64: 'AAAB', ref: 'new' }] },
    );
    const ids = edited.changes.slice(0, 4).map((each: Answer['body']) => each.page.id as string);
    const covers = [];
    for (const id of ids) covers.push((await contents.page(space, id)).cover);
    expect(covers).toEqual([
      { ref: { kind: 'url', url: 'https://x.example/c.png' }, yPos: 5 },
      { ref: { kind: 'file', file }, yPos: 0 },
      { ref: { kind: 'file', file: edited.insertedFiles[0].id }, yPos: 7 },
      { ref: { kind: 'url', url: 'https://x.example/c.png' }, yPos: 0 },
    ]);
    const folder = await exportOf(app, space);
    expect(Object.values(folder)).toContain(
      '---\ncover: https://x.example/c.png\ncoverY: 5\n---\n# One\n\nbody',
    );
    expect(Object.values(folder)).toContain('---\ncover: .gitbook/assets/b.png\ncoverY: 7\n---\n# Three\n');
  });

  test('without a file remains in the text, with a warning', async () => {
    const space = await contents.aSpace();
    const source = '---\ncover: missing.png\ncoverY: 5\n---\n# T\n\nbody';
    const { warnings, changes } = await contents.edit(space, insertSource(source));
    expect(warnings).toMatchObject([{ change: 0, message: expect.stringContaining('missing.png') }]);
    expect((await contents.page(space, changes[0].page.id)).cover).toBeUndefined();
    expect(Object.values(await exportOf(app, space))).toContain(source);
    await contents.edit(space, { operation: 'update_page', page: changes[0].page.id, title: 'U' });
    expect(Object.values(await exportOf(app, space))).toContain(source.replace('# T', '# U'));
    await contents.edit(space, insertSource('---\ncover: .gitbook/assets/later.png\n---\n# Later\n'), {
      operation: 'insert_files',
      files: [{ name: 'later.png', base64: 'AAAA' }],
    });
    expect((await exportOf(app, space))['later.md']).toContain('cover: .gitbook/assets/later.png\n');
    const { warnings: read } = await importInto(app, space, { 'README.md': source });
    expect(read).toEqual([{ path: 'README.md', message: expect.stringContaining('missing.png') }]);
  });
});

describe('a space that was not imported', () => {
  test('is exported with a README.md and imported as the same tree', async () => {
    const space = await contents.aSpace();
    const [home = ''] = idsOf(
      await contents.edit(
        space,
        insertSource('[child](/pages/home/child) [other](/pages/read-me)\n', { title: 'Home', ref: 'home' }),
        insertSource('[up](../home.md)\n', { title: 'Child', into: 'home' }),
        insertSource('Text\n', { title: 'Readme' }),
        insertSource('[home](/pages/home)\n', { title: 'Read me' }),
      ),
    );
    const folder = await exportOf(app, space);
    expect(folder).toEqual({
      'README.md': '# Home\n\n[child](readme/child.md) [other](/pages/read-me)\n',
      'SUMMARY.md': `# Table of contents

* [Home](README.md)
  * [Child](readme/child.md)
* [Readme](readme-1.md)
* [Read me](read-me.md)
`,
      'read-me.md': '# Read me\n\n[home](README.md)\n',
      'readme-1.md': '# Readme\n\nText\n',
      'readme/child.md': '# Child\n\n[up](../README.md)\n',
    });
    const shape = (pages: Answer['body'][]): unknown =>
      pages.map(({ title, pages: below }) => ({ title, below: shape(below) }));
    const before = await contents.pages(space);
    const copy = await contents.aSpace();
    await importInto(app, copy, folder);
    expect(shape(await contents.pages(copy))).toEqual(shape(before));
    expect(await exportOf(app, copy)).toEqual(folder);
    await importInto(app, space, folder);
    expect(await contents.pages(space)).toMatchObject(
      before.map(({ id, path, title }: Answer['body']) => ({ id, path, title })),
    );
    const { document } = await contents.page(space, home, '?format=document');
    expect(JSON.stringify(document)).toContain(`{"kind":"page","page":"${before[0].pages[0].id}"}`);
  });
});
