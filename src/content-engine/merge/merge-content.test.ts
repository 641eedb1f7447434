import { describe, expect, test } from 'vitest';
import { apply, build, hashOf, type Load } from '../map/index.ts';
import {
  applyChanges,
  buildTree,
  FOLDER_ID,
  inline,
  pathOf,
  VARIABLES_ID,
  type Change,
  type DocumentPage,
  type FolderRecord,
  type PageRecord,
  type Tree,
} from '../tree/index.ts';
import {
  mergeContent,
  rebaseConflicts,
  resolveConflict,
  subjectOf,
  updateOpenConflict,
  type Conflict,
  type Resolved,
} from './index.ts';
import type { RebasedConflict } from './conflicts/rebase-conflicts.ts';

const carryConflict = async (
  load: Load,
  conflict: Conflict,
  before: Tree,
  after: Tree,
): Promise<RebasedConflict> =>
  ((await rebaseConflicts(load, [conflict], before, after)) as [RebasedConflict])[0];

async function isResolvedBy(load: Load, conflict: Conflict, before: Tree, after: Tree): Promise<boolean> {
  const { conflict: remaining, isEdited } = await carryConflict(load, conflict, before, after);
  return isEdited || remaining === undefined;
}

const NOW = 1_800_000_000_000;

/** Objects by hash, like a store. */
const store = new Map<string, Uint8Array>();
const storeText = (text: string): string => {
  store.set(hashOf(text), Buffer.from(text));
  return hashOf(text);
};
const load: Load = async (hashes) => hashes.map((hash) => store.get(hash));
const textOf = (hash: string | undefined) => Buffer.from(store.get(hash ?? '') ?? '').toString();

function rootOf(tree: Tree): string {
  const { root, nodes } = build(tree.records.values());
  for (const [hash, bytes] of nodes) store.set(hash, bytes);
  return root;
}

const page = (id: string, over: object = {}): PageRecord =>
  ({
    id,
    kind: 'page',
    type: 'document',
    title: id,
    slug: id,
    position: `a${id.slice(-1)}`,
    document: storeText(`Text of ${id}.\n`),
    ...over,
  }) as PageRecord;

function edited(tree: Tree, ...changes: Change[]): Tree {
  const applied = applyChanges(tree, changes, NOW + 1000);
  if (!applied.ok) throw new Error(JSON.stringify(applied.errors));
  return applied.tree;
}

/** Merges, and checks the invariants of every merge. */
async function merge(ancestor: Tree, primary: Tree, proposed: Tree) {
  const sides = { ancestor: rootOf(ancestor), primary: rootOf(primary), proposed: rootOf(proposed) };
  const merged = await mergeContent(load, sides, primary);
  for (const [hash, text] of merged.texts) expect(storeText(text)).toBe(hash);
  const { root } = await apply(load, sides.primary, merged.changed);
  expect(root).toBe(rootOf(merged.tree));
  expect(merged.tree.problems).toEqual(new Map());
  return merged;
}

const recordOf = (tree: Tree, id: string) => tree.records.get(id) as DocumentPage | undefined;
const base = buildTree([
  page('p1', { title: 'One', description: 'First', layout: { width: 'wide' }, tags: ['x', 'y'] }),
  page('p2', { parent: 'p1', document: storeText('one two\n\nthree four\n') }),
  page('p3', { parent: 'p1' }),
  page('p4'),
  { id: 'f1', kind: 'file', name: 'a.png', contentType: 'image/png', size: 1, hash: 'h1' },
  { id: VARIABLES_ID, kind: 'variables', values: { a: 1, b: 2 } },
]);
const change = (id: string, fields: object): Change => ({ operation: 'update_page', page: id, ...fields });

