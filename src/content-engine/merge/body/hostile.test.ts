import { describe, expect, test } from 'vitest';
import { BODY_BUDGET, ComparisonBudget } from '../../diff/index.ts';
import { followBlocks } from '../follow-blocks.ts';
import type { Versions } from '../versions.ts';
import { mergeBody } from './merge-body.ts';

/** Bodies without anchors: comparing all pairs would be quadratic in their size. */

/** Deterministic pseudo-random numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

const next = random(11);
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at));
const letters = (count: number) => times(count, () => (next() < 0.5 ? 'a' : 'b')).join(' ');
const shuffled = (blocks: readonly string[]) =>
  blocks
    .map((block) => ({ block, at: next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ block }) => block);
const threeOf = (make: () => string): Versions<string> => ({
  ancestor: make(),
  primary: make(),
  proposed: make(),
});

/** About 10 kB per side, times `size`. */
const HOSTILE: Readonly<Record<string, (size: number) => Versions<string>>> = {
  'one paragraph of random letters': (size) => threeOf(() => `${letters(5000 * size)}\n`),
  'paragraphs of random letters': (size) => threeOf(() => times(8 * size, () => letters(600)).join('\n\n')),
  'short paragraphs of random letters': (size) =>
    threeOf(() => times(400 * size, () => letters(12)).join('\n\n')),
  'a table': (size) =>
    threeOf(() => `| x | y |\n|---|---|\n${times(250 * size, () => `| ${letters(12)} | b |`).join('\n')}\n`),
  'lists in lists': (size) =>
    threeOf(() => times(300 * size, (at) => `${'  '.repeat(at % 6)}* ${letters(8)}`).join('\n')),
  'equal paragraphs': (size) => {
    const same = (count: number) => times(count * size, () => 'same').join('\n\n');
    return { ancestor: same(1000), primary: same(900), proposed: same(1100) };
  },
  'shuffled paragraphs': (size) => {
    const blocks = times(400 * size, (at) => `paragraph ${at} of ${letters(3)}`);
    const [primary, proposed] = [shuffled(blocks), shuffled(blocks)].map((all) => all.join('\n\n'));
    return { ancestor: blocks.join('\n\n'), primary: primary ?? '', proposed: proposed ?? '' };
  },
  'shuffled and edited paragraphs': (size) => {
    const blocks = times(400 * size, (at) => `paragraph ${at} of ${letters(3)}`);
    const edited = (name: string) =>
      shuffled(blocks)
        .map((block) => `${block} ${name}`)
        .join('\n\n');
    return { ancestor: blocks.join('\n\n'), primary: edited('p'), proposed: edited('q') };
  },
};

const lengthOf = ({ ancestor, primary, proposed }: Versions<string>) =>
  ancestor.length + primary.length + proposed.length;

describe('hostile bodies', () => {
  for (const [name, make] of Object.entries(HOSTILE)) {
    test(`${name}: comparisons are linear in the size`, () => {
      const LIMIT = 100_000;
      for (const size of [2, 16]) {
        const bodies = make(size);
        const budget = new ComparisonBudget(LIMIT);
        mergeBody(bodies, budget);
        expect(budget.spent - LIMIT).toBeLessThan(3 * lengthOf(bodies));
        const carrying = new ComparisonBudget(LIMIT);
        followBlocks(bodies.ancestor, bodies.primary, carrying);
        expect(carrying.spent - LIMIT).toBeLessThan(2 * lengthOf(bodies));
      }
    });
  }

  test('one edited word per side in a paragraph of a megabyte is no conflict', () => {
    const words = times(150_000, () => `w${Math.floor(next() * 1000)}`);
    const edited = (at: number) => words.with(at, 'edited').join(' ');
    const bodies = { ancestor: words.join(' '), primary: edited(10), proposed: edited(140_000) };
    const budget = new ComparisonBudget(BODY_BUDGET);
    const { text, conflicts } = mergeBody(bodies, budget);
    expect(conflicts).toEqual([]);
    expect(text).toBe(words.with(10, 'edited').with(140_000, 'edited').join(' '));
    expect(budget.spent).toBeLessThan(10 * words.length);
  });

  test('beyond the budget, the result has both versions of a paragraph', () => {
    const bodies = threeOf(() => letters(900));
    const { text, conflicts } = mergeBody(bodies, new ComparisonBudget(1000));
    expect(conflicts).toHaveLength(1);
    expect(text).toBe(`${bodies.primary}\n\n${bodies.proposed}`);
  });
});
