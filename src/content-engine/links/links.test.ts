import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageRecord as page } from '../../../test/page-record.ts';
import { hrefsOf, parseDocument, rewriteHrefs } from '../markdown/index.ts';
import {
  applyChanges,
  buildTree,
  FOLDER_ID,
  type Change,
  type ContentRecord,
  type Tree,
} from '../tree/index.ts';
import { hrefReplacements, linkTable, movedHrefs, resolveHref, resolverOf, targetOf } from './index.ts';

const file = (id: string, path?: string, over: object = {}): ContentRecord => ({
  id,
  kind: 'file',
  name: `${id}.png`,
  contentType: 'image/png',
  size: 1,
  hash: 'h',
  ...(path === undefined ? {} : { path }),
  ...over,
});

const RECORDS: ContentRecord[] = [
  page('home', { slug: 'readme', position: 'a', source: { path: 'README.md' } }),
  page('guide', { source: { path: 'guide/README.md' } }),
  page('install', { parent: 'guide', source: { path: 'guide/install.md' } }),
  page('spaced', { parent: 'guide', source: { path: 'guide/Two Words (1).md' }, slug: 'two-words-1' }),
  { id: 'grp', kind: 'page', type: 'group', title: 'G', slug: 'extras', position: 'b' },
  page('api', { parent: 'grp', slug: 'api' }),
  page('deep', { parent: 'api' }),
  file('logo', '.gitbook/assets/logo 1.png'),
  file('percent', 'a%20b.png'),
  file('uploaded'),
  file('licence', 'LICENSE', { unlisted: true }),
  {
    id: 'inc',
    kind: 'reusable-content',
    title: 'I',
    document: 'h',
    source: { path: '.gitbook/includes/i.md' },
  },
  { id: 'bare', kind: 'reusable-content', title: 'B', document: 'h' },
];
const tree = buildTree(RECORDS);

const after = (...changes: Change[]): Tree => applied(tree, ...changes);

function applied(to: Tree, ...changes: Change[]): Tree {
  const result = applyChanges(to, changes, 1);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.tree;
}

const idOf = (tree: Tree, from: string, href: string, refs?: ReadonlyMap<string, string>) => {
  const ref = resolveHref(tree, from, href, refs);
  if (ref === undefined) return undefined;
  return Object.entries(ref)
    .filter(([name]) => name !== 'kind')
    .map(([, value]) => value as string)
    .join(' ');
};

describe('resolveHref', () => {
  test.each([
    // As the API spells it.
    ['home', '/pages/install', 'install'],
    ['home', '/pages/install#a', 'a install'],
    ['home', '/pages/guide/install', 'install'],
    ['home', '/pages/Guide/INSTALL.md', 'install'],
    ['home', '/pages/guide/README.md#x', 'x guide'],
    ['home', '/pages/extras/api/deep', 'deep'],
    ['home', '/pages/extras', 'grp'],
    ['home', '/files/uploaded', 'uploaded'],
    ['home', '/reusable-content/bare', 'bare'],
    // Files of the folder.
    ['home', 'guide/install.md', 'install'],
    ['home', './guide/install.md?x=1#a%20b', 'a b install'],
    ['install', 'README.md', 'guide'],
    ['install', '../README.md', 'home'],
    ['install', '/guide/install.md', 'install'],
    ['install', '..', 'home'],
    ['home', 'guide', 'guide'],
    ['home', 'guide/', 'guide'],
    ['home', 'guide/install', 'install'],
    ['home', 'guide/Two%20Words%20%281%29.md', 'spaced'],
    ['home', 'guide/Two Words (1).md', 'spaced'],
    ['home', 'guide/two-words-1', 'spaced'],
    ['install', '../.gitbook/assets/logo%201.png', 'logo'],
    ['home', 'a%20b.png', 'percent'],
    ['home', 'a%2520b.png', 'percent'],
    ['home', '.gitbook/includes/i.md', 'inc'],
    // Pages without a source file.
    ['deep', '../api.md', 'api'],
    ['api', 'api/deep.md', 'deep'],
    ['api', '../guide/install', 'install'],
    ['bare', '../../guide/install.md', 'install'],
    ['home', '#own', 'own'],
  ])('on %s resolves %s to %s', (from, href, expected) => {
    expect(idOf(tree, from, href)).toBe(expected);
  });

  test.each([
    'https://example.org/guide',
    'mailto:a@example.org',
    '//example.org/guide',
    '../README.md',
    '../../../etc/passwd',
    '%2e%2e/README.md',
    'missing.md',
    '/pages/missing',
    '/pages/',
    '/files/install',
    'LICENSE',
    '%E0%A4%A',
    '',
    '#',
    '?x',
    '__proto__',
  ])('does not resolve %s', (href) => {
    expect(resolveHref(tree, 'home', href)).toBeUndefined();
  });

  test('resolves a ref of an entry that the batch inserts', () => {
    expect(resolveHref(tree, 'home', './pic', new Map([['pic', 'uploaded']]))).toEqual({
      kind: 'file',
      file: 'uploaded',
    });
    expect(resolveHref(tree, 'home', './pic')).toBeUndefined();
  });

  test('resolves pages in a subfolder', () => {
    const inside = buildTree([
      { id: FOLDER_ID, kind: 'folder', root: 'docs/' },
      page('home', { source: { path: 'docs/README.md' } }),
      page('new', { slug: 'new' }),
    ]);
    expect(
      ['README.md', '/README.md', '/docs/README.md', 'new.md', '/new', '/pages/new'].map((href) =>
        idOf(inside, 'home', href),
      ),
    ).toEqual(['home', 'home', 'home', 'new', 'new', 'new']);
  });
});