describe('a merge', () => {
  test('takes changed fields of both sides', async () => {
    const primary = edited(
      base,
      change('p1', { title: 'Uno', layout: { cover: false }, tags: ['x', 'y', 'p'] }),
    );
    const proposed = edited(
      base,
      change('p1', { emoji: '1f600', layout: { title: false }, tags: ['y', 'q'] }),
    );
    const { tree, conflicts } = await merge(base, primary, proposed);
    expect(conflicts).toEqual([]);
    expect(recordOf(tree, 'p1')).toMatchObject({
      title: 'Uno',
      emoji: '1f600',
      layout: { width: 'wide', cover: false, title: false },
      tags: ['y', 'p', 'q'],
      updatedAt: NOW + 1000,
    });
  });

  test('reports a field that both sides changed, and keeps the proposed value', async () => {
    const primary = edited(base, change('p1', { title: 'P', layout: { width: 'default' } }));
    const proposed = edited(base, change('p1', { title: 'Q', description: null }));
    const { tree, conflicts } = await merge(base, primary, proposed);
    expect(recordOf(tree, 'p1')?.title).toBe('Q');
    expect(recordOf(tree, 'p1')).not.toHaveProperty('layout');
    expect(conflicts).toEqual([
      { kind: 'field', entry: 'p1', field: 'title', ancestor: 'One', primary: 'P', proposed: 'Q' },
    ]);
  });

  test('merges variables one by one', async () => {
    const set = (variables: Record<string, number | null>): Change => ({
      operation: 'set_variables',
      variables,
    });
    const { tree, conflicts } = await merge(
      base,
      edited(base, set({ a: null, b: 3, c: 1 })),
      edited(base, set({ b: 4, d: 5 })),
    );
    expect(tree.records.get(VARIABLES_ID)).toMatchObject({ values: { b: 4, c: 1, d: 5 } });
    expect(conflicts).toMatchObject([{ field: 'values', member: 'b', ancestor: 2, primary: 3, proposed: 4 }]);
    const empty = await merge(base, edited(base, set({ a: null })), edited(base, set({ b: null })));
    expect(empty.tree.records.has(VARIABLES_ID)).toBe(false);
  });

  test('merges documents block by block', async () => {
    const primary = edited(base, change('p2', { document: storeText('one 2\n\nthree four\n') }));
    const proposed = edited(base, change('p2', { document: storeText('one two\n\nthree 4\n'), into: null }));
    const { tree, conflicts, texts } = await merge(base, primary, proposed);
    expect(conflicts).toEqual([]);
    expect(textOf(recordOf(tree, 'p2')?.document)).toBe('one 2\n\nthree 4\n');
    expect(texts.size).toBe(1);
    expect(pathOf(tree, 'p2')).toBe('p2');
  });

  test('merges link tables, limited to the hrefs of the merged body', async () => {
    const [to1, to3, to4] = ['p1', 'p3', 'p4'].map((page) => ({ kind: 'page' as const, page }));
    const start = edited(
      base,
      change('p2', {
        document: storeText('[a](a.md)\n\nmiddle\n\n[b](b.md)\n'),
        links: { 'a.md': to1, 'b.md': to3 },
      }),
    );
    const primary = edited(
      start,
      change('p2', { document: storeText('middle\n\n[b](b.md)\n'), links: { 'b.md': to3 } }),
    );
    const proposed = edited(
      start,
      change('p2', {
        document: storeText('[a](a.md)\n\nmiddle\n\n[b](b.md)\n\n[c](c.md)\n'),
        links: { 'a.md': to1, 'b.md': to4, 'c.md': to1 },
      }),
    );
    const { tree } = await merge(start, primary, proposed);
    // An ambiguous href to the proposed target is spelled by id.
    expect(recordOf(tree, 'p2')?.links).toEqual({ '/pages/p4': to4, 'c.md': to1 });
    expect(textOf(recordOf(tree, 'p2')?.document)).toBe('middle\n\n[b](/pages/p4)\n\n[c](c.md)\n');
  });

  test('takes the body of one side with the links that the other side changed', async () => {
    const table = { 'a.md': { kind: 'page' as const, page: 'p1' } };
    const primary = edited(base, change('p2', { document: storeText('one two\n\n[a](a.md)\n') }));
    const proposed = buildTree(
      [...base.records.values()].map((one) =>
        one.id === 'p2' ? ({ ...one, links: table } as PageRecord) : one,
      ),
    );
    const { tree, conflicts } = await merge(base, primary, proposed);
    expect(conflicts).toEqual([]);
    expect(recordOf(tree, 'p2')).toMatchObject({
      document: storeText('one two\n\n[a](a.md)\n'),
      links: table,
    });
  });

  test('treats an entry of two different kinds as one value', async () => {
    const group = (tree: Tree) =>
      buildTree(
        [...tree.records.values()].map((one) =>
          one.id === 'p4' ? page('p4', { type: 'group', document: undefined, title: 'Group' }) : one,
        ),
      );
    const primary = edited(base, change('p4', { title: 'P' }));
    const { tree, conflicts } = await merge(base, primary, group(base));
    expect(recordOf(tree, 'p4')).toMatchObject({ type: 'group', title: 'Group' });
    expect(conflicts).toMatchObject([{ kind: 'field', field: 'record', primary: { title: 'P' } }]);
    expect((await merge(group(base), primary, base)).conflicts).toMatchObject([{ field: 'title' }]);
  });

  test('stores long values out of line', async () => {
    const links = (prefix: string) =>
      Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [`${prefix}${at}.md`, { kind: 'page' as const, page: 'p1' }]),
      );
    const stored = (table: object) => ({ hash: storeText(JSON.stringify(table)) });
    const body = (prefix: string) =>
      Object.keys(links(prefix))
        .map((href) => `[x](${href})\n`)
        .join('\n');
    const primary = edited(
      base,
      change('p2', {
        document: storeText(`${body('a')}\none two\n\nthree four\n`),
        links: stored(links('a')),
      }),
    );
    const proposed = edited(
      base,
      change('p2', {
        document: storeText(`one two\n\nthree four\n\n${body('b')}`),
        links: stored(links('b')),
      }),
    );
    const { tree, texts, conflicts } = await merge(base, primary, proposed);
    expect(conflicts).toEqual([]);
    const mergedLinks = recordOf(tree, 'p2')?.links as { hash: string } | undefined;
    expect(JSON.parse(texts.get(mergedLinks?.hash ?? '') ?? '')).toEqual({ ...links('a'), ...links('b') });
  });

  test('treats a file that both sides replaced as one value', async () => {
    const withFile = (hash: string, size: number) =>
      buildTree(
        [...base.records.values()].map((one) => (one.kind === 'file' ? { ...one, hash, size } : one)),
      );
    const { tree, conflicts } = await merge(base, withFile('h2', 2), withFile('h3', 3));
    expect(tree.records.get('f1')).toMatchObject({ hash: 'h3', size: 3 });
    expect(conflicts).toMatchObject([
      { kind: 'field', entry: 'f1', field: 'content', primary: { hash: 'h2' } },
    ]);
  });

  test('reports no conflict for an edit and a move', async () => {
    const primary = edited(base, { operation: 'move_page', page: 'p2', into: 'p4' });
    const proposed = edited(base, change('p2', { title: 'Q' }));
    for (const sides of [[primary, proposed] as const, [proposed, primary] as const]) {
      const { tree, conflicts } = await merge(base, ...sides);
      expect(conflicts).toEqual([]);
      expect(recordOf(tree, 'p2')).toMatchObject({ title: 'Q', parent: 'p4' });
    }
  });

  test('keeps a page that one side edited and the other deleted, with its parents', async () => {
    const deleted = edited(base, { operation: 'delete_page', page: 'p1' });
    const changed = edited(base, change('p2', { title: 'Q' }));
    for (const sides of [[deleted, changed] as const, [changed, deleted] as const]) {
      const { tree, conflicts } = await merge(base, ...sides);
      expect(pathOf(tree, 'p2')).toBe('p1/p2');
      expect(recordOf(tree, 'p2')?.title).toBe('Q');
      expect(tree.records.has('p3')).toBe(false);
      expect(conflicts.map(({ kind, entry }) => [kind, entry])).toEqual([
        ['delete', 'p2'],
        ['delete', 'p1'],
      ]);
      expect(conflicts[0]).not.toHaveProperty(sides[0] === deleted ? 'primary' : 'proposed');
    }
  });

  test('deletes a page that the other side edited, and edited back', async () => {
    const deleted = edited(base, { operation: 'delete_page', page: 'p1' });
    const { title } = recordOf(base, 'p2') as PageRecord;
    const back = edited(base, change('p2', { title: 'Q' }), change('p2', { title }));
    expect(recordOf(back, 'p2')?.updatedAt).not.toBe(recordOf(base, 'p2')?.updatedAt);
    for (const sides of [[deleted, back] as const, [back, deleted] as const]) {
      const { tree, conflicts } = await merge(base, ...sides);
      expect(tree.records.has('p2')).toBe(false);
      expect(conflicts).toEqual([]);
    }
  });

  test('restores a deleted page that has a new child', async () => {
    const deleted = edited(base, { operation: 'delete_page', page: 'p1' });
    const grown = edited(base, {
      operation: 'insert_page',
      id: 'n',
      title: 'New',
      document: storeText('n\n'),
      into: 'p3',
    });
    for (const sides of [[deleted, grown] as const, [grown, deleted] as const]) {
      const { tree, conflicts } = await merge(base, ...sides);
      expect(pathOf(tree, 'n')).toBe('p1/p3/new');
      expect(tree.records.has('p2')).toBe(false);
      expect(conflicts.map(({ entry }) => entry).toSorted()).toEqual(['p1', 'p3']);
    }
  });

  test('keeps the primary position if the proposed one is impossible', async () => {
    const primary = edited(base, { operation: 'move_page', page: 'p1', into: 'p4' });
    const proposed = edited(base, { operation: 'move_page', page: 'p4', into: 'p2' });
    const { tree, conflicts } = await merge(base, primary, proposed);
    expect(pathOf(tree, 'p2')).toBe('p4/p1/p2');
    expect(conflicts).toMatchObject([
      { kind: 'position', entry: 'p4', primary: { position: 'a4' }, proposed: { parent: 'p2' } },
    ]);
  });

  test('keeps the primary position if the proposed one is too deep', async () => {
    const chain = (name: string, length: number) =>
      Array.from({ length }, (_, at) => page(`${name}${at}`, at === 0 ? {} : { parent: `${name}${at - 1}` }));
    const deep = buildTree([...chain('x', 15), ...chain('y', 15), ...chain('z', 15)]);
    const primary = edited(deep, { operation: 'move_page', page: 'y0', into: 'x14' });
    const proposed = edited(deep, { operation: 'move_page', page: 'z0', into: 'y14' });
    const { tree, conflicts } = await merge(deep, primary, proposed);
    expect(pathOf(tree, 'z0')).toBe('z0');
    expect(conflicts).toMatchObject([{ kind: 'position', entry: 'z0', proposed: { parent: 'y14' } }]);
  });

  test('gives another slug to the proposed one of two new pages with one slug', async () => {
    const insert = (id: string): Change => ({
      operation: 'insert_page',
      id,
      title: 'New',
      document: storeText('n\n'),
    });
    const { tree, conflicts } = await merge(base, edited(base, insert('n2')), edited(base, insert('n1')));
    expect(conflicts).toEqual([]);
    expect([pathOf(tree, 'n2'), pathOf(tree, 'n1')]).toEqual(['new', 'new-1']);
  });

  test('takes the proposed one of two positions', async () => {
    const { tree, conflicts } = await merge(
      base,
      edited(base, { operation: 'move_page', page: 'p3', into: 'p4' }),
      edited(base, { operation: 'move_page', page: 'p3', into: null, at: 0 }),
    );
    expect(pathOf(tree, 'p3')).toBe('p3');
    expect(conflicts).toMatchObject([{ kind: 'position', entry: 'p3', primary: { parent: 'p4' } }]);
  });

  test('merges frontmatter by line, and a title line follows its title', async () => {
    const from = (frontmatter: string, titleLine: string, title: string) =>
      change('p2', { title, source: { path: 'p2.md', frontmatter, titleLine } });
    const start = edited(base, from('---\na: 1\nb: 2\n---\n', '# T\n', 'T'));
    const primary = edited(start, from('---\na: 2\nb: 2\n---\n', '# P\n', 'P'));
    const proposed = edited(start, from('---\na: 1\nb: 3\n---\n', '# Q\n', 'Q'));
    const { tree, conflicts } = await merge(start, primary, proposed);
    expect(recordOf(tree, 'p2')?.source).toEqual({
      path: 'p2.md',
      frontmatter: '---\na: 2\nb: 3\n---\n',
      titleLine: '# Q\n',
    });
    expect(conflicts).toMatchObject([{ field: 'title' }]);
  });
});

