import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageRecord as page } from '../../../test/page-record.ts';
import { analyseBody } from '../markdown/index.ts';
import { buildTree, FOLDER_ID, type ContentRecord, type Tree } from '../tree/index.ts';
import {
  baseDirectoryOf,
  currentPaths,
  linkResolver,
  linkTable,
  namesIn,
  outgoingLinks,
  resolveHref,
  targetOf,
  wantedName,
  type LinkTarget,
} from './index.ts';

const file = (id: string, path: string, over: object = {}): ContentRecord => ({
  id,
  kind: 'file',
  name: `${id}.png`,
  contentType: 'image/png',
  size: 1,
  hash: 'h',
  path,
  ...over,
});
const INCLUDE: ContentRecord = {
  id: 'inc',
  kind: 'reusable-content',
  title: 'I',
  document: 'h',
  source: { path: '.gitbook/includes/i.md' },
};
const tree = buildTree([
  page('home', { slug: 'readme', position: 'a', source: { path: 'README.md' } }),
  page('guide', { source: { path: 'guide/README.md' } }),
  page('install', { parent: 'guide', source: { path: 'guide/install.md' } }),
  file('logo', '.gitbook/assets/logo 1.png'),
  file('licence', 'LICENSE', { unlisted: true }),
  INCLUDE,
]);

const targetIn = (from: string, href: string, entry?: { kind: 'page' | 'file'; id: string }) =>
  linkResolver(tree, from)(href, entry)?.target;

describe('the target of an href', () => {
  test.each<[string, LinkTarget]>([
    ['guide/install.md', { kind: 'page', id: 'install' }],
    ['guide/install.md?x=1#a%20b', { kind: 'page', id: 'install', anchor: 'a b' }],
    ['guide/install.md#top', { kind: 'page', id: 'install' }],
    ['guide/install.md#:~:text=x', { kind: 'page', id: 'install' }],
    ['guide#cafe\u0301', { kind: 'page', id: 'guide', anchor: 'caf\u00e9' }],
    ['.gitbook/assets/logo%201.png#page=2', { kind: 'file', id: 'logo' }],
    ['.gitbook/includes/i.md', { kind: 'reusable-content', id: 'inc' }],
    ['#own', { kind: 'page', id: 'home', anchor: 'own' }],
    ['https://example.org/x', { kind: 'url', url: 'https://example.org/x' }],
    ['//example.org', { kind: 'url', url: '//example.org' }],
    ['mailto:a@example.org', { kind: 'url', url: 'mailto:a@example.org' }],
    ['octavo:page/p1?space=s1', { kind: 'page', id: 'p1', space: 's1' }],
    ['octavo:page/p1?space=s1#a%20b', { kind: 'page', id: 'p1', anchor: 'a b', space: 's1' }],
    ['octavo:page/p1?space=s1#', { kind: 'page', id: 'p1', space: 's1' }],
    ['octavo:anchor/a/p1?space=s1', { kind: 'page', id: 'p1', anchor: 'a', space: 's1' }],
    ['octavo:space/s1', { kind: 'space', id: 's1' }],
    ['octavo:user/u1', { kind: 'user', id: 'u1' }],
    ['octavo:collection/c1', { kind: 'collection', id: 'c1' }],
    ['octavo:openapi/pets', { kind: 'openapi', id: 'pets' }],
    ['guide/missing.md?x#y', { kind: 'missing', path: 'guide/missing.md' }],
    ['./guide/../guide/missing.md', { kind: 'missing', path: 'guide/missing.md' }],
    ['guide/a%20b', { kind: 'missing', path: 'guide/a%20b' }],
    ['/pages/gone', { kind: 'missing', path: '/pages/gone' }],
    ['folder/', { kind: 'missing', path: 'folder/' }],
    ['../../out.md', { kind: 'missing', path: '../../out.md' }],
    ['LICENSE', { kind: 'missing', path: 'LICENSE' }],
  ])('%s', (href, expected) => {
    expect(targetIn('home', href)).toEqual(expected);
  });

  test.each(['', '#', '?x', '#top', 'data:image/png;base64,AA', 'JavaScript:alert(1)', 'octavo:tag/x'])(
    '%s is no link',
    (href) => {
      expect(targetIn('home', href)).toBeUndefined();
    },
  );

  test('an identifier that is no id is missing, so that nothing unbounded is stored as one', () => {
    const long = 'x'.repeat(2000);
    for (const kind of ['page', 'space', 'user', 'collection', 'openapi'])
      expect(targetIn('home', `octavo:${kind}/${long}`)?.kind).toBe('missing');
    expect(targetIn('home', `octavo:page/p1?space=${long}`)?.kind).toBe('missing');
  });

  test('the link table decides while its target exists, then the path, then the deleted target', () => {
    const install = { kind: 'page', id: 'install' } as const;
    const gone = { kind: 'page', id: 'gone' } as const;
    expect(targetIn('home', 'elsewhere.md#x', install)).toEqual({ ...install, anchor: 'x' });
    expect(targetIn('home', 'guide/install.md', gone)).toEqual(install);
    expect(targetIn('home', 'elsewhere.md', gone)).toEqual(gone);
    const isLoose = (entry?: typeof gone | typeof install) =>
      linkResolver(tree, 'home')('elsewhere.md', entry)?.isLoose;
    expect([isLoose(install), isLoose(gone), isLoose()]).toEqual([false, true, true]);
  });
});

