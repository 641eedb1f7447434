import { createHash } from 'node:crypto';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { turnRatio } from '../../../test/longest-turn.ts';
import { inSlices } from '../threads/slices.ts';
import { serialiseInSteps } from './serialise-large.ts';
import { serialiser } from './serialiser.ts';

const Item = Type.Object({
  id: Type.String(),
  count: Type.Optional(Type.Integer({ default: 1 })),
  target: Type.Union([
    Type.Object({ kind: Type.Literal('page'), page: Type.String() }),
    Type.Object({ kind: Type.Literal('url'), url: Type.String() }),
    Type.Null(),
  ]),
  links: Type.Array(Type.String()),
});
const Answer = Type.Object({
  items: Type.Array(Item),
  byId: Type.Record(Type.String(), Item),
  next: Type.Optional(Type.Object({ page: Type.String() })),
  some: Type.Array(Type.Object({}, { additionalProperties: true })),
});

const targets = [{ kind: 'page', page: 'é"\n' }, { kind: 'url', url: 'https://a.example/', page: 'x' }, null];

const itemOf = (index: number, links: number) => ({
  id: `item ${index}`,
  undeclared: 'x',
  target: targets[index % 3],
  links: Array.from({ length: links }, (_each, number) => `“link ${number}”`),
});

function answerOf(items: number, links: number) {
  const shared = itemOf(0, links);
  const all = Array.from({ length: items }, (_each, index) => itemOf(index, links));
  return {
    items: all,
    byId: Object.fromEntries(all.map((item, index) => [`"${index}`, index % 4 === 0 ? item : shared])),
    some: [{ any: links }],
    undeclared: 'x'.repeat(300_000),
  };
}

const written = (answer: object): Promise<Buffer> => inSlices(serialiseInSteps(Answer, answer, undefined));

describe('a large answer', () => {
  test.each([
    ['with many items', 3000, 5],
    ['with large items', 3, 50_000],
    ['without items', 0, 0],
  ])('%s is the same in steps', async (_name, items, links) => {
    const answer = answerOf(items, links);
    const hash = createHash('sha1');
    const body = await inSlices(serialiseInSteps(Answer, answer, hash));
    expect(body.toString() === serialiser(Answer)(answer)).toBe(true);
    expect(hash.digest('hex')).toBe(createHash('sha1').update(body).digest('hex'));
  });

  test('needs what the schema requires', async () => {
    const { some: _some, ...without } = answerOf(3000, 50);
    await expect(written(without)).rejects.toThrow(/"some"/);
  });

  test('is refused beyond 64 MB', async () => {
    const answer = answerOf(1, 200_000);
    const byId = Object.fromEntries(Array.from({ length: 100 }, (_each, n) => [n, answer.items[0]]));
    await expect(written({ ...answer, byId })).rejects.toThrow(/64 MB/);
  });

  test('is written in slices', async () => {
    const large = answerOf(20_000, 30);
    const small = answerOf(100, 30);
    // Some 20 times as long in one turn.
    expect(
      await turnRatio(
        () => written(large),
        () => written(small),
        5,
      ),
    ).toBeLessThan(5);
  });
});
