import { expect, test } from 'vitest';
import { pageRecord as page } from '../../../test/page-record.ts';
import { buildTree, deriveTree, type Tree } from '../../content-engine/tree/index.ts';
import { TooLargeHere } from '../../platform/api/too-large-here.ts';
import { affectedBy } from './affected-links.ts';

const LEVELS = 31;
const longSlug = 's'.repeat(100);

/** A chain of pages with long slugs, and pages below the last one. */
function chain(leaves: number): Tree {
  const parents = Array.from({ length: LEVELS }, (_each, level) =>
    page(`c${level}`, { slug: longSlug, ...(level > 0 && { parent: `c${level - 1}` }) }),
  );
  const below = Array.from({ length: leaves }, (_each, leaf) =>
    page(`leaf${leaf}`, { parent: `c${LEVELS - 1}` }),
  );
  return buildTree([...parents, ...below]);
}

const rename = (before: Tree) => {
  const changed = new Map([['c0', page('c0', { slug: 'renamed' })]]);
  return { before, after: deriveTree(before, changed), changed };
};

test('a rename moves all pages below it, which keep their names', () => {
  const { before, after, changed } = rename(chain(2));
  const { flipped, moved, rebased, names, formerNames } = affectedBy(
    { isFront: true },
    before,
    after,
    changed,
  );
  expect(flipped.size).toBe(0);
  expect(moved.size).toBe(LEVELS + 2);
  // The page itself is in the root directory, before and after.
  expect(rebased).toEqual(new Set([...moved].filter((id) => id !== 'c0')));
  expect(formerNames).toContain(longSlug);
  expect(formerNames).not.toContain('renamed');
  expect(names).toEqual(new Set([...formerNames, 'renamed']));
});

test('a rename with thousands of pages below it is left to the heavy process', () => {
  const { before, after, changed } = rename(chain(3000));
  expect(() => affectedBy({ isFront: true }, before, after, changed)).toThrow(TooLargeHere);
  expect(affectedBy({ isFront: false }, before, after, changed).moved.size).toBe(LEVELS + 3000);
});
