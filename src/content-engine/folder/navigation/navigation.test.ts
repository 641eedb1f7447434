import { describe, expect, test } from 'vitest';
import { read, write, type Texts } from '../../../../test/import-export.ts';
import { applyChanges, walkPages, type Tree } from '../../tree/index.ts';
import { readExport, readLiteral, readProperty } from './literal.ts';

const outline = (tree: Tree): string[] =>
  Array.from(
    walkPages(tree),
    ({ page, depth, path }) =>
      `${'  '.repeat(depth - 1)}${page.type} ${path ?? '-'}: ${page.type === 'document' ? (page.label ?? page.title) : page.title}`,
  );

const MKDOCS = `site_name: Example
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
nav:
  - Home: index.md
  - 'Guide':
      - guide/index.md
      - Install: guide/install.md
      - Advanced:
          - guide/advanced/index.md
          - "Tuning: fast": guide/advanced/tuning.md
      - Rest:
          - guide/rest.md
  - Source: https://example.com/source
  - Gone: gone.md
plugins:
  - search
`;

const pages = (...paths: string[]): Texts =>
  Object.fromEntries(paths.map((path) => [path, `# At ${path}\n`]));

describe('the navigation of another program', () => {
  const mkdocs: Texts = {
    'mkdocs.yml': MKDOCS,
    'README.md': '# Repository\n',
    'docs/index.md': 'Without a title.\n',
    ...pages('docs/guide/index.md', 'docs/guide/install.md', 'docs/guide/advanced/index.md'),
    ...pages('docs/guide/advanced/tuning.md', 'docs/guide/rest.md', 'docs/unlisted.md'),
  };

  test('mkdocs.yml gives the pages, and what it cannot give is reported', () => {
    const content = read(mkdocs);
    expect(outline(content.tree)).toEqual([
      'document docs: Home',
      'group guide: Guide',
      '  document guide/guide: At docs/guide/index.md',
      '  document guide/install: Install',
      '  document guide/advanced: Advanced',
      '    document guide/advanced/tuning: Tuning: fast',
      '  document guide/rest: At docs/guide/rest.md',
      'link -: Source',
    ]);
    expect(content.warnings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'mkdocs.yml: There is no docs/gone.md',
      'mkdocs.yml: Sections without a page, whose pages are in the section above: Rest',
      'mkdocs.yml: Pages that it does not list are files: README.md, docs/unlisted.md',
    ]);
  });

  test('an export is the same folder, until the structure is edited: then it has SUMMARY.md', () => {
    const content = read(mkdocs);
    expect(write(content.tree, content)).toEqual(mkdocs);
    const [first] = [...walkPages(content.tree)];
    const moved = applyChanges(
      content.tree,
      [{ operation: 'move_page', page: first?.page.id ?? '', into: null, at: 3 }],
      1,
    );
    if (!moved.ok) throw new Error('refused');
    const written = write(moved.tree, content);
    expect(written).toMatchObject(mkdocs);
    expect(Object.keys(written)).toHaveLength(Object.keys(mkdocs).length + 1);
    const again = read(written as Texts, moved.tree, 'new');
    expect(outline(again.tree)).toEqual(outline(moved.tree));
  });

  test('pages keep their ids when the navigation changes', () => {
    const before = read(mkdocs);
    const after = read(
      { ...mkdocs, 'mkdocs.yml': 'nav:\n- guide/rest.md\n- index.md\n' },
      before.tree,
      'new',
    );
    expect(outline(after.tree)).toEqual(['document rest: At docs/guide/rest.md', 'document docs: Docs']);
    const ids = Array.from(walkPages(after.tree), ({ page }) => page.id);
    expect(ids.every((id) => before.tree.records.has(id))).toBe(true);
  });

  test('SUMMARY.md comes first', () => {
    const content = read({ ...mkdocs, 'SUMMARY.md': '* [Only](docs/unlisted.md)\n' });
    expect(outline(content.tree)).toEqual(['document unlisted: Only']);
  });

  test('mdBook: parts, prefix chapters, drafts', () => {
    const folder: Texts = {
      'book.toml': '[book]\ntitle = "B"\nsrc = "text"\n',
      'text/SUMMARY.md':
        '# Summary\n\n[Introduction](intro.md)\n\n# Part one\n\n- [A \\[x\\]](a.md)\n    - [B](b/b%20c.md)\n- [Draft]()\n  - [C](c.md)\n\n---\n\n[End](end.md)\n',
      ...pages('text/intro.md', 'text/a.md', 'text/b/b c.md', 'text/c.md', 'text/end.md'),
    };
    const content = read(folder);
    expect(outline(content.tree)).toEqual([
      'document intro: Introduction',
      'group part-one: Part one',
      '  document part-one/a: A [x]',
      '    document part-one/a/b-c: B',
      '  document part-one/c: C',
      '  document part-one/end: End',
    ]);
    expect(write(content.tree, content)).toEqual(folder);
  });

  test('VitePress: a sidebar that is data, by paths', () => {
    const folder: Texts = {
      'docs/.vitepress/config.mts': `import { defineConfig } from 'vitepress'
// sidebar: [{ text: 'No', link: '/no' }]
export default defineConfig({
  title: "it's: sidebar: []",
  head: [['script', {}, \`sidebar: \${1}\`]],
  themeConfig: {
    nav: nav(),
    sidebar: {
      '/guide/': { base: '/guide/', items: sidebarGuide() },
      '/api/': [{ text: 'API', collapsed: true, items: [{ text: 'Start', link: '/api/' }, { text: 'Site', link: 'https://example.com/' }, ] }],
    },
  },
})
function sidebarGuide() { return [] }
`,
      ...pages('docs/index.md', 'docs/api/index.md'),
    };
    const content = read(folder);
    expect(outline(content.tree)).toEqual(['group api: API', '  document api/api: Start', '  link -: Site']);
    expect(content.warnings.map(({ message }) => message)).toEqual([
      'a part of sidebar is not plain data: code is not run',
      'Pages that it does not list are files: docs/index.md',
    ]);
    expect(write(content.tree, content)).toEqual(folder);
  });

  test('VitePress: a sidebar that a function returns, and one that is computed', () => {
    const config = (sidebar: string) => `export default { themeConfig: { sidebar: ${sidebar} } }
function items(): DefaultTheme.SidebarItem[] { return [{ text: 'A', link: '/a' }] }`;
    expect(
      outline(read({ '.vitepress/config.ts': config('items()'), ...pages('a.md', 'b.md') }).tree),
    ).toEqual(['document a: A']);
    const computed = read({
      '.vitepress/config.ts': config('(await load()).map(({ x }) => x)'),
      ...pages('a.md'),
    });
    expect(outline(computed.tree)).toEqual(['document a: At a.md']);
    expect(computed.warnings).toMatchObject([
      { message: 'sidebar is not plain data: code is not run', isEntry: true },
      { message: 'Not used: it lists no page of the folder', isEntry: true },
    ]);
  });

  test('Docusaurus: sidebars, ids, numbers and generated folders', () => {
    const folder: Texts = {
      'docusaurus.config.ts': 'export default {};\n',
      'sidebars.ts': `import type {SidebarsConfig} from '@docusaurus/plugin-content-docs';
const sidebars: SidebarsConfig = {
  main: [
    'intro',
    { type: 'category', label: 'Guides', link: { type: 'doc', id: 'guides/start' },
      items: [{ type: 'doc', id: 'guides/own-id', label: 'Own' }, { type: 'autogenerated', dirName: 'tutorial' }] },
    { type: 'link', label: 'Site', href: 'https://example.com' },
    { 'Short form': ['last'] },
    ...more,
  ],
};
export default sidebars;
`,
      'docs/01-intro.md': '# Intro\n',
      'docs/guides/start.md': '# Start\n',
      'docs/guides/second.mdx': '---\nid: own-id\n---\n# Second\n',
      'docs/tutorial/02_b.md': '# B\n',
      'docs/tutorial/a.md': '---\nsidebar_position: 3\nsidebar_label: "First letter"\n---\n# A\n',
      'docs/tutorial/_part.mdx': 'Part\n',
      'docs/tutorial/more/_category_.json': '{"label": "More of it", "position": 1}',
      'docs/tutorial/more/index.md': '# Index\n',
      'docs/tutorial/more/c.md': '# C\n',
      'docs/last.md': '# Last\n',
      'blog/post.md': '# Post\n',
    };
    const content = read(folder);
    expect(outline(content.tree)).toEqual([
      'document intro: Intro',
      'document start: Guides',
      '  document start/second: Own',
      '  document start/more: More of it',
      '    document start/more/c: C',
      '  document start/b: B',
      '  document start/a: First letter',
      'link -: Site',
      'group short-form: Short form',
      '  document short-form/last: Last',
    ]);
    expect(content.warnings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'sidebars.ts: A part of it is not plain data: code is not run',
      'sidebars.ts: Pages that it does not list are files: blog/post.md, docs/tutorial/_part.mdx',
    ]);
    expect(write(content.tree, content)).toEqual(folder);
  });

  test('Docusaurus: a folder of pages alone', () => {
    const folder: Texts = {
      'b.md': '---\nsidebar_position: 1\n---\n# B\n',
      'a/_category_.yml': "label: 'Part A'\nposition: 2\n",
      'a/x.md': '# X\n',
      'c.md': '# C\n',
      'README.md': '# Home\n',
    };
    const content = read(folder);
    expect(outline(content.tree)).toEqual([
      'document readme: Home',
      'document b: B',
      'group part-a: Part A',
      '  document part-a/x: X',
      'document c: C',
    ]);
    expect(write(content.tree, content)).toEqual(folder);
  });
});