describe('merged texts of a folder', () => {
  function withSummary(text: string): Tree {
    const { value, blob } = inline<string>(text);
    if (blob !== undefined) storeText(blob);
    const folder: FolderRecord = {
      id: FOLDER_ID,
      kind: 'folder',
      summary: { path: 'SUMMARY.md', text: value },
    };
    return buildTree([...base.records.values(), folder]);
  }
  const folderIn = (tree: Tree) => tree.records.get(FOLDER_ID);

  test('are combined by line', async () => {
    const { tree, conflicts } = await merge(
      withSummary('* a\n* b\n* c\n'),
      withSummary('* A\n* b\n* c\n'),
      withSummary('* a\n* b\n* C\n'),
    );
    expect(folderIn(tree)).toEqual(folderIn(withSummary('* A\n* b\n* C\n')));
    expect(conflicts).toEqual([]);
  });

  test.each(['', '* long\n'.repeat(500)])(
    'with changes of both sides are one conflict, short or long',
    async (rest) => {
      const [ancestor, primary, proposed] = ['a', 'p', 'q'].map((name) =>
        withSummary(`* ${name}\n${rest}`),
      ) as [Tree, Tree, Tree];
      const { tree, conflicts } = await merge(ancestor, primary, proposed);
      expect(folderIn(tree)).toEqual(folderIn(proposed));
      expect(conflicts).toMatchObject([{ field: 'summary', member: 'text', primary: `* p\n${rest}` }]);
      const resolved = await resolveConflict(load, tree, conflicts[0] as Conflict, 'primary', NOW);
      expect(folderIn(resolved?.tree as Tree)).toEqual(folderIn(primary));
    },
  );
});

