import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { read } from '../../../test/import-export.ts';
import { longestTurn } from '../../../test/longest-turn.ts';
import { runToEnd } from '../run-to-end.ts';
import { buildTree, type Tree } from '../tree/index.ts';
import { MAX_ITEMS, readFolderInSteps } from './index.ts';
import { writeFolderInSteps } from './write-folder.ts';

const PAGES = 4000;

const files = Array.from({ length: PAGES }, (_, index) => ({
  path: `d${index % 4}/p${index}.md`,
  bytes: Buffer.from('# T\n'),
}));

let ids = 0;
const reading = (previous?: Tree) =>
  readFolderInSteps(files, { newId: () => `id${ids++}`, now: 1, ...(previous && { previous }) });

/** The longest step as a part of all of them: both take longer on a busy machine. */
async function longestPart(work: () => Generator<void, unknown, void>): Promise<number> {
  let least = 1;
  for (let attempt = 0; attempt < 3 && least > 0.1; attempt++) {
    const atOnce = await longestTurn(async () => runToEnd(work()));
    const inTurns = await longestTurn(async () => {
      for (const steps = work(); !steps.next().done;) await setImmediate();
    });
    least = Math.min(least, inTurns / atOnce);
  }
  return least;
}

test('a folder of many pages is read and written in small steps', async () => {
  const first = runToEnd(reading());
  const tree = buildTree(first.records);
  expect(await longestPart(() => reading(tree))).toBeLessThan(0.1);
  expect(
    await longestPart(() => writeFolderInSteps(tree, (hash) => first.texts.get(hash) ?? '')),
  ).toBeLessThan(0.1);
});

test('a SUMMARY.md of very many entries is refused before they take much memory', () => {
  const folder = { 'README.md': '# Start\n', 'SUMMARY.md': '* a\n'.repeat(MAX_ITEMS) };
  expect(read(folder).isSummaryTooLong).toBe(false);
  const longer = read({ ...folder, 'SUMMARY.md': `${folder['SUMMARY.md']}* b\n` });
  expect(longer.isSummaryTooLong).toBe(true);
});