test('a part of a folder that is written for Docusaurus does not decide the whole', () => {
  const folder: Texts = {
    'README.md': '# Home\n',
    'packages/b/docs/intro.md': '---\nsidebar_position: 1\n---\n# Intro\n',
    'packages/b/docs/c/_category_.json': '{"label": "C"}',
    'packages/b/docs/c/_note.md': '# Note\n',
  };
  const content = read(folder);
  expect(outline(content.tree)).toEqual([
    'document readme: Home',
    'group packages: Packages',
    '  document packages/note: Note',
    '  document packages/intro: Intro',
  ]);
  expect(content.warnings).toEqual([]);
});

describe('data of a module', () => {
  test.each([
    [`['a', "b\\'\\u0041", -1.5, true, null, undefined,]`, ['a', "b'A", -1.5, true, null, undefined], true],
    [`{ a: 1, 'b-c': [ /* x */ ], // y\n d: \`t\` } as const`, { a: 1, 'b-c': [], d: 't' }, true],
    [`{ a, ...b, c() { return "}" }, [d]: 1, e: f(1, ','), g: 2 }`, { e: undefined, g: 2 }, false],
    [`['a' + 'b', (() => 1)(), require('fs'), 'c']`, [undefined, undefined, undefined, 'c'], false],
    [`{ __proto__: { x: 1 } }`, Object.fromEntries([['__proto__', { x: 1 }]]), true],
    ['[1', [1], true],
    ['', undefined, false],
  ])('%s', (text, value, isPlain) => {
    expect(readLiteral(text, 0)).toEqual({ value, isPlain });
  });

  test('by its name', () => {
    expect(readExport(`const a = { x: 1 };\nmodule.exports = a;`).value).toEqual({ x: 1 });
    expect(readExport(`// @ts-check\nmodule.exports = { x: [1] };`).value).toEqual({ x: [1] });
    expect(readExport(`module.exports = require('x').y()`).isPlain).toBe(false);
    expect(readExport(`process.exit(1)`)).toEqual({ value: undefined, isPlain: false });
    expect(
      readProperty(`const sidebar = [1]; export default { y: 'sidebar: 3', sidebar: sidebar }`, 'sidebar')
        .value,
    ).toEqual([1]);
  });

  const times = (text: string, count: number): string => text.repeat(count);

  test.each([
    ['brackets', times('[', 100_000)],
    ['objects', times('{a:', 80_000)],
    ['comments', times('/* ', 80_000)],
    ['quotes', times(`"\\`, 100_000)],
    ['templates', times('`\\', 100_000)],
    ['properties', times('sidebar: x,', 20_000)],
    ['declarations', times('const sidebar ', 15_000)],
    ['functions', times('function sidebar(', 12_000)],
    ['closers', times(')]},;', 50_000)],
    ['exports', times('export default ', 15_000)],
    ['slashes', times('/', 200_000)],
    ['entries in entries', times('- ', 100_000)],
    ['chapters', times('- [a](', 40_000)],
    [
      'deep chapters',
      Array.from({ length: 600 }, (_, depth) => `${times(' ', depth)}- [a](a.md)\n`).join(''),
    ],
    [
      'deep sections',
      `nav:\n${Array.from({ length: 200 }, (_, depth) => `${times('  ', depth)}- a:\n`).join('')}`,
    ],
  ])('of hostile %s is read once, or reported', (_name, text) => {
    const folder: Texts = {
      'README.md': '# A\n',
      'mkdocs.yml': `nav: ${text}`,
      'sidebars.js': `module.exports = ${text}`,
      'docusaurus.config.js': text,
      '.vitepress/config.js': `sidebar: ${text}`,
      'book.toml': text,
      'src/SUMMARY.md': text,
      'x/_category_.json': text,
      'x/_category_.yml': text,
    };
    const content = read(folder);
    expect(outline(content.tree)).toEqual(['document readme: A']);
    expect(write(content.tree, content)).toEqual(folder);
  });
});
