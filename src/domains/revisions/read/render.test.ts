import { expect, test } from 'vitest';
import { turnRatio } from '../../../../test/longest-turn.ts';
import { pageRecord as page } from '../../../../test/page-record.ts';
import { movedHrefs } from '../../../content-engine/links/index.ts';
import { buildTree, type LinkTable } from '../../../content-engine/tree/index.ts';
import { engineWithoutThreads } from '../engine.ts';
import { withCurrentLinks } from './render.ts';

const FILES = 20_000;
const LINKS = 40_000;

test('thousands of links to a page that moved are respelled in slices', { timeout: 120_000 }, async () => {
  const files = Array.from({ length: FILES }, (_, i) => page(`p${i}`, { source: { path: `p${i}.md` } }));
  const tree = buildTree([...files, page('from'), page('moved', { slug: 'now' })]);
  const tableOf = (count: number): LinkTable =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`then.md?${i}`, { kind: 'page', page: 'moved' }]),
    );
  const links = tableOf(LINKS);
  expect(movedHrefs(tree, 'from', tableOf(1)).get('then.md?0')).toBe('now.md?0');
  const source = { load: async () => [], tree, engine: engineWithoutThreads };
  const work = async () => withCurrentLinks(source, page('from'), { text: '', links });
  const some = tableOf(500);
  expect(await turnRatio(work, async () => movedHrefs(tree, 'from', some), 8)).toBeLessThan(8);
});
