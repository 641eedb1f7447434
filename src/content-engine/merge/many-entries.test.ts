import { expect, test } from 'vitest';
import { pageRecord as page } from '../../../test/page-record.ts';
import { build, hashOf, type Load } from '../map/index.ts';
import { buildTree, findPage, type DocumentPage } from '../tree/index.ts';
import { mergeContent } from './index.ts';

const COUNT = 2500;
const TEXT = 'Text.\n';

/** Pages of one version: `pagesOf` is called for each number. */
const versionOf = (pagesOf: (n: number) => readonly DocumentPage[]): readonly DocumentPage[] =>
  Array.from({ length: COUNT }, (_, n) => pagesOf(n)).flat();

/** Objects by hash, like a store. */
const store = new Map<string, Uint8Array>();
const storeText = (text: string): string => {
  store.set(hashOf(text), Buffer.from(text));
  return hashOf(text);
};
const load: Load = async (hashes) => hashes.map((hash) => store.get(hash));

const document = storeText(TEXT);

/** A merge of three versions, whose objects are in memory. */
function mergeOf(...versions: readonly (readonly DocumentPage[])[]) {
  const [ancestor = '', primary = '', proposed = ''] = versions.map((pages) => {
    const { root, nodes } = build(pages);
    for (const [hash, bytes] of nodes) store.set(hash, bytes);
    return root;
  });
  const tree = buildTree(versions[1] ?? []);
  return () => mergeContent(load, { ancestor, primary, proposed }, tree);
}

const renamed = (name: string) =>
  versionOf((n) => [
    page(`p${n}`, {
      document,
      slug: `${name}-${n}`,
      source: { path: `${name}-${n}.md`, titleLine: '# P\n' },
    }),
  ]);

const nested = (title: string | undefined) =>
  versionOf((n) => [
    page(`a${n}`, { document }),
    page(`b${n}`, { document, parent: `a${n}`, title: title ?? `b${n}` }),
  ]);

const moved = (above: string, below: string) =>
  versionOf((n) => [
    page(`${above}${n}`, { document }),
    page(`${below}${n}`, { document, parent: `${above}${n}` }),
  ]);

const apart = versionOf((n) => [page(`a${n}`, { document }), page(`b${n}`, { document })]);

test.each([
  ['renamed by both sides', mergeOf(renamed('old'), renamed('ours'), renamed('theirs'))],
  ['moved below each other', mergeOf(apart, moved('a', 'b'), moved('b', 'a'))],
  ['edited below deleted pages', mergeOf(nested(undefined), [], nested('Edited'))],
])('thousands of pages that were %s are merged into a valid tree', async (_name, merge) => {
  expect((await merge()).tree.problems.size).toBe(0);
});

test('pages that both sides renamed have files of their own names', async () => {
  const merge = mergeOf(renamed('old'), renamed('ours'), renamed('theirs'));
  const { tree } = await merge();
  for (const n of [0, COUNT - 1]) {
    const { slug, source } = findPage(tree, `p${n}`) as DocumentPage;
    expect(source?.path).toBe(`${slug}.md`);
  }
});

test('the bodies of a merge share one budget', async () => {
  // No word is unique and both sides edit throughout, so that the cost is quadratic in the number of edits.
  const words = Array.from({ length: 3600 }, (_, n) => `w${n % 50}`);
  const edited = (at: number, word: string) => words.map((old, n) => (n % 4 === at ? word : old)).join(' ');
  const costly = [words.join(' '), edited(1, 'p'), edited(3, 'q')];
  const small = ['One.\n\nTwo.\n', 'First.\n\nTwo.\n', 'One.\n\nSecond.\n'];
  const conflictsBeside = async (others: number) => {
    const versions = costly.map((text, version) => [
      page('costly', { document: storeText(text) }),
      ...Array.from({ length: others }, (_, n) =>
        page(`p${n}`, { document: storeText(small[version] ?? '') }),
      ),
    ]);
    return (await mergeOf(...versions)()).conflicts.map(({ entry }) => entry);
  };
  expect(await conflictsBeside(0)).toEqual([]);
  // Its share does not suffice to merge by words.
  expect(await conflictsBeside(500)).toEqual(['costly']);
});
