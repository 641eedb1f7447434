import { describe, expect, test } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import {
  applyChanges,
  buildTree,
  deriveTree,
  findPage,
  positionsFor,
  type Change,
  type ContentRecord,
  type PageRecord,
  type Tree,
} from './index.ts';

const COUNT = 10_000;

function pages(parentOf: (index: number) => number | undefined): ContentRecord[] {
  const positions = positionsFor(COUNT);
  return Array.from({ length: COUNT }, (_, i): PageRecord => {
    const parent = parentOf(i);
    return {
      id: `page${i}`,
      kind: 'page',
      type: 'document',
      title: `Page ${i}`,
      slug: `page-${i}`,
      position: positions[i] ?? '',
      document: `hash${i}`,
      source: { path: `page-${i}.md` },
      ...(parent === undefined ? {} : { parent: `page${parent}` }),
    };
  });
}

const flat = () => pages(() => undefined);
/** Eight levels: three or four children each. */
const deep = () => pages((i) => (i < 3 ? undefined : Math.floor((i - 3) / 3.2)));

/** The part of a tree that is not shared with another: entries of copied shards, and items of copied lists. */
function copied(before: Tree, after: Tree): { entries: number; items: number } {
  let [entries, items] = [0, 0];
  for (const name of ['records', 'children', 'slugs', 'sources'] as const) {
    for (const [i, shard] of after[name].shards.entries()) {
      if (shard !== before[name].shards[i]) entries += shard.size;
    }
  }
  for (const [id, list] of after.children) if (list !== before.children.get(id)) items += list.length;
  return { entries, items };
}

const changes: Record<string, Change> = {
  edit: { operation: 'update_page', page: 'page5000', document: 'edited' },
  rename: { operation: 'update_page', page: 'page5000', title: 'Renamed', slug: 'renamed' },
  insert: { operation: 'insert_page', id: 'new', title: 'New', document: 'new', into: 'page17', at: 0 },
  remove: { operation: 'delete_page', page: 'page9999' },
  move: { operation: 'move_page', page: 'page9999', into: 'page3', at: 0 },
  reorder: { operation: 'move_page', page: 'page9999', at: 0 },
};

describe.each([
  ['a flat tree', flat],
  ['a deep tree', deep],
])('%s of 10,000 pages', (_, make) => {
  const tree = buildTree(make());

  test.each(Object.entries(changes))('shares nearly all nodes with its successor: %s', (name, change) => {
    const result = applyChanges(tree, [change], 1);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    expect(result.changed.size).toBe(1);
    const { entries, items } = copied(tree, result.tree);
    expect(entries).toBeLessThan(200);
    if (name === 'edit' || name === 'rename') expect(items).toBe(0);
  });

  test('is derived much faster than built', () => {
    const page = findPage(tree, 'page5000') as PageRecord;
    const repeated = (times: number) => () => {
      for (let n = 0; n < times; n++) deriveTree(tree, [[page.id, { ...page, title: 'Edited' }]]);
    };
    repeated(200)();
    // Fifty are derived in less time than one is built, compared ten times over.
    const ratio = cpuTimeRatio(
      repeated(500),
      () => {
        for (let n = 0; n < 10; n++) buildTree(tree.records.values());
      },
      1,
    );
    expect(ratio).toBeLessThan(1);
  });
});
