import { describe, expect, test } from 'vitest';
import {
  applyChanges,
  findBySource,
  findFolder,
  findPage,
  findReusableContent,
  fromBlob,
  isOutOfLine,
  variablesOf,
  walkPages,
  type Change,
  type DocumentPage,
  type LinkTable,
  type PageRecord,
  type Tree,
} from '../tree/index.ts';
import { at, read, toBytes, write, type Texts, writeFolder } from '../../../test/import-export.ts';
import { readFolder } from './index.ts';

const outline = (tree: Tree): string[] =>
  Array.from(
    walkPages(tree),
    ({ page, depth, path }) => `${'  '.repeat(depth - 1)}${page.type} ${path ?? '-'}: ${page.title}`,
  );

const SUMMARY = `# Table of contents

<!-- * [Not](listed.md) -->

* [Welcome](README.md)
* [Set up](guide/README.md "Setting up")
  * [Two words](<guide/two words.md>)
  * [Deep](guide/deep%20er.md)

## Reference <a href="#ref" id="ref"></a>

- [No own title](reference/untitled.md)
- \`\`\`yaml
  type: builtin:openapi
  props:
    models: false
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: petstore
  \`\`\`
- [Again](README.md)
- [A part](guide/README.md#part)
- [Elsewhere](https://example.org/a_(b))
- [Data](data/table.csv)
- [Missing](nowhere.md)
  - [Hoisted](reference/hoisted.md)

***

* [Last](last.md)

Some words.
`;

const FOLDER: Texts = {
  '.gitbook.yaml': 'root: ./\nredirects:\n  old: guide/README.md\n',
  'SUMMARY.md': SUMMARY,
  'README.md':
    '---\ndescription: First page\nicon: house\nx-own: 1\ncover: .gitbook/assets/hero (1).png\ncoverY: -3\n---\n\n# Welcome\n\nSee [set up](guide/), [words](<guide/two words.md#a>), [data](data/table.csv), [gone](gone.md).\n\n{% include ".gitbook/includes/note.md" %}\n',
  'guide/README.md': '# Set up\r\n\r\nBody [home](../README.md)\r\n',
  'guide/two words.md':
    '---\nhidden: true\nnoIndex: true\nif: visitor.claims.a === true\ntags:\n  - tag: beta\n  - new\nvars:\n  x: 1\nlayout:\n  width: wide\n  title:\n    visible: false\n  own: 1\n---\n# Two words\nText',
  'guide/deep er.md': '\uFEFF\n\nNo heading\n',
  'reference/untitled.md': 'Only text\n',
  'reference/hoisted.md': '---\ntitle: From the frontmatter\n---\n',
  'last.md': '# Last\n',
  'unlisted.md': '# Nobody lists me\n',
  LICENSE: 'All yours\n',
  'data/table.csv': 'a,b\n',
  '.gitbook/assets/hero (1).png': 'PNG',
  '.gitbook/assets/unused.png': 'PNG2',
  '.gitbook/includes/note.md': '---\ntitle: A note\n---\n\n# Heading\n\n[last](../../last.md)\n',
  '.gitbook/vars.yaml': '# ours\nversion: 2\nname: Octavo # here\n',
  '.gitbook/tags.yaml': '- tag: beta\n  label: Beta\n  color: $primary\n',
};

