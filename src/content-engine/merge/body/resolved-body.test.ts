import { describe, expect, test } from 'vitest';
import { followKeys } from '../follow-blocks.ts';
import { mergeBody } from './merge-body.ts';
import { withoutBlocks } from './select-blocks.ts';

const body = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

/** The result of resolving every conflict for one side, by `resolveConflict`. */
function resolved(ancestor: string, primary: string, proposed: string) {
  const { text, conflicts } = mergeBody({ ancestor, primary, proposed });
  const keysOf = (side: 'primary' | 'proposed') => new Set(conflicts.flatMap(({ block }) => block[side]));
  return {
    primary: withoutBlocks(text, keysOf('proposed')),
    proposed: withoutBlocks(text, keysOf('primary')),
    conflicts: conflicts.length,
  };
}

describe('a resolved body', () => {
  test('has no paragraph in the last item of a preceding list', () => {
    const of = (item: string) => body(`- first\n- ${item}`, 'Next paragraph.');
    expect(resolved(of('second item'), of('second of the space'), of('second proposed'))).toEqual({
      primary: of('second of the space'),
      proposed: of('second proposed'),
      conflicts: 1,
    });
    const without = body('- first', 'Next paragraph.');
    expect(resolved(of('second item'), without, of('second proposed'))).toEqual({
      primary: without,
      proposed: of('second proposed'),
      conflicts: 1,
    });
  });

  test('has no empty list', () => {
    const of = (item: string) => body('above', `- ${item}`, 'below');
    expect(resolved(of('one two'), body('above', 'below'), of('one three')).primary).toBe(
      body('above', 'below'),
    );
  });

  test.each(['### Example', '---', '```\ncode\n```', '- [ ] task'])(
    'has %s at every position where it was added',
    (added) => {
      const of = (one: string[], two: string[]) =>
        body('# One', 'first', ...one, '# Two', 'second', ...two, 'end');
      const all = of([added], [added]);
      const expected = { primary: all, proposed: all, conflicts: 0 };
      expect(resolved(of([], []), of([added], []), of([], [added]))).toEqual(expected);
      expect(resolved(of([], []), of([], [added]), of([added], []))).toEqual(expected);
      const single = of([added], []);
      expect(resolved(of([], []), single, single).primary).toBe(single);
    },
  );

  test('has an insertion once if a side deleted the blocks between the two positions', () => {
    const [one, other] = [body('a', 'new', 'd'), body('a', 'b', 'c', 'new', 'd')];
    const expected = { primary: one, proposed: one, conflicts: 0 };
    expect(resolved(body('a', 'b', 'c', 'd'), one, other)).toEqual(expected);
    expect(resolved(body('a', 'b', 'c', 'd'), other, one)).toEqual(expected);
  });

  test('has a moved block and an equal insertion of the other side', () => {
    const all = body('a', 'M', 'b', 'c', 'M');
    const expected = { primary: all, proposed: all, conflicts: 0 };
    expect(
      resolved(body('M', 'a', 'b', 'c'), body('a', 'b', 'c', 'M'), body('M', 'a', 'M', 'b', 'c')),
    ).toEqual(expected);
  });

  test('has a moved block beside an insertion of the other side', () => {
    const [ancestor, moved, wrote] = [body('H', 'A', 'B'), body('A', 'H', 'B'), body('H', 'A', 'Q', 'B')];
    const all = body('A', 'H', 'Q', 'B');
    const expected = { primary: all, proposed: all, conflicts: 0 };
    expect(resolved(ancestor, moved, wrote)).toEqual(expected);
    expect(resolved(ancestor, wrote, moved)).toEqual(expected);
    const [alpha, gamma] = ['Alpha block words', 'Gamma block words'];
    const edited = body(alpha, gamma, 'Beta block new words', 'New from request');
    expect(
      resolved(
        body(alpha, 'Beta block old words', gamma),
        body(alpha, gamma, 'Beta block old words'),
        body(alpha, 'Beta block new words', gamma, 'New from request'),
      ),
    ).toEqual({ primary: edited, proposed: edited, conflicts: 0 });
    // Insertions of both sides beside it are still a conflict.
    expect(resolved(ancestor, body('A', 'P', 'H', 'B'), wrote)).toEqual({
      primary: body('A', 'P', 'H', 'B'),
      proposed: body('A', 'H', 'Q', 'B'),
      conflicts: 1,
    });
  });

  test('has a block that both sides moved at the position of the chosen side', () => {
    const [ancestor, up, down] = [
      body('a', 'b', 'M', 'c'),
      body('M', 'a', 'b', 'c'),
      body('a', 'b', 'c', 'M'),
    ];
    expect(resolved(ancestor, up, down)).toEqual({ primary: up, proposed: down, conflicts: 1 });
    expect(resolved(ancestor, down, up)).toEqual({ primary: down, proposed: up, conflicts: 1 });
  });

  test('has blocks that both sides moved to one position in the order of the chosen side', () => {
    const [ancestor, one, other] = [
      body('a', 'b', 'c', 'd', 'M', 'N'),
      body('a', 'M', 'N', 'b', 'c', 'd'),
      body('a', 'N', 'M', 'b', 'c', 'd'),
    ];
    expect(resolved(ancestor, one, other)).toEqual({ primary: one, proposed: other, conflicts: 1 });
    expect(resolved(ancestor, one, one)).toEqual({ primary: one, proposed: one, conflicts: 0 });
  });

  test('has a block that both sides moved once, if only deleted blocks are between the positions', () => {
    const [ancestor, one] = [body('a', 'b', 'c', 'd', 'M'), body('a', 'M', 'c', 'd')];
    const expected = { primary: one, proposed: one, conflicts: 0 };
    expect(resolved(ancestor, one, body('a', 'b', 'M', 'c', 'd'))).toEqual(expected);
    expect(resolved(ancestor, body('a', 'b', 'M', 'c', 'd'), one)).toEqual(expected);
  });

  test('has a block that both sides moved and edited once, with both edits', () => {
    const rest = ['Intro words here', 'Some code text'];
    const of = (rule: string) => body(...rest, '## Last heading', rule);
    const merged = 'The limit is ten per week';
    const [ancestor, up] = [
      body(...rest, 'The rule is ten per day', '## Last heading'),
      (rule: string) => body(rule, ...rest, '## Last heading'),
    ];
    const expected = { primary: of(merged), proposed: up(merged), conflicts: 1 };
    expect(resolved(ancestor, of('The rule is ten per week'), up('The limit is ten per day'))).toEqual(
      expected,
    );
    expect(resolved(ancestor, of('The rule is ten per week'), up('The rule is ten per month'))).toEqual({
      primary: of('The rule is ten per week'),
      proposed: up('The rule is ten per month'),
      conflicts: 1,
    });
  });

  test('has all items of joined lists', () => {
    const [fruit, more] = ['- apples\n- pears', '- bread\n- milk'];
    const all = body(`${fruit}\n- plums`, 'Buy these too.', more);
    const [ancestor, primary] = [
      body(fruit, '## More', more),
      body(`${fruit}\n- plums`, '## More', 'Buy these too.', more),
    ];
    const expected = { primary: all, proposed: all, conflicts: 0 };
    expect(resolved(ancestor, primary, body(fruit, more))).toEqual(expected);
    expect(resolved(ancestor, body(fruit, more), primary)).toEqual(expected);
  });

  test('has an insertion beside a list that is a version: both are parsed as one list', () => {
    const { conflicts, text } = mergeBody({
      ancestor: body('a', '- one two'),
      primary: body('a'),
      proposed: body('a', '- one three'),
    });
    const keys = conflicts.flatMap(({ block }) => block.proposed);
    const withInsertion = text.replace('a\n', 'a\n\n- new\n');
    const now = [...followKeys(text, withInsertion, keys).values()].map((key) => key ?? '');
    expect(withoutBlocks(withInsertion, new Set(now))).toBe(body('a', '- new'));
  });

  test('has all items of a split list', () => {
    const [one, two] = ['- bread one\n- milk two', '- eggs three\n- salt four\n- oil five'];
    const ancestor = body('## Title here now', one, two);
    const proposed = body('## Heading here now', 'Intro words first.', one, two.replace('four', 'changed'));
    const all = body(
      '## Heading here now',
      'Intro words first.',
      one,
      'New.',
      two.replace('four', 'changed'),
    );
    const expected = { primary: all, proposed: all, conflicts: 0 };
    expect(resolved(ancestor, body('## Title here now', one, 'New.', two), proposed)).toEqual(expected);
    expect(resolved(ancestor, proposed, body('## Title here now', one, 'New.', two))).toEqual(expected);
  });
});