const HREFS = [
  'guide/install.md#a',
  './guide/install.md',
  '/guide/install.md',
  'guide/install',
  '/pages/guide/install?x#y',
  '/pages/guide/install.md',
  '/pages/install',
  '/files/uploaded',
  '.gitbook/assets/logo%201.png',
  'https://example.org',
  'missing.md',
];
const BODY = `${HREFS.map((href) => `[x](${href})`).join('\n')}\n\n<a href="guide/install.md">y</a>\n`;

const read = (tree: Tree, from: string, table: ReturnType<typeof linkTable>) =>
  hrefsOf(rewriteHrefs(BODY, hrefReplacements(hrefsOf(BODY), movedHrefs(tree, from, table)))).map(
    ({ href }) => href,
  );

describe('a link table', () => {
  const table = linkTable(tree, 'home', hrefsOf(BODY));

  test('contains the hrefs that resolve to an entry', () => {
    expect(Object.keys(table)).toEqual([...HREFS.slice(0, 9), 'guide/install.md']);
    expect(table['guide/install.md#a']).toEqual({ kind: 'anchor', anchor: 'a', page: 'install' });
    expect(new Set(Object.values(table).map(targetOf))).toEqual(new Set(['install', 'uploaded', 'logo']));
  });

  test('changes nothing while nothing has moved', () => {
    expect(movedHrefs(tree, 'home', table).size).toBe(0);
    expect(read(after({ operation: 'update_page', page: 'install', title: 'New' }), 'home', table)).toEqual([
      ...HREFS,
      'guide/install.md',
    ]);
  });

  test('rewrites an href to a moved page in its previous form', () => {
    const moved = after({ operation: 'update_page', page: 'install', into: 'grp', slug: 'set-up' });
    expect(read(moved, 'home', table)).toEqual([
      'extras/set-up.md#a',
      './extras/set-up.md',
      '/extras/set-up.md',
      'extras/set-up',
      '/pages/extras/set-up?x#y',
      '/pages/extras/set-up.md',
      ...HREFS.slice(6),
      'extras/set-up.md',
    ]);
  });

  test('rewrites an href to the file of a renamed home page, though it leads to the home page still', () => {
    const hrefs = ['../README.md', '../README.md#a', '/README.md', '..', '../'].map((href) => ({ href }));
    const table = linkTable(tree, 'install', hrefs);
    const renamed = after({ operation: 'update_page', page: 'home', slug: 'start' });
    expect(Object.fromEntries(movedHrefs(renamed, 'install', table))).toEqual({
      '../README.md': '../start.md',
      '../README.md#a': '../start.md#a',
      '/README.md': '/start.md',
    });
    const back = applied(renamed, { operation: 'update_page', page: 'home', slug: 'readme' });
    expect(Object.fromEntries(movedHrefs(back, 'install', table))).toEqual({
      '../README.md': '../readme.md',
      '../README.md#a': '../readme.md#a',
      '/README.md': '/readme.md',
    });
    const imported = buildTree([
      page('intro', { source: { path: 'intro.md' } }),
      page('x', { position: 'b' }),
    ]);
    const loose = linkTable(imported, 'x', [{ href: 'README.md' }]);
    expect(targetOf(loose['README.md'] as never)).toBe('intro');
    expect(movedHrefs(imported, 'x', loose).size).toBe(0);
  });

  test('updates relative links when the page itself moves', () => {
    const moved = after({ operation: 'move_page', page: 'home', into: 'grp' });
    expect(read(moved, 'home', table)).toEqual([
      '../guide/install.md#a',
      '../guide/install.md',
      '/guide/install.md',
      '../guide/install',
      ...HREFS.slice(4, 8),
      '../.gitbook/assets/logo%201.png',
      ...HREFS.slice(9),
      '../guide/install.md',
    ]);
  });

  test('keeps the form of a link to a folder, with or without its slash', () => {
    const folders = ['guide/', './guide/', '/guide/', 'guide', 'guide/#a'].map((href) => ({ href }));
    const table = linkTable(tree, 'home', folders);
    const inGroup = after({ operation: 'move_page', page: 'home', into: 'grp' });
    expect([...movedHrefs(inGroup, 'home', table).values()]).toEqual([
      '../guide/',
      '../guide/',
      '../guide',
      '../guide/#a',
    ]);
    const renamed = after({ operation: 'update_page', page: 'guide', slug: 'manual' });
    expect([...movedHrefs(renamed, 'home', table).values()]).toEqual([
      'manual/',
      './manual/',
      '/manual/',
      'manual',
      'manual/#a',
    ]);
    const top = linkTable(tree, 'install', [{ href: '../' }, { href: '..' }, { href: '/' }]);
    const lower = after({ operation: 'move_page', page: 'install', into: 'deep' });
    expect([...movedHrefs(lower, 'install', top)]).toEqual([
      ['../', '../../../'],
      ['..', '../../..'],
    ]);
  });

  test('follows files that are not in the space, which do not become targets', () => {
    const table = linkTable(tree, 'home', [{ href: 'LICENSE' }, { href: './LICENSE?x#a' }]);
    const moved = after({ operation: 'move_page', page: 'home', into: 'grp' });
    expect([...movedHrefs(moved, 'home', table).values()]).toEqual(['../LICENSE', '../LICENSE?x#a']);
    expect(resolverOf(tree, 'home', table)({ href: 'LICENSE' })).toBeUndefined();
    expect(resolveHref(tree, 'home', 'LICENSE')).toBeUndefined();
  });

  test('leaves an href to a deleted page, even if another page has its path', () => {
    const deleted = after({ operation: 'delete_page', page: 'install' });
    expect(read(deleted, 'home', table)).toEqual([...HREFS, 'guide/install.md']);
    const replaced = after(
      { operation: 'delete_page', page: 'install' },
      { operation: 'insert_page', id: 'new', title: 'Install', document: 'h', into: 'guide' },
    );
    expect(read(replaced, 'home', table)).toEqual([...HREFS, 'guide/install.md']);
    const resolve = resolverOf(replaced, 'home', table);
    expect(resolve({ href: 'guide/install.md' })).toEqual({ kind: 'page', page: 'new' });
    expect(resolve({ href: '/pages/install' })).toBeUndefined();
  });

  test('keeps the target when another page takes its path', () => {
    const swapped = after(
      { operation: 'update_page', page: 'install', slug: 'old' },
      { operation: 'insert_page', id: 'new', title: 'Install', document: 'h', into: 'guide' },
    );
    expect(resolverOf(swapped, 'home', table)({ href: 'guide/install.md' })).toEqual({
      kind: 'page',
      page: 'install',
    });
    expect(movedHrefs(swapped, 'home', table).get('guide/install.md')).toBe('guide/old.md');
  });

  test('resolves refs of a batch', () => {
    const refs = new Map([
      ['pic', 'uploaded'],
      ['here', 'logo'],
    ]);
    const table = linkTable(tree, 'install', [{ href: './pic' }, { href: './here' }], refs);
    expect([...movedHrefs(tree, 'install', table)]).toEqual([
      ['./pic', '/files/uploaded'],
      ['./here', '../.gitbook/assets/logo%201.png'],
    ]);
  });

  test('is used by parseDocument', () => {
    const { nodes } = parseDocument('[x](guide/install.md)', { resolve: resolverOf(tree, 'home', table) });
    expect(JSON.stringify(nodes)).toContain('"ref":{"kind":"page","page":"install"}');
  });
});