describe('a folder', () => {
  const content = read(FOLDER);
  const { tree } = content;
  const change = (...changes: Change[]) => {
    const result = applyChanges(tree, changes, 2000);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    return result.tree;
  };
  const links = (page: DocumentPage) =>
    page.links === undefined || isOutOfLine(page.links) ? {} : (page.links as LinkTable);

  test('becomes the tree of SUMMARY.md', () => {
    expect(outline(tree)).toEqual([
      'document readme: Welcome',
      'document guide: Set up',
      '  document guide/two-words: Two words',
      '  document guide/deep-er: Deep',
      'group ref: Reference',
      '  document ref/untitled: No own title',
      '  computed -: petstore',
      '  link -: Again',
      '  link -: A part',
      '  link -: Elsewhere',
      '  link -: Data',
      '  document ref/hoisted: From the frontmatter',
      'document last: Last',
    ]);
    expect(content.warnings).toEqual([
      { path: 'SUMMARY.md', file: 'nowhere.md', message: 'There is no nowhere.md', line: 27, isEntry: true },
      { path: 'SUMMARY.md', message: 'README.md is listed before: this entry is a link to it', line: 23 },
    ]);
  });

  test('has its pages with their fields, titles and labels', () => {
    const home = at(tree, 'README.md');
    expect(home).toMatchObject({
      description: 'First page',
      icon: 'house',
      cover: { ref: { kind: 'file' }, yPos: -3 },
    });
    expect(at(tree, 'guide/README.md').label).toBe('Setting up');
    expect(at(tree, 'reference/hoisted.md').label).toBe('Hoisted');
    expect(at(tree, 'guide/two words.md')).toMatchObject({
      hidden: true,
      noIndex: true,
      condition: 'visitor.claims.a === true',
      tags: ['beta', 'new'],
      variables: { x: 1 },
      layout: { width: 'wide', title: false },
    });
    expect(content.texts.get(home.document)).toMatch(/^See /);
    expect(content.texts.get(at(tree, 'guide/deep er.md').document)).toBe('No heading\n');
  });

  test('has its links, includes, files, variables and tags', () => {
    const home = at(tree, 'README.md');
    const note = findBySource(tree, '.gitbook/includes/note.md');
    expect(Object.keys(links(home))).toEqual([
      'guide/',
      'guide/two words.md#a',
      'data/table.csv',
      '.gitbook/includes/note.md',
    ]);
    expect(findReusableContent(tree, note?.id ?? '')).toMatchObject({ title: 'A note' });
    expect(tree.files.map((id) => (tree.records.get(id) as { path?: string }).path).toSorted()).toEqual([
      '.gitbook/assets/hero (1).png',
      '.gitbook/assets/unused.png',
      'data/table.csv',
    ]);
    expect(findBySource(tree, 'LICENSE')).toMatchObject({ unlisted: true });
    expect(findBySource(tree, 'unlisted.md')).toMatchObject({ unlisted: true });
    expect(variablesOf(tree)).toEqual({ version: 2, name: 'Octavo' });
    expect(findFolder(tree)?.tags).toEqual([{ tag: 'beta', label: 'Beta', color: '$primary' }]);
    const targets = Array.from(walkPages(tree), ({ page }) =>
      page.type === 'link' ? page.target.kind : undefined,
    );
    expect(targets.filter(Boolean)).toEqual(['page', 'anchor', 'url', 'file']);
  });

  test('is exported byte for byte as imported', () => {
    expect(write(tree, content)).toEqual(FOLDER);
  });

  test('with a changed field changes only its line', () => {
    const changed = write(
      change(
        {
          operation: 'update_page',
          page: at(tree, 'README.md').id,
          description: 'Other',
          icon: null,
          cover: null,
        },
        {
          operation: 'update_page',
          page: at(tree, 'guide/two words.md').id,
          tags: ['beta', 'old'],
          layout: { outline: false, width: 'default' },
          hidden: false,
        },
        { operation: 'set_variables', variables: { version: 3 } },
      ),
      content,
    );
    expect(changed).toEqual({
      ...FOLDER,
      'README.md': (FOLDER['README.md'] as string)
        .replace('First page\nicon: house', 'Other')
        .replace(/cover: .*\ncoverY: -3\n/, ''),
      'guide/two words.md': (FOLDER['guide/two words.md'] as string)
        .replace('hidden: true\n', '')
        .replace('  - new\n', '  - old\n')
        .replace('width: wide', 'width: default')
        .replace('  own: 1\n', '  own: 1\n  outline:\n    visible: false\n'),
      '.gitbook/vars.yaml': '# ours\nversion: 3\nname: Octavo # here\n',
    });
  });

  test('with a changed title changes the title line, and the label that was the title', () => {
    const changed = write(
      change(
        { operation: 'update_page', page: at(tree, 'README.md').id, title: 'Hello *you*' },
        { operation: 'update_page', page: at(tree, 'guide/README.md').id, title: 'Starting' },
        { operation: 'update_page', page: at(tree, 'reference/untitled.md').id, title: 'Named' },
        { operation: 'update_page', page: at(tree, 'reference/hoisted.md').id, title: 'Other' },
      ),
      content,
    );
    expect(changed).toEqual({
      ...FOLDER,
      'README.md': (FOLDER['README.md'] as string).replace('# Welcome', '# Hello \\*you\\*'),
      'guide/README.md': (FOLDER['guide/README.md'] as string).replace('# Set up', '# Starting'),
      'reference/hoisted.md': '---\ntitle: Other\n---\n',
      'SUMMARY.md': SUMMARY.replace('[Welcome]', '[Hello \\*you\\*]').replace('[No own title]', '[Named]'),
    });
  });

  test('with a moved page has another file, updated links, and the same content', () => {
    const moved = change(
      { operation: 'move_page', page: at(tree, 'guide/two words.md').id, into: at(tree, 'last.md').id },
      { operation: 'move_page', page: at(tree, 'README.md').id, into: at(tree, 'guide/README.md').id },
    );
    const written = write(moved, content);
    // guide/readme.md would be the same file as guide/README.md on a case-insensitive file system.
    expect(written['guide/readme/README.md']).toContain('cover: ../../.gitbook/assets/hero (1).png');
    expect(written['guide/readme/README.md']).toContain(
      'See [set up](../../guide/), [words](<../../last/two%20words.md#a>), [data](../../data/table.csv), [gone](gone.md)',
    );
    expect(written['guide/README.md']).toContain('[home](readme/README.md)');
    expect(written['SUMMARY.md']).toContain('* [Last](last.md)\n  * [Two words](last/two%20words.md)\n');
    const again = read(written);
    expect(outline(again.tree)).toEqual(outline(moved));
  });

  test('with a new body does not parse it as frontmatter or title', () => {
    const bodies = new Map([
      ['h1', '# Not the title\n\nText\n'],
      ['h2', '---\ntitle: Not the frontmatter\n---\n'],
      ['h3', 'Text\n'],
    ]);
    const changed = change(
      { operation: 'update_page', page: at(tree, 'reference/untitled.md').id, document: 'h1' },
      { operation: 'update_page', page: at(tree, 'guide/deep er.md').id, document: 'h2' },
      { operation: 'update_page', page: at(tree, 'last.md').id, document: 'h3' },
    );
    const again = read(write(changed, content, bodies));
    expect(outline(again.tree)).toEqual(outline(tree));
    const bodyOf = (path: string) => again.texts.get(at(again.tree, path).document);
    expect(['reference/untitled.md', 'guide/deep er.md', 'last.md'].map(bodyOf)).toEqual([
      ...bodies.values(),
    ]);
  });

  test('imported again keeps every record', () => {
    const again = read(FOLDER, tree, 'new');
    for (const record of again.records) expect(record).toBe(tree.records.get(record.id));
    expect(again.records).toHaveLength(content.records.length);
  });

  test('imported again after changes keeps ids by path, and by content for a renamed file', () => {
    const { 'last.md': last = '', ...others } = FOLDER;
    const summary = SUMMARY.replace('(last.md)', '(moved/last.md)').replace(
      '* [Welcome]',
      '* [New](new.md)\n* [Welcome]',
    );
    const again = read(
      { ...others, 'moved/last.md': last, 'new.md': '# New\n', 'SUMMARY.md': summary },
      tree,
      'new',
    );
    expect(at(again.tree, 'moved/last.md').id).toBe(at(tree, 'last.md').id);
    const changed = again.records.filter((record) => record !== tree.records.get(record.id));
    expect(changed.map(({ id }) => id).toSorted()).toEqual([at(tree, 'last.md').id, 'new0', '~folder']);
    expect(at(again.tree, 'moved/last.md')).toMatchObject({ createdAt: 1000 });
  });
});

