import { expect, test } from 'vitest';
import { pageRecord } from '../../../../test/page-record.ts';
import { hashOf, type Load } from '../../../content-engine/map/index.ts';
import type { BlockConflict, Merged, RunBodyTasks } from '../../../content-engine/merge/index.ts';
import { parseBlocks } from '../../../content-engine/markdown/index.ts';
import { buildTree } from '../../../content-engine/tree/index.ts';
import { recomputeConflicts } from './recompute.ts';
import type { ConflictRow } from './store.ts';

/** An update from the space left both versions of two blocks, the primary one first. */
const MERGED = 'Primary 0\n\nProposed 0\n\nPrimary 1\n\nProposed 1\n';
const RESOLVED = 'Proposed 0\n\nProposed 1\n';
const KEYS = parseBlocks(MERGED).map(({ key }) => key);

const load: Load = async (hashes) =>
  hashes.map((hash) => (hash === hashOf(MERGED) ? Buffer.from(MERGED) : undefined));

/** Pages with this body. */
const treeOf = (entries: readonly string[], body: string) =>
  buildTree(entries.map((id) => pageRecord(id, { document: hashOf(body) })));

/** A request with as many open conflicts in each page, all about blocks whose sides agree by now. */
function agreedConflicts(pages: number, perPage: number) {
  const entries = Array.from({ length: pages }, (_each, page) => `page${page}`);
  const previous: ConflictRow[] = entries.flatMap((entry) =>
    Array.from({ length: perPage }, (_each, index) => {
      const [primary = '', proposed = ''] = KEYS.slice(2 * index);
      const block = { primary: [primary], proposed: [proposed] };
      const conflict: BlockConflict = {
        kind: 'block',
        entry,
        ancestor: 'x',
        primary: 'y',
        proposed: 'y',
        block,
      };
      return { id: `${entry}-${index}`, conflict };
    }),
  );
  const tree = treeOf(entries, MERGED);
  const merged: Merged = { changed: new Map(), tree, texts: new Map(), conflicts: [] };
  return { sides: { before: tree, primary: tree, merged }, previous };
}

test('agreed conflicts of all pages are resolved together', async () => {
  const { sides, previous } = agreedConflicts(3, 2);
  const calls: number[] = [];
  const run: RunBodyTasks = (tasks) => {
    if (tasks.length > 0) calls.push(tasks.length);
    return tasks.map(({ perform }) => perform());
  };
  const { settled, open, changed, tree } = await recomputeConflicts(load, sides, previous, { now: 1, run });
  expect(settled).toHaveLength(6);
  expect(open).toEqual([]);
  expect([...changed.keys()]).toEqual(['page0', 'page1', 'page2']);
  expect(tree.records.get('page1')).toMatchObject({ document: hashOf(RESOLVED), updatedAt: 1 });
  expect(calls).toEqual([3]);
});
