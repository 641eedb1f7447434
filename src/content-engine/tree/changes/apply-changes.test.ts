import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyChanges,
  buildTree,
  childrenOf,
  deriveTree,
  descendantsOf,
  findFile,
  findPage,
  findReusableContent,
  parentOf,
  pathOf,
  variablesOf,
  walkPages,
  type Applied,
  type Change,
  type DocumentPage,
  type PageRecord,
  type Tree,
} from '../index.ts';

const NOW = 1_800_000_000_000;
const insert = (id: string, over: Partial<Extract<Change, { operation: 'insert_page' }>> = {}): Change => ({
  operation: 'insert_page',
  id,
  title: id,
  document: `hash-${id}`,
  ...over,
});

function apply(tree: Tree, ...changes: Change[]): Applied {
  const result = applyChanges(tree, changes, NOW);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result;
}

function errorsOf(tree: Tree, ...changes: Change[]): string[] {
  const result = applyChanges(tree, changes, NOW);
  return result.ok ? [] : result.errors.map(({ index, code }) => `${index} ${code}`);
}

const empty = buildTree([]);
const { tree } = apply(
  empty,
  insert('readme'),
  insert('guides', { type: 'group', document: undefined }),
  insert('start', { into: 'guides' }),
  insert('deep', { into: 'start' }),
  insert('out', {
    type: 'link',
    document: undefined,
    target: { kind: 'url', url: 'https://x.org' },
    into: 'guides',
  }),
  insert('last'),
);
const outline = (tree: Tree) => [...walkPages(tree)].map(({ page, depth }) => `${depth} ${page.id}`);