describe('a folder without SUMMARY.md', () => {
  const folder: Texts = {
    'README.md': '# Home\n',
    'b/page-10.md': 'Ten\n',
    'b/page-9.md': 'Nine\n',
    'b/inner/x.md': '# X\n',
    'c.md': '# C\n',
    'c/one.md': '# One\n',
    'd/README.md': '# D\n',
    'd/e/README.md': '# E\n',
    'd/e/f.md': '# F\n',
    '.github/hidden.md': '# No page\n',
    'empty/data.bin': new Uint8Array([0, 159, 146, 150]),
  };
  const content = read(folder);

  test('is read by its subfolders, in natural order', () => {
    expect(outline(content.tree)).toEqual([
      'document readme: Home',
      'group b: B',
      '  document b/x: X',
      '  document b/page-9: Page 9',
      '  document b/page-10: Page 10',
      'document c: C',
      '  document c/one: One',
      'document d: D',
      '  document d/e: E',
      '    document d/e/f: F',
    ]);
  });

  test('is exported without one, unless its tree changed', () => {
    const written = writeFolder(content.tree, (hash) => content.texts.get(hash) ?? '');
    expect(written.map(({ path }) => path)).toEqual(Object.keys(folder).toSorted());
    const nine = at(content.tree, 'b/page-9.md').id;
    const moved = applyChanges(content.tree, [{ operation: 'move_page', page: nine, at: 0 }], 1);
    if (!moved.ok) throw new Error('refused');
    expect(write(moved.tree, content)['SUMMARY.md']).toBe(
      '# Table of contents\n\n* [Home](README.md)\n\n## B\n\n* [Page 9](b/page-9.md)\n* [X](b/inner/x.md)\n* [Page 10](b/page-10.md)\n\n***\n\n* [C](c.md)\n  * [One](c/one.md)\n* [D](d/README.md)\n  * [E](d/e/README.md)\n    * [F](d/e/f.md)\n',
    );
  });

  test('gets a title line when a title that came from the file name changes', () => {
    const nine = at(content.tree, 'b/page-9.md').id;
    const renamed = applyChanges(content.tree, [{ operation: 'update_page', page: nine, title: 'IX' }], 1);
    if (!renamed.ok) throw new Error('refused');
    const written = write(renamed.tree, content);
    expect(written['b/page-9.md']).toBe('# IX\n\nNine\n');
    expect(written['SUMMARY.md']).toBeUndefined();
  });
});