const linksOf = (tree: Tree, record: ContentRecord, body = '') => {
  const facts = analyseBody(body);
  const table = linkTable(
    tree,
    record.id,
    facts.hrefs.map((href) => ({ href })),
  );
  return outgoingLinks(tree, record, table, facts);
};

describe('the links of a source', () => {
  test('every place of a body that takes an address', () => {
    const body = [
      '[a](guide/install.md) <https://auto.example> ![i](.gitbook/assets/logo%201.png)',
      '[ref]: https://definition.example',
      '[x][ref]',
      '{% embed url="https://embed.example" %}',
      '{% content-ref url="guide/" %}\n[g](guide/)\n{% endcontent-ref %}',
      '{% include ".gitbook/includes/i.md" %}',
      '<a href="https://html.example">h</a>',
      '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>C</td><td><a href="guide/card.md">c</a></td></tr></tbody></table>',
    ].join('\n\n');
    const links = linksOf(tree, page('home', { source: { path: 'README.md' } }), body);
    expect(
      new Set(
        links.map(({ target }) => ('id' in target ? target.id : 'url' in target ? target.url : target.path)),
      ),
    ).toEqual(
      new Set([
        'install',
        'https://auto.example',
        'logo',
        'https://definition.example',
        'https://embed.example',
        'guide',
        'inc',
        'https://html.example',
        'guide/card.md',
      ]),
    );
    expect(links.filter(({ relation }) => relation === 'dependsOn').map(({ target }) => target)).toEqual([
      { kind: 'reusable-content', id: 'inc' },
    ]);
  });

  test('covers, link pages and computed pages come first', () => {
    const covered = page('home', { cover: { ref: { kind: 'file', file: 'logo' }, yPos: 0 } });
    expect(linksOf(tree, covered, '[a](x.md)').map(({ target, ordinal }) => [ordinal, target.kind])).toEqual([
      [-1, 'file'],
      [0, 'missing'],
    ]);
    const base = { id: 'l', kind: 'page', title: 'L', position: 'z' } as const;
    const toPath: ContentRecord = { ...base, type: 'link', target: { kind: 'url', url: 'guide/install.md' } };
    expect(linksOf(tree, toPath)[0]).toMatchObject({
      target: { kind: 'page', id: 'install' },
      isLoose: true,
      wanted: 'install',
    });
    const computed: ContentRecord = {
      ...base,
      type: 'computed',
      computed: {
        type: 'openapi',
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } }, other: 1 },
      },
    };
    expect(linksOf(tree, computed)).toMatchObject([
      { relation: 'dependsOn', target: { kind: 'openapi', id: 'pets' } },
    ]);
  });
});

const SEGMENTS = [
  'a',
  'B',
  'README',
  'readme.md',
  'x.md',
  'x.md.md',
  'pages',
  'docs',
  'a%20b',
  'a b',
  'é',
  'Ｗide',
];
const segment = fc.constantFrom(...SEGMENTS);
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const slug = fc.constantFrom('a', 'b', 'readme', 'x.md', 'pages', 'docs', 'é', 'wide');

const records = fc
  .tuple(
    fc.array(fc.record({ slug, source: fc.option(path), parent: fc.nat(8) }), { minLength: 1, maxLength: 8 }),
    fc.array(path, { maxLength: 4 }),
    fc.constantFrom('', 'docs/', 'a/b/'),
  )
  .map(([pages, files, root]): ContentRecord[] => [
    { id: FOLDER_ID, kind: 'folder', ...(root === '' ? {} : { root }) },
    ...pages.map(({ slug, source, parent }, index) =>
      page(`p${index}`, {
        slug,
        ...(parent < index ? { parent: `p${parent}` } : {}),
        ...(source === null ? {} : { source: { path: `${root}${source}.md` } }),
      }),
    ),
    ...files.map((each, index) => file(`f${index}`, each)),
  ]);
const href = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '/', './', '../', '/pages/', '/files/'),
      fc.option(path, { nil: '' }),
      fc.constantFrom('', '.md', '/', '/README.md', '/..', '/.'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('/pages/p1', '/files/f0', '/pages/p0.md', '..', '.', '/'),
);

test('whatever an href leads to has the name that the href asks for', () => {
  fc.assert(
    fc.property(records, href, fc.nat(7), (all, href, from) => {
      const tree = buildTree(all);
      const source = `p${from}`;
      const ref = resolveHref(tree, source, href);
      const id = ref && targetOf(ref);
      if (id === undefined) return;
      const dir = baseDirectoryOf(currentPaths(tree), source);
      expect(namesIn(tree)(id)).toContain(wantedName(dir, href));
    }),
    { numRuns: 5000 },
  );
});