describe('a batch of changes', () => {
  test('inserts pages in order, nested, with the given fields', () => {
    expect(outline(tree)).toEqual(['1 readme', '1 guides', '2 start', '3 deep', '2 out', '1 last']);
    const { changed, outcomes } = apply(
      tree,
      insert('new', {
        title: 'New page!',
        into: 'guides',
        at: 1,
        emoji: '1f600',
        hidden: true,
        noIndex: false,
        layout: { width: 'wide', title: true },
        variables: { a: 1 },
        tags: ['x', 'x', 'y'],
        cover: { yPos: 0 },
        ref: 'r1',
      }),
      insert('below', { into: 'r1' }),
    );
    expect(changed.get('new')).toEqual({
      id: 'new',
      kind: 'page',
      type: 'document',
      title: 'New page!',
      slug: 'new-page',
      parent: 'guides',
      position: 'a0V',
      emoji: '1f600',
      hidden: true,
      layout: { width: 'wide' },
      variables: { a: 1 },
      tags: ['x', 'y'],
      cover: { yPos: 0 },
      document: 'hash-new',
      createdAt: NOW,
      updatedAt: NOW,
    });
    expect((changed.get('below') as PageRecord).parent).toBe('new');
    expect(outcomes).toEqual([
      { index: 0, did: 'created', kind: 'page', id: 'new', ref: 'r1' },
      { index: 1, did: 'created', kind: 'page', id: 'below' },
    ]);
  });

  test('updates the given fields, and removes those that are null', () => {
    const first = apply(tree, {
      operation: 'update_page',
      page: 'start',
      icon: 'star',
      description: 'Hello',
    });
    expect(first.changed.get('start')).toMatchObject({
      icon: 'star',
      description: 'Hello',
      slug: 'start',
      updatedAt: NOW,
    });
    const second = apply(first.tree, {
      operation: 'update_page',
      page: 'start',
      icon: null,
      description: '',
      title: 'Begin',
    });
    const page = second.changed.get('start') as DocumentPage;
    expect(page.title).toBe('Begin');
    expect(page.slug, 'a slug is stable').toBe('start');
    expect(Object.keys(page)).not.toContain('icon');
    expect(Object.keys(page)).not.toContain('description');
  });

  test('removes the links of a document that is replaced', () => {
    const links = { 'a.md': { kind: 'page', page: 'last' } } as const;
    const linked = apply(tree, { operation: 'update_page', page: 'start', document: 'one', links }).tree;
    expect(findPage(linked, 'start')).toMatchObject({ document: 'one', links });
    const renamed = apply(linked, { operation: 'update_page', page: 'start', title: 'Other' }).tree;
    expect(findPage(renamed, 'start')).toMatchObject({ links });
    const replaced = apply(linked, { operation: 'update_page', page: 'start', document: 'two' }).tree;
    expect(Object.keys(findPage(replaced, 'start') ?? {})).not.toContain('links');
  });

  test('writes nothing for unchanged records', () => {
    const same = apply(tree, {
      operation: 'update_page',
      page: 'start',
      title: 'start',
      hidden: false,
      into: 'guides',
      at: 0,
    });
    expect(same.changed.size).toBe(0);
    expect(same.tree).toBe(tree);
    expect(apply(tree, insert('x'), { operation: 'delete_page', page: 'x' }).changed.size).toBe(0);
    expect(apply(tree, { operation: 'set_variables', variables: { a: null } }).changed.size).toBe(0);
  });

  test('moves a page with its descendants, and changes only its own record', () => {
    const moved = apply(tree, { operation: 'move_page', page: 'start', into: null, at: 0 });
    expect(outline(moved.tree)).toEqual(['1 start', '2 deep', '1 readme', '1 guides', '2 out', '1 last']);
    expect([...moved.changed.keys()]).toEqual(['start']);
    expect(pathOf(moved.tree, 'deep')).toBe('start/deep');
    const ordered = apply(tree, { operation: 'update_page', page: 'last', at: 1 });
    expect(childrenOf(ordered.tree)).toEqual(['readme', 'last', 'guides']);
    const far = apply(tree, { operation: 'move_page', page: 'readme', at: 99 });
    expect(childrenOf(far.tree)).toEqual(['guides', 'last', 'readme']);
  });

  test('deletes a page with its descendants', () => {
    const { changed, tree: after } = apply(tree, { operation: 'delete_page', page: 'guides' });
    expect([...changed]).toEqual([
      ['guides', null],
      ['start', null],
      ['deep', null],
      ['out', null],
    ]);
    expect(outline(after)).toEqual(['1 readme', '1 last']);
  });

  test('makes the slug of a page unique at its new position', () => {
    const { tree: withDuplicates } = apply(
      tree,
      insert('a', { title: 'Start' }),
      insert('b', { title: 'Start', into: 'guides' }),
    );
    expect(pathOf(withDuplicates, 'a')).toBe('start');
    expect(pathOf(withDuplicates, 'b')).toBe('guides/start-1');
    const { tree: moved } = apply(withDuplicates, { operation: 'move_page', page: 'a', into: 'guides' });
    expect(pathOf(moved, 'a')).toBe('guides/start-2');
    expect(pathOf(moved, 'start')).toBe('guides/start');
    expect(
      pathOf(
        apply(withDuplicates, { operation: 'update_page', page: 'b', title: 'Other', slug: '' }).tree,
        'b',
      ),
    ).toBe('guides/other');
    expect(pathOf(apply(tree, insert('c', { title: 'robots.txt' })).tree, 'c')).toBe('robots-txt');
    expect(pathOf(apply(tree, insert('c', { title: '🚀' })).tree, 'c')).toBe('page');
  });

  test('rekeys neighbours with equal positions', () => {
    const records = [...tree.records.values()].map((record) =>
      record.kind === 'page' ? { ...record, position: 'a0' } : record,
    );
    const tied = buildTree(records);
    expect(childrenOf(tied)).toEqual(['guides', 'last', 'readme']);
    const { tree: after } = apply(tied, insert('between', { at: 1 }));
    expect(childrenOf(after)).toEqual(['guides', 'between', 'last', 'readme']);
  });

  test('handles files, reusable contents and variables', () => {
    const result = apply(
      tree,
      {
        operation: 'insert_files',
        files: [
          {
            id: 'f1',
            name: 'a.png',
            contentType: 'image/png',
            size: 3,
            hash: 'h1',
            dimensions: { width: 1, height: 2 },
            ref: 'pic',
          },
          { id: 'f2', name: 'b.png', contentType: 'image/png', size: 3, hash: 'h2' },
        ],
      },
      { operation: 'insert_reusable_content', id: 'rc', title: 'Note', document: 'h3' },
      { operation: 'update_reusable_content', reusableContent: 'rc', title: 'Notice' },
      { operation: 'set_variables', variables: { version: '2', beta: true } },
      { operation: 'set_variables', variables: { beta: null, seats: 5 } },
      { operation: 'delete_file', file: 'f2' },
    );
    expect(findFile(result.tree, 'f1')).toEqual({
      id: 'f1',
      kind: 'file',
      name: 'a.png',
      contentType: 'image/png',
      size: 3,
      hash: 'h1',
      dimensions: { width: 1, height: 2 },
    });
    expect(result.tree.files).toEqual(['f1']);
    expect(findReusableContent(result.tree, 'rc')).toEqual({
      id: 'rc',
      kind: 'reusable-content',
      title: 'Notice',
      document: 'h3',
    });
    expect(variablesOf(result.tree)).toEqual({ version: '2', seats: 5 });
    expect(result.outcomes.filter(({ index }) => index === 0)).toEqual([
      { index: 0, did: 'created', kind: 'file', id: 'f1', ref: 'pic' },
      { index: 0, did: 'created', kind: 'file', id: 'f2' },
    ]);
    const removed = apply(result.tree, { operation: 'delete_reusable_content', reusableContent: 'rc' });
    expect(removed.tree.reusableContents).toEqual([]);
  });

  test('reverts a moved page to its earlier version', () => {
    const original = findPage(tree, 'start') as PageRecord;
    const edited = apply(tree, {
      operation: 'update_page',
      page: 'start',
      title: 'Changed',
      slug: 'changed',
      into: null,
    }).tree;
    const reverted = apply(edited, { operation: 'revert_page', page: 'start', to: original });
    expect(reverted.changed.get('start')).toEqual(original);
    const deleted = apply(tree, { operation: 'delete_page', page: 'start' }).tree;
    expect(
      apply(deleted, { operation: 'revert_page', page: 'start', to: original }).changed.get('start'),
    ).toEqual(original);
    const parentless = apply(tree, { operation: 'delete_page', page: 'guides' }).tree;
    const root = apply(parentless, { operation: 'revert_page', page: 'start', to: original });
    expect(parentOf(root.tree, 'start')).toBeUndefined();
    expect(childrenOf(root.tree)).toEqual(['readme', 'last', 'start']);
    expect(apply(tree, { operation: 'revert_page', page: 'deep', to: undefined }).changed).toEqual(
      new Map([['deep', null]]),
    );
    const occupied = apply(edited, insert('other', { title: 'start', into: 'guides' })).tree;
    expect(
      pathOf(apply(occupied, { operation: 'revert_page', page: 'start', to: original }).tree, 'start'),
    ).toBe('guides/start-1');
  });
});