describe('a conflict', () => {
  const primary = edited(
    base,
    change('p1', { title: 'P' }),
    change('p2', { document: storeText('one P\n\nthree four\n') }),
    { operation: 'move_page', page: 'p3', into: 'p4' },
    { operation: 'delete_page', page: 'p4' },
  );
  const proposed = edited(
    base,
    change('p1', { title: 'Q' }),
    change('p2', { document: storeText('one Q\n\nthree four\n') }),
    change('p4', { title: 'Four' }),
  );
  const open = async () => {
    const { tree, conflicts } = await merge(base, primary, proposed);
    const of = (kind: Conflict['kind']) => conflicts.find((one) => one.kind === kind) as Conflict;
    return { tree, of };
  };
  const resolve = async (tree: Tree, conflict: Conflict, use: 'primary' | 'proposed' | 'both') => {
    const resolved = (await resolveConflict(load, tree, conflict, use, NOW)) as Resolved;
    for (const text of resolved.texts.values()) storeText(text);
    expect(resolved.tree.problems).toEqual(new Map());
    return resolved;
  };

  test('about a block is resolved by removing one version', async () => {
    const { tree, of } = await open();
    expect(textOf(recordOf(tree, 'p2')?.document)).toBe('one P\n\none Q\n\nthree four\n');
    const texts = await Promise.all(
      (['primary', 'proposed', 'both'] as const).map(async (use) => {
        const resolved = await resolve(tree, of('block'), use);
        return textOf(recordOf(resolved.tree, 'p2')?.document);
      }),
    );
    expect(texts).toEqual([
      'one P\n\nthree four\n',
      'one Q\n\nthree four\n',
      'one P\n\none Q\n\nthree four\n',
    ]);
  });

  test('about a block is resolved by an edit of that block, not of another', async () => {
    const { tree, of } = await open();
    const write = (text: string) => edited(tree, change('p2', { document: storeText(text) }));
    const isResolved = (after: Tree) => isResolvedBy(load, of('block'), tree, after);
    expect(await isResolved(write('one P\n\none Q\n\nthree 4\n'))).toBe(false);
    expect(await isResolved(write('new\n\none P\n\none Q\n\nthree four\n'))).toBe(false);
    expect(await isResolved(write('one PQ\n\none Q\n\nthree four\n'))).toBe(true);
    expect(await isResolved(write('one P\n\nthree four\n'))).toBe(true);
    expect(await isResolved(edited(tree, { operation: 'delete_page', page: 'p2' }))).toBe(true);
    // The same text before it changes its key.
    const after = write('one Q\n\none P\n\none Q\n\nthree four\n');
    const carried = await carryConflict(load, of('block'), tree, after);
    expect(carried.isEdited).toBe(false);
    const { tree: last } = await resolve(after, carried.conflict as Conflict, 'primary');
    expect(textOf(recordOf(last, 'p2')?.document)).toBe('one Q\n\none P\n\nthree four\n');
  });

  test('about a field is resolved by setting it', async () => {
    const { tree, of } = await open();
    const { tree: after } = await resolve(tree, of('field'), 'primary');
    expect(recordOf(after, 'p1')?.title).toBe('P');
    expect(await isResolvedBy(load, of('field'), tree, after)).toBe(true);
    expect(await isResolvedBy(load, of('field'), tree, edited(tree, change('p1', { emoji: '1f600' })))).toBe(
      false,
    );
    expect((await resolve(tree, of('field'), 'proposed')).changed.size).toBe(0);
  });

  test('about a deletion is resolved by deleting', async () => {
    const { tree, of } = await open();
    expect(recordOf(tree, 'p4')?.title).toBe('Four');
    const { tree: after } = await resolve(tree, of('delete'), 'primary');
    expect(after.records.has('p4')).toBe(false);
    expect(await isResolvedBy(load, of('delete'), tree, after)).toBe(true);
    expect((await resolve(tree, of('delete'), 'proposed')).changed.size).toBe(0);
  });

  test('about a position is resolved by moving, where possible', async () => {
    const { tree, conflicts } = await merge(
      base,
      edited(base, { operation: 'move_page', page: 'p3', into: 'p4' }),
      edited(base, { operation: 'move_page', page: 'p3', into: null, at: 0 }),
    );
    const [conflict] = conflicts as [Conflict];
    const { tree: after } = await resolve(tree, conflict, 'primary');
    expect(pathOf(after, 'p3')).toBe('p4/p3');
    expect(await isResolvedBy(load, conflict, tree, after)).toBe(true);
    const deleted = edited(tree, { operation: 'delete_page', page: 'p4' });
    expect(await resolveConflict(load, deleted, conflict, 'primary', NOW)).toBeUndefined();
  });

  test('about a field has, after another merge, the new value of the primary side', async () => {
    const { tree, of } = await open();
    const renewed = async (title: string) => {
      const later = edited(primary, change('p1', { title }));
      const merged = await merge(primary, later, tree);
      const again = merged.conflicts.find((one) => subjectOf(one) === subjectOf(of('field')));
      return updateOpenConflict(of('field'), again, later, merged.tree);
    };
    expect(await renewed('R')).toMatchObject({ ancestor: 'One', primary: 'R', proposed: 'Q' });
    expect(await renewed('P')).toEqual(of('field'));
    expect(await renewed('Q')).toBeUndefined();
    expect(await renewed('One')).toBeUndefined();
  });

  test('about a block has, after another merge, the new text of the primary side', async () => {
    const { tree, of } = await open();
    const later = edited(primary, change('p2', { document: storeText('one P two\n\nthree four\n') }));
    const merged = await merge(primary, later, tree);
    for (const text of merged.texts.values()) storeText(text);
    const { conflict } = await carryConflict(load, of('block'), tree, merged.tree);
    expect(conflict).toMatchObject({ primary: 'one P two', proposed: of('block').proposed });
  });
});