describe('after any move', () => {
  const ids = ['home', 'guide', 'install', 'spaced', 'api', 'deep'];
  const move = fc.record({
    page: fc.constantFrom(...ids),
    into: fc.constantFrom(null, 'grp', ...ids),
    slug: fc.option(fc.constantFrom('x', 'install', 'readme', 'Ünder Wegs', 'v1.2'), { nil: undefined }),
  });

  test('every link has the same target', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 6 }), fc.constantFrom(...ids), (moves, from) => {
        const all = currentSpellings(from).filter(({ href }) => resolveHref(tree, from, href) !== undefined);
        const table = linkTable(tree, from, all);
        let current = tree;
        for (const { page, into, slug } of moves) {
          const fields = slug === undefined ? {} : { slug };
          const result = applyChanges(current, [{ operation: 'update_page', page, into, ...fields }], 1);
          if (result.ok) current = result.tree;
        }
        const moved = movedHrefs(current, from, table);
        for (const [href, ref] of Object.entries(table)) {
          expect(resolveHref(current, from, moved.get(href) ?? href)).toEqual(ref);
        }
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  test('no href throws', () => {
    const part = fc.constantFrom(
      '/',
      '..',
      '.',
      '%',
      '%20',
      'guide',
      'pages',
      'files',
      '.md',
      'README.md',
      '#',
      '?',
      ':',
      'x',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.string({ unit: 'binary' }), (parts, text) => {
        for (const href of [parts.join(''), text]) {
          const table = linkTable(tree, 'install', [{ href }]);
          expect(movedHrefs(tree, 'install', table).size).toBe(0);
        }
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});

/** Spellings of links on a page, not all of which resolve from it. */
const currentSpellings = (from: string): { href: string }[] =>
  [
    ...HREFS,
    '../guide/install.md#a',
    'install.md',
    './install',
    '../README.md',
    '../../README.md',
    '../guide/',
    'Two%20Words%20%281%29.md',
    '/guide/Two%20Words%20%281%29.md',
    '/pages/extras',
    '/extras/api.md',
    'api.md',
    'api/deep.md',
    '/.gitbook/includes/i.md',
    '/reusable-content/bare',
    `${from}.md`,
  ].map((href) => ({ href }));

test('a link to a folder resolves to its page, even if an unlisted file has the same name', () => {
  const withUnlistedFile = buildTree([...RECORDS, file('old', 'guide.md', { unlisted: true })]);
  for (const href of ['guide/', 'guide', '/guide/', './guide/#a'])
    expect([href, idOf(withUnlistedFile, 'home', href)?.split(' ').at(-1)]).toEqual([href, 'guide']);
  expect(idOf(withUnlistedFile, 'home', 'guide.md')).toBeUndefined();
  // If both are pages, the slash decides.
  const both = buildTree([...RECORDS, page('other', { source: { path: 'guide.md' } })]);
  expect([idOf(both, 'home', 'guide/'), idOf(both, 'home', 'guide')]).toEqual(['guide', 'other']);
});
