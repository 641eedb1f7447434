import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyChanges, buildTree, type Change, type ContentRecord, type Tree } from '../../tree/index.ts';
import { diffRecords, type SemanticChange } from './diff-records.ts';

const insert = (id: string, over: object = {}): Change =>
  ({ operation: 'insert_page', id, title: id, document: `hash-${id}`, ...over }) as Change;

function after(tree: Tree, ...changes: Change[]): Tree {
  const result = applyChanges(tree, changes, 1);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.tree;
}

const tree = after(
  buildTree([]),
  insert('g', { type: 'group', document: undefined }),
  insert('a', { into: 'g' }),
  insert('b', { into: 'g' }),
  insert('c', { into: 'g' }),
  insert('l', { type: 'link', document: undefined, target: { kind: 'url', url: 'https://x.org' } }),
  {
    operation: 'insert_files',
    files: [{ id: 'f', name: 'f.png', contentType: 'image/png', size: 1, hash: 'h' }],
  },
  { operation: 'set_variables', variables: { one: 1, two: 2 } },
  { operation: 'insert_reusable_content', id: 'rc', title: 'Note', document: 'h' },
);

const short = (change: SemanticChange): string => {
  if ('page' in change) return `${change.type} ${change.page.path ?? change.page.id}`;
  if ('file' in change) return `${change.type} ${change.file.id}`;
  return 'reusableContent' in change ? `${change.type} ${change.reusableContent.id}` : change.type;
};

describe('the difference of two revisions', () => {
  test('lists created, edited, moved and deleted entries', () => {
    const now = after(
      tree,
      insert('new', { into: 'g' }),
      {
        operation: 'update_page',
        page: 'a',
        title: 'A',
        document: 'other',
        layout: { outline: false },
        hidden: true,
      },
      { operation: 'move_page', page: 'b', into: null },
      { operation: 'delete_page', page: 'c' },
      { operation: 'update_page', page: 'l', target: { kind: 'page', page: 'a' } },
      { operation: 'delete_file', file: 'f' },
      { operation: 'set_variables', variables: { one: null, two: 3, three: true } },
      { operation: 'update_reusable_content', reusableContent: 'rc', document: 'h2' },
    );
    const changes = diffRecords(tree, now);
    expect(changes.map(short)).toEqual([
      'page_moved b',
      'page_edited g/a',
      'page_deleted g/c',
      'page_created g/new',
      'page_edited l',
      'file_deleted f',
      'variables_edited',
      'reusable_content_edited rc',
    ]);
    expect(changes[0]).toEqual({
      type: 'page_moved',
      page: { id: 'b', type: 'document', title: 'b', path: 'b' },
      parent: { before: { id: 'g', type: 'group', title: 'g', path: 'g' } },
    });
    expect(changes[1]).toMatchObject({
      attributes: {
        title: { before: 'a', after: 'A' },
        document: { before: 'hash-a', after: 'other' },
        layout: { before: { outline: true }, after: { outline: false, width: 'default' } },
        hidden: { after: true },
      },
    });
    expect(changes.at(-2)).toEqual({
      type: 'variables_edited',
      variables: { one: { before: 1 }, three: { after: true }, two: { before: 2, after: 3 } },
    });
    expect(diffRecords(now, tree)).toHaveLength(8);
    expect(diffRecords(tree, tree)).toEqual([]);
  });

  test('lists as few moved pages as possible, and none for new keys alone', () => {
    const moved = after(tree, { operation: 'move_page', page: 'a', at: 2 });
    expect(diffRecords(tree, moved).map(short)).toEqual(['page_moved g/a']);
    const respread = buildTree(
      [...tree.records.values()].map((record): ContentRecord =>
        record.kind === 'page' ? { ...record, position: `b0${record.position}V` } : record,
      ),
    );
    expect(diffRecords(tree, respread)).toEqual([]);
  });

  test('ignores unlisted files, and treats a page of another type as another page', () => {
    const unlisted = [...tree.records.values()].map((record): ContentRecord => {
      if (record.kind === 'file') return { ...record, unlisted: true };
      return record.id === 'l'
        ? { id: 'l', kind: 'page', type: 'document', title: 'l', slug: 'l', position: 'a1', document: 'h' }
        : record;
    });
    expect(diffRecords(tree, buildTree(unlisted)).map(short)).toEqual([
      'page_deleted l',
      'page_created l',
      'file_deleted f',
    ]);
  });

  test('reports every change, and nothing else', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'g', 'l');
    const change: fc.Arbitrary<Change> = fc.oneof(
      fc.tuple(id, fc.nat({ max: 3 })).map(([page, at]): Change => ({ operation: 'move_page', page, at })),
      fc
        .tuple(id, fc.constantFrom('a', 'x'))
        .map(([page, title]): Change => ({ operation: 'update_page', page, title })),
      id.map((page): Change => ({ operation: 'delete_page', page })),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
        let now = tree;
        for (const one of changes) {
          const result = applyChanges(now, [one], 1);
          if (result.ok) now = result.tree;
        }
        const found = diffRecords(tree, now);
        const shapes = (tree: Tree) =>
          JSON.stringify(
            [...tree.children]
              .toSorted()
              .map(([parent, ids]) => [
                parent,
                ids,
                ids.map((id) => (tree.records.get(id) as { title: string }).title),
              ]),
          );
        expect(found.length > 0).toBe(shapes(tree) !== shapes(now));
      }),
      { numRuns: 300 },
    );
  });
});
