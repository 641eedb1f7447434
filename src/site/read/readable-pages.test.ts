import { describe, expect, test, vi } from 'vitest';
import { turnRatio } from '../../../test/longest-turn.ts';
import { buildTree, type ContentRecord, type Tree } from '../../content-engine/tree/index.ts';
import * as parsing from '../../content-engine/expressions/parse.ts';
import { readablePages } from './readable-pages.ts';
import type { Visitor } from './visitor.ts';

/** The pages of a space with many conditions, for visitors of many classes. */

const PAGES = 3000;

const treeOf = (conditionOf: (index: number) => string): Tree =>
  buildTree(
    Array.from({ length: PAGES }, (_each, index): ContentRecord => {
      const number = String(index).padStart(5, '0');
      return {
        kind: 'page',
        type: 'document',
        id: `page${number}`,
        position: `a${number}`,
        title: `Page ${index}`,
        slug: `page-${index}`,
        document: 'x'.repeat(43),
        condition: conditionOf(index),
      } as ContentRecord;
    }),
  );

let classes = 0;
const newVisitor = (a: string): Visitor => ({
  claims: { signed: {}, unsigned: { a } },
  class: `class ${classes++}`,
  refusal: undefined,
});

const long = 'visitor.claims.unsigned.a !== "x"' + ' && !false'.repeat(60);

describe('conditions of pages', () => {
  test('are parsed once for all visitors', async () => {
    const tree = treeOf((index) => `visitor.claims.unsigned.a !== "${index % 10}"`);
    const parse = vi.spyOn(parsing, 'parse');
    const first = await readablePages(tree, newVisitor('3'));
    expect(first.documents).toHaveLength(PAGES * 0.9);
    const other = await readablePages(tree, newVisitor('none'));
    expect(other.isComplete).toBe(true);
    expect(parse).toHaveBeenCalledTimes(10);
  });

  test('beyond the limit of nodes hide their pages', async () => {
    const tree = treeOf((index) => (index < 10 ? long + ' && !false'.repeat(20) : long));
    expect((await readablePages(tree, newVisitor('y'))).documents).toHaveLength(PAGES - 10);
  });

  test('are evaluated in slices', { timeout: 60_000 }, async () => {
    const tree = treeOf((index) => `${long} && ${index} >= 0`);
    const small = treeOf(() => 'true');
    const listed = (of: Tree) => async () => {
      expect((await readablePages(of, newVisitor('y'))).documents).toHaveLength(PAGES);
    };
    // Some 30 times as long in one turn.
    expect(await turnRatio(listed(tree), listed(small), 6)).toBeLessThan(6);
  });
});