describe('the cost of a merge', () => {
  test('is proportional to the changes of the proposed side', async () => {
    const loaded = async (count: number) => {
      const ids = Array.from({ length: count }, (_, at) => `page${at}`);
      const ancestor = buildTree(
        ids.map((id, at) =>
          page(id, { position: `a${at}`, ...(at < 10 ? {} : { parent: `page${at % 10}` }) }),
        ),
      );
      const others = ids.slice(20, 40).map((id) => change(id, { title: 'P' }));
      const primary = edited(
        ancestor,
        ...others,
        change('page50', { document: storeText('one P\n\nx\n\ntwo\n') }),
      );
      const proposed = edited(ancestor, change('page50', { document: storeText('one\n\nx\n\ntwo Q\n') }));
      const sides = { ancestor: rootOf(ancestor), primary: rootOf(primary), proposed: rootOf(proposed) };
      let objects = 0;
      const counting: Load = (hashes) => {
        objects += hashes.length;
        return load(hashes);
      };
      const { tree } = await mergeContent(counting, sides, primary);
      const shared = tree.records.shards.filter((shard, index) => shard === primary.records.shards[index]);
      return { objects, copied: tree.records.shards.length - shared.length };
    };
    const [few, many] = [await loaded(100), await loaded(10_000)];
    expect(few.copied).toBe(1);
    expect(many.copied).toBe(1);
    // One more level of the trie, on each side.
    expect(many.objects - few.objects).toBeLessThanOrEqual(4);
  });
});

test('merges all entries and bodies that both sides changed', async () => {
  const pages = (over: object) =>
    buildTree(Array.from({ length: 300 }, (_each, index) => page(`p${index}`, over)));
  const [ancestor, primary, proposed] = [pages({}), pages({ title: 'Other' }), pages({ description: 'New' })];
  const sides = { ancestor: rootOf(ancestor), primary: rootOf(primary), proposed: rootOf(proposed) };
  expect((await mergeContent(load, sides, primary)).changed.size).toBe(300);
  const [one, two, three] = ['One.\n', 'Two.\n', 'Three.\n'].map((text) =>
    pages({ document: storeText(text) }),
  ) as [Tree, Tree, Tree];
  const bodies = { ancestor: rootOf(one), primary: rootOf(two), proposed: rootOf(three) };
  expect((await mergeContent(load, bodies, two)).conflicts).toHaveLength(300);
});