describe('an import', () => {
  test('skips paths that lead out of the folder', () => {
    const invalid = ['/etc/passwd', '../x.md', 'a/../../x.md', 'a\0.md', '', 'C:\\x.md', '..\\x.md'];
    const content = readFolder(
      [...invalid, 'README.md', 'README.md'].map((path) => ({ path, bytes: toBytes('# T\n') })),
      { newId: () => 'id', now: 1 },
    );
    expect(content.warnings.map(({ path }) => path)).toEqual([...invalid, 'README.md']);
    expect(content.records.map(({ id }) => id)).toEqual(['~folder', 'id']);
  });

  test('stores Markdown that is not UTF-8 as a file, not as a page', () => {
    const bytes = new Uint8Array([35, 32, 255, 10]);
    const content = read({ 'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n', 'a.md': bytes, 'b.md': '# B\n' });
    expect(outline(content.tree)).toEqual(['document b: B']);
    expect(content.warnings.map(({ path }) => path)).toEqual(['a.md', 'SUMMARY.md']);
    expect(findBySource(content.tree, 'a.md')).toMatchObject({ unlisted: true, size: 4 });
    expect(content.files.get((findBySource(content.tree, 'a.md') as { hash: string }).hash)).toBe(bytes);
  });

  test('reports invalid definitions, and exports them unchanged', () => {
    const folder = {
      '.gitbook.yaml': 'root: ../..\nstructure: [\n',
      '.gitbook/vars.yaml': 'a: 1\nb: [1]\n__proto__: x\n',
      '.gitbook/tags.yaml': '{ not: a list }\n',
      'README.md': '---\ndescription: a: b\nlayout: 1\nvars:\n  list: [1]\n---\n# T\n\n{% hint %}\nopen\n',
    };
    const content = read(folder);
    expect(content.warnings.map(({ path }) => path)).toContain('.gitbook.yaml');
    expect(content.warnings).toContainEqual({
      path: 'README.md',
      message: expect.stringContaining('description') as string,
      line: 2,
    });
    expect(variablesOf(content.tree)).toEqual({ a: 1 });
    expect(write(content.tree, content)).toEqual(folder);
  });

  test('reports the first of many invalid variables', () => {
    const variables = Array.from({ length: 1000 }, (_, n) => `v${n}: [${n}]\n`).join('');
    const { warnings } = read({ '.gitbook/vars.yaml': variables, 'README.md': '# A\n' });
    expect(warnings.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  test('limits a list of 40 levels to 32', () => {
    const paths = Array.from({ length: 40 }, (_, i) => `p${i}.md`);
    const summary = paths.map((path, i) => `${' '.repeat(i)}* [P](${path})\n`).join('');
    const folder = { ...Object.fromEntries(paths.map((path) => [path, '# P\n'])), 'SUMMARY.md': summary };
    const content = read(folder);
    expect(Math.max(...Array.from(walkPages(content.tree), ({ depth }) => depth))).toBe(32);
    expect(write(content.tree, content)).toEqual(folder);
  });

  test('accepts pages in a subfolder', () => {
    const folder = {
      '.gitbook.yaml': 'root: ./docs/\nstructure:\n  readme: start.md\n  summary: nav/toc.md\n',
      'docs/nav/toc.md': '* [Start](../start.md)\n* [Sub](../sub/README.md)\n',
      'docs/start.md': '# Start\n\n[sub](/sub/README.md) ![](../logo.png)\n',
      'docs/sub/README.md': '# Sub\n',
      'logo.png': 'PNG',
      'src/code.ts': 'code',
    };
    const content = read(folder);
    expect(outline(content.tree)).toEqual(['document start: Start', 'document sub: Sub']);
    const table = at(content.tree, 'docs/start.md').links;
    expect(Object.keys(table ?? {})).toEqual(['/sub/README.md', '../logo.png']);
    expect(write(content.tree, content)).toEqual(folder);
    const { tree } = applyChanges(
      content.tree,
      [{ operation: 'insert_page', id: 'new', title: 'New', document: 'h' }],
      1,
    ) as { tree: Tree };
    expect(Object.keys(write(tree, content))).toContain('docs/new.md');
    expect((findPage(tree, 'new') as PageRecord).title).toBe('New');
  });

  test('stores a long link table out of line', () => {
    const hrefs = Array.from({ length: 60 }, (_, i) => `b.md#${'x'.repeat(20)}${i}`);
    const content = read({ 'a.md': hrefs.map((href) => `[x](${href})\n`).join(''), 'b.md': '# B\n' });
    const { links } = at(content.tree, 'a.md');
    const hash = (links as { hash: string }).hash;
    expect(Object.keys(fromBlob<LinkTable>(content.texts.get(hash) ?? '{}'))).toHaveLength(60);
  });
});

test('includes of a repository with several books are found wherever they are', () => {
  const { tree } = read({
    'docs/.gitbook.yaml': 'root: ./\n',
    'docs/a/README.md': '# A\n\n{% include "../.gitbook/includes/note.md" %}\n',
    'docs/.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nShared\n',
  });
  const note = findBySource(tree, 'docs/.gitbook/includes/note.md');
  expect(note).toMatchObject({ kind: 'reusable-content', title: 'Note' });
  expect(at(tree, 'docs/a/README.md').links).toEqual({
    '../.gitbook/includes/note.md': { kind: 'reusable-content', reusableContent: note?.id },
  });
});

describe('a hostile folder', () => {
  const times = (text: string, count: number) => text.repeat(count);
  test.each([
    ['comments without an end', times('<!--\n', 50_000)],
    ['a long heading', `## ${times(' ', 100_000)}x\n`],
    ['a heading of anchors', `## ${times('<a id="x" ', 20_000)}\n`],
    ['brackets', `* [${times('[', 100_000)}\n* [a](${times('(', 100_000)}\n`],
    ['a deep list', Array.from({ length: 3000 }, (_, i) => `${times(' ', i)}* [x](a.md)\n`).join('')],
    ['one file many times', times('* [x](a.md)\n', 20_000)],
    ['an alias to itself', '* ```yaml\n  type: x\n  props: &a\n    b: *a\n    c: .nan\n  ```\n'],
    ['a fence without an end', times('* ```yaml\n', 20_000)],
  ])('%s', (_name, summary) => {
    const folder = { 'SUMMARY.md': summary, 'a.md': '---\nlayout: &a\n  b: *a\n---\n# A\n' };
    const content = read(folder);
    expect(write(content.tree, content)).toEqual(folder);
  });

  /** The YAML library would crash the whole process. */
  test.each([
    ['entries in entries', times('- ', 100_000)],
    ['brackets in brackets', times('[', 100_000)],
    ['keys of keys', times('? ', 100_000)],
  ])('YAML of %s', (_name, yaml) => {
    const folder = {
      '.gitbook.yaml': yaml,
      '.gitbook/vars.yaml': yaml,
      '.gitbook/tags.yaml': yaml,
      'README.md': 'A',
    };
    const content = read(folder);
    expect(content.warnings).toHaveLength(3);
    expect(write(content.tree, content)).toEqual(folder);
  });
});

describe('pages of MDX', () => {
  const INSTALL = `---
description: 2
---

import Tabs from '@theme/Tabs';
import {
  Card,
} from '../card';

# Install it

<Tabs groupId="os">

Version {version} of \`{this}\`, {/* note */} in <Card.Title>[use](./use.mdx)</Card.Title>.

\`\`\`jsx
<NotNamed/> {x}
\`\`\`

</Tabs>

export const more = 1;
`;
  const folder: Texts = {
    'README.md': '# Home\n\n[Install](guide/install) [Use](guide/use.mdx)\n',
    'guide/README.mdx': "import A from 'a'\r\n\r\nText.\r\n",
    'guide/install.mdx': INSTALL,
    'guide/install.md': '# Other\n',
    'guide/use.mdx': "---\ntitle: Use it\n---\nimport 'a.css';\n\nText.\n",
  };

  test('are pages, and what is not run is named once for each', () => {
    const content = read(folder);
    expect(write(content.tree, content)).toEqual(folder);
    expect(outline(content.tree)).toEqual([
      'document readme: Home',
      'document guide: Guide',
      '  document guide/install: Other',
      '  document guide/install-1: Install it',
      '  document guide/use: Use it',
    ]);
    expect(content.warnings.filter(({ message }) => message.includes('MDX'))).toEqual([
      { path: 'guide/README.mdx', line: 1, message: 'Code of MDX is not run: import' },
      {
        path: 'guide/install.mdx',
        line: 5,
        message: 'Code of MDX is not run: import, <Tabs>, <Card.Title>, {version}, {/* note */}, export',
      },
      { path: 'guide/use.mdx', line: 4, message: 'Code of MDX is not run: import' },
    ]);
    expect(content.warnings.map(({ message }) => message)).toContain(
      '<Tabs> is not supported and is stored unchanged.',
    );
    const { document } = at(content.tree, 'guide/use.mdx');
    expect(content.texts.get(document)).toBe('Text.\n');
    expect(Object.values(at(content.tree, 'README.md').links as LinkTable)).toEqual([
      { kind: 'page', page: at(content.tree, 'guide/install.md').id },
      { kind: 'page', page: at(content.tree, 'guide/use.mdx').id },
    ]);
  });

  test('keep their imports and their extension when they are renamed and moved', () => {
    const content = read(folder);
    const change = (path: string, title: string): Change[] => {
      const page = at(content.tree, path).id;
      return [{ operation: 'update_page', page, title }];
    };
    const changes = ['guide/README.mdx', 'guide/install.mdx', 'guide/use.mdx'].flatMap((path) =>
      change(path, 'New'),
    );
    const moved = at(content.tree, 'guide/use.mdx').id;
    const applied = applyChanges(
      content.tree,
      [...changes, { operation: 'move_page', page: moved, into: null }],
      1,
    );
    if (!applied.ok) throw new Error('refused');
    const written = write(applied.tree, content);
    expect(written['guide/README.mdx']).toBe("import A from 'a'\r\n\r\n# New\r\n\r\nText.\r\n");
    expect(written['guide/install.mdx']).toBe(
      INSTALL.replace('# Install it', '# New').replace('./use.mdx', '../use.mdx'),
    );
    expect(written['use.mdx']).toBe("---\ntitle: New\n---\nimport 'a.css';\n\nText.\n");
    expect(written['README.md']).toContain('[Use](use.mdx)');
  });

  test('are listed by SUMMARY.md with their extension', () => {
    const content = read({
      'SUMMARY.md': '* [A](a.mdx)\n* [B](b)\n* [C](c.mdx)\n',
      'a.mdx': 'A',
      'b.mdx': 'B',
    });
    expect(outline(content.tree)).toEqual(['document a: A', 'document b: B']);
    expect(content.warnings).toMatchObject([{ message: 'There is no c.mdx' }]);
  });

  test.each([
    ['imports', `${"import a from 'a'\n".repeat(20_000)}x`],
    ['imports without an end', 'import {'.repeat(50_000)],
    ['braces', '{'.repeat(100_000)],
    ['tags', '<A'.repeat(100_000)],
    ['code', '`{'.repeat(100_000)],
  ])('of hostile %s', (_name, text) => {
    const hostile = { 'README.mdx': text };
    const content = read(hostile);
    expect(write(content.tree, content)).toEqual(hostile);
  });
});
