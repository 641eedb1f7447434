import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  buildTree,
  childrenOf,
  depthOf,
  deriveTree,
  descendantsOf,
  findByPath,
  findBySource,
  MAX_DEPTH,
  parentOf,
  pathOf,
  pathsIn,
  repairRecords,
  VARIABLES_ID,
  variablesOf,
  walkPages,
  type ContentRecord,
  type PageRecord,
  type Tree,
} from './index.ts';
import { ancestorsOf, findFirstPage } from './lookup.ts';

const page = (id: string, over: object = {}): PageRecord =>
  ({
    id,
    kind: 'page',
    type: 'document',
    title: id,
    slug: id,
    position: 'a0',
    document: 'hash',
    ...over,
  }) as PageRecord;
const group = (id: string, over: object = {}) =>
  ({ id, kind: 'page', type: 'group', title: id, slug: id, position: 'a0', ...over }) as PageRecord;
const link = (id: string, over: object = {}) =>
  ({
    id,
    kind: 'page',
    type: 'link',
    title: id,
    position: 'a0',
    target: { kind: 'url', url: 'https://example.org' },
    ...over,
  }) as PageRecord;
const file = (id: string, over: object = {}) =>
  ({
    id,
    kind: 'file',
    name: id,
    contentType: 'text/plain',
    size: 1,
    hash: 'hash',
    ...over,
  }) as ContentRecord;

/** A tree as plain data. */
const plain = (tree: Tree) => ({
  records: Object.fromEntries([...tree.records].toSorted()),
  children: Object.fromEntries([...tree.children].toSorted()),
  slugs: Object.fromEntries([...tree.slugs].toSorted()),
  sources: Object.fromEntries([...tree.sources].toSorted()),
  foldedSources: Object.fromEntries([...tree.foldedSources].toSorted()),
  files: tree.files,
  size: tree.size,
  reusableContents: tree.reusableContents,
  problems: Object.fromEntries([...tree.problems].toSorted().map(([id, all]) => [id, [...all].toSorted()])),
});

const ids = Array.from({ length: 14 }, (_, i) => `p${i}`);
/** Records with any values: no parent, themselves, each other, a file, one slug for many. */
const anyRecord = fc
  .oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('page') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('file') }) },
  )
  .chain(({ kind }) =>
    fc
      .record({
        id: fc.constantFrom(...ids),
        parent: fc.option(fc.constantFrom(...ids, 'nobody'), { nil: undefined, freq: 2 }),
        type: fc.constantFrom('document', 'document', 'document', 'group', 'link'),
        slug: fc.constantFrom('one', 'One', 'two', 'three', 'four', 'five', 'six'),
        position: fc.constantFrom('a0', 'a1', 'a2'),
        path: fc.option(fc.constantFrom('a.md', 'A.md', 'a.MD', 'b.md', 'B.md'), { nil: undefined, freq: 2 }),
        unlisted: fc.constantFrom(true, undefined),
      })
      .map(({ id, parent, type, slug, position, path, unlisted }): ContentRecord => {
        if (kind === 'file') return file(id, { path, unlisted });
        const place = { position, ...(parent === undefined ? {} : { parent }) };
        if (type === 'group') return group(id, { ...place, slug });
        if (type === 'link') return link(id, place);
        return page(id, { ...place, slug, ...(path === undefined ? {} : { source: { path } }) });
      }),
  );
const anyRecords = fc.uniqueArray(anyRecord, { maxLength: 14, selector: ({ id }) => id });