describe('an invalid batch', () => {
  const chain = Array.from({ length: 32 }, (_, i) => insert(`c${i}`, i === 0 ? {} : { into: `c${i - 1}` }));

  test.each<[string, Change[], string[]]>([
    ['unknown page', [{ operation: 'update_page', page: 'nobody' }], ['0 unknown_page']],
    ['unknown page to delete', [{ operation: 'delete_page', page: 'nobody' }], ['0 unknown_page']],
    ['unknown parent', [insert('x', { into: 'nobody' })], ['0 unknown_parent']],
    ['below itself', [{ operation: 'move_page', page: 'start', into: 'start' }], ['0 own_descendant']],
    ['below a descendant', [{ operation: 'move_page', page: 'start', into: 'deep' }], ['0 own_descendant']],
    [
      'group below root',
      [insert('g', { type: 'group', document: undefined, into: 'start' })],
      ['0 group_below_root'],
    ],
    ['group moved', [{ operation: 'move_page', page: 'guides', into: 'readme' }], ['0 group_below_root']],
    ['below a link', [insert('x', { into: 'out' })], ['0 parent_holds_no_pages']],
    ['too deep', [...chain, insert('x', { into: 'c31' })], ['32 too_deep']],
    [
      'too deep by a move',
      [...chain, { operation: 'move_page', page: 'start', into: 'c30' }],
      ['32 too_deep'],
    ],
    ['taken id', [insert('start')], ['0 id_taken']],
    ['one id twice', [insert('x'), insert('x')], ['1 id_taken']],
    [
      'bad id',
      [insert('a b'), insert(''), insert('~variables'), insert('a'.repeat(41))],
      ['0 invalid_id', '1 invalid_id', '2 invalid_id', '3 invalid_id'],
    ],
    [
      'taken ref',
      [insert('x', { ref: 'r' }), insert('y', { ref: 'r' }), insert('z', { ref: 'start' })],
      ['1 ref_taken', '2 ref_taken'],
    ],
    [
      'empty title',
      [insert('x', { title: '' }), insert('y', { title: '\u0000\u200b' })],
      ['0 invalid_field', '1 invalid_field'],
    ],
    [
      'bad slug',
      [insert('x', { slug: 'a\u202eb' }), insert('y', { slug: 'a/b' })],
      ['0 invalid_field', '1 invalid_field'],
    ],
    [
      'field of another type',
      [insert('x', { type: 'group' }), { operation: 'update_page', page: 'out', description: 'x' }],
      ['0 invalid_field', '1 invalid_field'],
    ],
    [
      'no document',
      [insert('x', { document: undefined }), insert('y', { type: 'link', document: undefined })],
      ['0 missing_field', '1 missing_field'],
    ],
    [
      'bad variable',
      [
        { operation: 'set_variables', variables: { a: Number.NaN } },
        { operation: 'set_variables', variables: { constructor: 1 } as never },
        { operation: 'update_page', page: 'start', variables: { a: 'x'.repeat(257) } },
      ],
      ['0 invalid_field', '1 invalid_field', '2 invalid_field'],
    ],
    [
      'long description',
      [{ operation: 'update_page', page: 'start', description: 'x'.repeat(5000) }],
      ['0 invalid_field'],
    ],
    [
      'bad file name',
      [
        {
          operation: 'insert_files',
          files: [{ id: 'f', name: '../f', contentType: 'x', size: 1, hash: 'h' }],
        },
      ],
      ['0 invalid_field'],
    ],
    [
      'unknown file and reusable content',
      [
        { operation: 'delete_file', file: 'start' },
        { operation: 'delete_reusable_content', reusableContent: 'x' },
      ],
      ['0 unknown_file', '1 unknown_reusable_content'],
    ],
  ])('is refused with the index of each invalid change: %s', (_, changes, errors) => {
    expect(errorsOf(tree, ...changes)).toEqual(errors);
  });

  test('reports an error once, without the changes that depend on it', () => {
    expect(
      errorsOf(
        tree,
        insert('x', { into: 'nobody', ref: 'r' }),
        insert('y', { into: 'r' }),
        { operation: 'delete_page', page: 'x' },
        insert('z', { into: 'none' }),
      ),
    ).toEqual(['0 unknown_parent', '3 unknown_parent']);
  });
});

