import { expect, test } from 'vitest';
import { turnRatio } from '../../../../test/longest-turn.ts';
import { pageRecord } from '../../../../test/page-record.ts';
import { hashOf, type Load } from '../../../content-engine/map/index.ts';
import type { BlockConflict, Merged, RunBodyTasks } from '../../../content-engine/merge/index.ts';
import { buildTree } from '../../../content-engine/tree/index.ts';
import { pauseBetweenSlices } from '../../../platform/threads/slices.ts';
import { recomputeConflicts } from './recompute.ts';
import type { ConflictRow } from './store.ts';

const [BEFORE, MERGED, RESOLVED] = ['Before', 'Merged', 'Resolved'] as const;

const load: Load = async (hashes) =>
  hashes.map((hash) =>
    [BEFORE, MERGED, RESOLVED].map((text) => Buffer.from(text)).find((text) => hashOf(text) === hash),
  );

/** Pages with this body. */
const treeOf = (entries: readonly string[], body: string) =>
  buildTree(entries.map((id) => pageRecord(id, { document: hashOf(body) })));

/** A request with as many open conflicts in each page, all about blocks whose sides agree by now. */
function agreedConflicts(pages: number, perPage: number) {
  const entries = Array.from({ length: pages }, (_each, page) => `page${page}`);
  const previous: ConflictRow[] = entries.flatMap((entry) =>
    Array.from({ length: perPage }, (_each, index) => {
      const block = { primary: [`a${index}`], proposed: [`b${index}`] };
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
  return { sides: { before: treeOf(entries, BEFORE), primary: tree, merged }, previous };
}

/** Work on bodies is done in threads: here, it takes no time. `calls`: the tasks of each call. */
function threadsOf(calls: string[]): RunBodyTasks {
  return (async (name: string, tasks: readonly { input: { conflicts?: readonly unknown[] } }[]) => {
    calls.push(`${name} ${tasks.length}`);
    return tasks.map(({ input }) =>
      name === 'removeBlocks'
        ? { text: RESOLVED, hrefs: new Set() }
        : (input.conflicts ?? []).map(() => undefined),
    );
  }) as unknown as RunBodyTasks;
}

const recompute = ({ sides, previous }: ReturnType<typeof agreedConflicts>, calls: string[] = []) =>
  recomputeConflicts(load, sides, previous, {
    now: 1,
    run: threadsOf(calls),
    pause: pauseBetweenSlices(),
  });

test('agreed conflicts of all pages are resolved together', async () => {
  const calls: string[] = [];
  const { settled, open, changed, tree } = await recompute(agreedConflicts(3, 2), calls);
  expect(settled).toHaveLength(6);
  expect(open).toEqual([]);
  expect([...changed.keys()]).toEqual(['page0', 'page1', 'page2']);
  expect(tree.records.get('page1')).toMatchObject({ document: hashOf(RESOLVED), updatedAt: 1 });
  // Each call may start the transaction over.
  expect(calls.filter((call) => call.startsWith('removeBlocks'))).toEqual(['removeBlocks 3']);
});

/** 200 ms in ticks of the clock: in one turn, the work would take seconds. */
const GENEROUS = 20;

test.each([
  ['one page', 1, 20_000],
  ['many pages', 80, 2000],
])('very many agreed conflicts of %s do not hold the event loop', async (_name, pages, perPage) => {
  const [few, many] = [agreedConflicts(1, 200), agreedConflicts(pages, perPage)];
  expect(
    await turnRatio(
      () => recompute(many),
      () => recompute(few),
      GENEROUS,
    ),
  ).toBeLessThan(GENEROUS);
});