describe('the tree', () => {
  const tree = buildTree([
    page('readme', { position: 'a0', source: { path: 'README.md' } }),
    group('guides', { position: 'a1' }),
    page('start', { parent: 'guides', position: 'a1', slug: 'Getting-Started' }),
    page('deep', { parent: 'start' }),
    link('out', { parent: 'guides', position: 'a0' }),
    file('logo', { path: '.gitbook/assets/logo.png' }),
    file('licence', { path: 'LICENSE', unlisted: true }),
    { id: VARIABLES_ID, kind: 'variables', values: { version: '2' } },
  ]);

  test('has pages in order, with paths from the root down', () => {
    expect([...walkPages(tree)].map(({ page, depth, path }) => [page.id, depth, path])).toEqual([
      ['readme', 1, 'readme'],
      ['guides', 1, 'guides'],
      ['out', 2, undefined],
      ['start', 2, 'guides/Getting-Started'],
      ['deep', 3, 'guides/Getting-Started/deep'],
    ]);
    expect(pathOf(tree, 'deep')).toBe('guides/Getting-Started/deep');
    expect(pathOf(tree, 'out')).toBeUndefined();
    expect(ancestorsOf(tree, 'deep')).toEqual(['guides', 'start']);
    expect(descendantsOf(tree, 'guides')).toEqual(['out', 'start', 'deep']);
    expect(parentOf(tree, 'readme')).toBeUndefined();
    expect(tree.problems.size).toBe(0);
  });

  test('finds pages by path ignoring case, and the first page by the empty path', () => {
    expect(findByPath(tree, '/GUIDES/getting-started/')?.id).toBe('start');
    expect(findByPath(tree, 'guides')?.id).toBe('guides');
    expect(findByPath(tree, 'guides/out')).toBeUndefined();
    expect(findByPath(tree, 'constructor')).toBeUndefined();
    expect(findByPath(tree, '')?.id).toBe('readme');
    expect(findByPath(tree, 'readme')?.id).toBe('readme');
    expect(findByPath(buildTree([]), '')).toBeUndefined();
    expect(findFirstPage(buildTree([group('g'), page('x', { parent: 'g' })]))?.id).toBe('x');
  });

  test('searches its first page once', () => {
    const links = Array.from({ length: 50 }, (_, i) => link(`l${i}`));
    for (const tree of [buildTree(links), buildTree([...links, page('x', { position: 'b' })])]) {
      const first = findByPath(tree, '');
      const read = vi.spyOn(tree.records, 'get');
      expect(findByPath(tree, '')).toBe(first);
      expect(read).not.toHaveBeenCalled();
    }
  });

  test('has files, variables, and the sources of entries', () => {
    expect(tree.files).toEqual(['logo']);
    expect(findBySource(tree, 'LICENSE')?.id).toBe('licence');
    expect(findBySource(tree, 'README.md')?.id).toBe('readme');
    expect(variablesOf(tree)).toEqual({ version: '2' });
  });

  test('breaks ties of position by id', () => {
    expect(childrenOf(buildTree([page('c'), page('a'), page('b')]))).toEqual(['a', 'b', 'c']);
  });

  test('puts pages with an invalid parent at the root, and reports them', () => {
    const broken = buildTree([
      page('orphan', { parent: 'nobody' }),
      page('self', { parent: 'self' }),
      page('chicken', { parent: 'egg' }),
      page('egg', { parent: 'chicken' }),
      page('chick', { parent: 'egg' }),
      group('inner', { parent: 'orphan' }),
      link('out'),
      page('below', { parent: 'out' }),
      page('twin1', { slug: 'twin' }),
      page('twin2', { slug: 'TWIN' }),
    ]);
    expect(Object.fromEntries(broken.problems)).toEqual({
      orphan: ['parent-missing'],
      self: ['cycle'],
      chicken: ['cycle'],
      egg: ['cycle'],
      inner: ['group-below-root'],
      below: ['parent-holds-no-pages'],
      twin2: ['duplicate-slug'],
    });
    expect(parentOf(broken, 'chick')).toBe('egg');
    expect(findByPath(broken, 'twin')?.id).toBe('twin1');
  });

  test('is at most 32 deep, even if the records are 3,000 deep', () => {
    const chain = Array.from({ length: 3000 }, (_, i) =>
      page(`p${i}`, i === 0 ? {} : { parent: `p${i - 1}` }),
    );
    const tree = buildTree(chain);
    const depths = [...walkPages(tree)].map(({ depth }) => depth);
    expect(depths).toHaveLength(3000);
    expect(Math.max(...depths)).toBe(MAX_DEPTH);
    expect(depthOf(tree, 'p32')).toBe(1);
    const circle = buildTree([...chain, page('p0', { parent: 'p2999' })]);
    expect([...walkPages(circle)]).toHaveLength(3000);
  });

  test('of any records contains every page once, regardless of their order', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const tree = buildTree(records);
        const pages = records.filter(({ kind }) => kind === 'page').map(({ id }) => id);
        const visits = [...walkPages(tree)];
        const paths = pathsIn(tree);
        expect(visits.map(({ page }) => page.id).toSorted()).toEqual(pages.toSorted());
        for (const { page, depth, path, parent } of visits) {
          expect(depth).toBeLessThanOrEqual(MAX_DEPTH);
          expect(depthOf(tree, page.id)).toBe(depth);
          expect(pathOf(tree, page.id)).toBe(path);
          expect(paths.slugsOf(page.id)).toBe(path);
          expect(parentOf(tree, page.id)).toBe(parent);
          if (path !== undefined && tree.problems.size === 0) {
            expect(findByPath(tree, path.toUpperCase())?.id).toBe(page.id);
          }
        }
        expect(plain(buildTree(records.toReversed()))).toEqual(plain(tree));
      }),
      { numRuns: 150 },
    );
  });

  test('derived from another is the tree of the changed records', () => {
    fc.assert(
      fc.property(
        anyRecords,
        fc.boolean(),
        fc.array(fc.tuple(fc.boolean(), anyRecord), { maxLength: 5 }),
        (records, isSound, changes) => {
          const first = buildTree(records);
          const before = isSound ? deriveTree(first, repairRecords(first)) : first;
          const list = changes.map(([isDeleted, record]) => [record.id, isDeleted ? null : record] as const);
          const all = new Map<string, ContentRecord>(before.records);
          for (const [id, record] of list) {
            if (record === null) all.delete(id);
            else all.set(id, record);
          }
          const frozen = plain(before);
          expect(plain(deriveTree(before, list))).toEqual(plain(buildTree(all.values())));
          expect(plain(before)).toEqual(frozen);
        },
      ),
      { numRuns: 700 },
    );
  });

  test('derived by a move that makes it too deep is cut as if it were built', () => {
    const chain = (name: string) =>
      Array.from({ length: 20 }, (_, i) => page(`${name}${i}`, i === 0 ? {} : { parent: `${name}${i - 1}` }));
    const records = [...chain('a'), ...chain('b')];
    const moved = page('b0', { parent: 'a19' });
    const derived = deriveTree(buildTree(records), [['b0', moved]]);
    expect(derived.problems.get('b12')).toEqual(['too-deep']);
    expect(plain(derived)).toEqual(plain(buildTree([...records.filter(({ id }) => id !== 'b0'), moved])));
  });

  test('has the same pages, and no problems, after repairs', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const tree = buildTree(records);
        const repaired = deriveTree(tree, repairRecords(tree));
        expect(Object.fromEntries(repaired.problems)).toEqual({});
        expect([...walkPages(repaired)].map(({ page }) => page.id)).toEqual(
          [...walkPages(tree)].map(({ page }) => page.id),
        );
      }),
      { numRuns: 200 },
    );
  });
});