describe('any batch', () => {
  const id = fc.constantFrom('readme', 'guides', 'start', 'deep', 'out', 'last', 'n1', 'n2', 'n3', 'nobody');
  const place = fc.record(
    { into: fc.option(id), at: fc.option(fc.nat({ max: 8 }), { nil: undefined }) },
    { requiredKeys: [] },
  );
  const title = fc.constantFrom('start', 'Start', 'API', 'x', '中', '');
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc
      .tuple(fc.constantFrom('n1', 'n2', 'n3'), title, place)
      .map(([id, title, place]) => insert(id, { title, ...place })),
    fc
      .tuple(fc.constantFrom('n1', 'n2'), place)
      .map(([id, place]) => insert(id, { type: 'group', document: undefined, ...place })),
    fc.tuple(id, place).map(([page, place]): Change => ({ operation: 'move_page', page, ...place })),
    fc
      .tuple(id, title)
      .map(([page, title]): Change => ({ operation: 'update_page', page, title, slug: title })),
    id.map((page): Change => ({ operation: 'delete_page', page })),
    id.map((page): Change => ({ operation: 'revert_page', page, to: findPage(tree, page) })),
  );

  test('results in a valid tree, and returns exactly the records to write', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        let current = tree;
        for (const change of changes) {
          const result = applyChanges(current, [change], NOW);
          if (!result.ok) continue;
          expect(result.tree.problems.size).toBe(0);
          expect(outline(deriveTree(current, result.changed))).toEqual(outline(result.tree));
          expect(outline(buildTree(result.tree.records.values()))).toEqual(outline(result.tree));
          if (change.operation === 'move_page' && typeof change.into === 'string') {
            expect(descendantsOf(result.tree, change.into)).toContain(change.page);
          }
          current = result.tree;
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the record of a page', () => {
  const update = (fields: object) =>
    applyChanges(tree, [{ operation: 'update_page', page: 'readme', ...fields } as Change], NOW);
  const variables = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, value]));
  const tags = (count: number, letter: string) =>
    Array.from({ length: count }, (_, i) => `${i}`.padEnd(100, letter));

  test.each([
    ['variables', variables(500, 'v'.repeat(20)), variables(64, 'v'.repeat(256))],
    ['variables', variables(500, '値'.repeat(5)), variables(22, '値'.repeat(256))],
    ['tags', tags(100, 't'), tags(60, '値')],
  ])('has %s of limited size', (field, allowed, refused) => {
    expect(update({ [field]: allowed })).toMatchObject({ ok: true });
    expect(update({ [field]: refused })).toMatchObject({
      ok: false,
      errors: [
        { code: 'invalid_field', message: `The ${field} of a page must not exceed 16 kB of JSON`, field },
      ],
    });
  });
});
