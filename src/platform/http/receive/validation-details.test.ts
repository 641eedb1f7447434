import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { nullable } from '../../api/schema.ts';
import { detailsOf } from './validation-details.ts';

/** Enough forms that the library's list of eight errors is full before it comes to the last one. */
const change = (operation: string, more: object) =>
  Type.Object({ operation: Type.Literal(operation), ...more });
const Change = Type.Union([
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name) => change(name, { id: Type.String() })),
  change('draw', {
    title: Type.Optional(Type.String({ minLength: 1 })),
    icon: Type.Optional(nullable(Type.String({ maxLength: 3 }))),
    colour: Type.Optional(Type.Enum(['red', 'blue'])),
    points: Type.Optional(Type.Array(Type.Number(), { maxItems: 2 })),
    values: Type.Optional(
      Type.Record(Type.String({ pattern: '^v' }), Type.Union([Type.String({ maxLength: 3 }), Type.Number()])),
    ),
    to: Type.Optional(
      Type.Union([
        Type.Object({ kind: Type.Literal('url'), url: Type.String() }),
        Type.Object({ kind: Type.Literal('page'), page: Type.String() }),
      ]),
    ),
    body: Type.Optional(
      Type.Union([
        Type.Object({ text: Type.String() }, { not: { required: ['tree'] } }),
        Type.Object({ tree: Type.Object({}) }, { not: { required: ['text'] } }),
        Type.Object({}, { additionalProperties: false }),
      ]),
    ),
  }),
]);
const Batch = Type.Object({ changes: Type.Array(Change, { minItems: 1 }) });

const said = (value: unknown) => detailsOf(Batch, value, 'body').map(({ path, rule }) => `${path}: ${rule}`);
const saidOf = (...changes: unknown[]) => said({ changes });

describe('what is said of a value that is wrong', () => {
  test.each<[object, string]>([
    [{ title: '' }, 'title: must not have fewer than 1 characters'],
    [{ title: null }, 'title: must be string'],
    [{ icon: 'long' }, 'icon: must not have more than 3 characters'],
    [{ icon: 5 }, 'icon: must be string or null'],
    [{ colour: 'green' }, 'colour: must be one of ["red","blue"]'],
    [{ points: [1, 2, 3] }, 'points: must not have more than 2 items'],
    [{ points: [1, 'x'] }, 'points.1: must be number'],
    [{ values: { v1: 'long' } }, 'values.v1: must not have more than 3 characters'],
    [{ to: { kind: 'page' } }, 'to: must have page'],
    [{ to: { kind: 'url', url: 5 } }, 'to.url: must be string'],
    [{ to: { kind: 'file' } }, 'to.kind: must be one of ["url","page"]'],
    [{ body: { text: 5 } }, 'body.text: must be string'],
    [{ body: { text: '', tree: {} } }, 'body: must have only one of text, tree'],
  ])('in the form that its constant names: %j', (members, expected) => {
    expect(saidOf({ operation: 'draw', ...members })).toEqual([`body.changes.0.${expected}`]);
  });

  test('when no form was named', () => {
    const operations = '["a","b","c","d","e","f","g","h","i","draw"]';
    expect(saidOf({ operation: 'z' })).toEqual([`body.changes.0.operation: must be one of ${operations}`]);
    expect(saidOf({})).toEqual([`body.changes.0.operation: must be one of ${operations}`]);
    expect(saidOf('z')).toEqual(['body.changes.0: must be object']);
    expect(said({})).toEqual(['body: must have changes']);
    expect(said(null)).toEqual(['body: must be object']);
  });

  test('of every place, up to a number that a person may read', () => {
    expect(saidOf({ operation: 'a' }, { operation: 'draw', title: 1, colour: 2 })).toEqual([
      'body.changes.0: must have id',
      'body.changes.1.title: must be string',
      'body.changes.1.colour: must be one of ["red","blue"]',
    ]);
    expect(saidOf(...Array.from({ length: 100 }, () => ({ operation: 'a' })))).toHaveLength(20);
    expect(saidOf({ operation: 'a', id: 'x' })).toEqual([]);
  });
});

describe('a body full of garbage', () => {
  /** An array that counts how often its items are looked at. */
  function counting(item: unknown, length: number) {
    const seen = { items: 0 };
    const value = new Proxy(
      Array.from({ length }, () => item),
      {
        get(target, key) {
          if (typeof key === 'string' && /^\d+$/.test(key)) seen.items++;
          return Reflect.get(target, key) as unknown;
        },
      },
    );
    return { value, seen };
  }

  test('is told twenty errors of, and not looked at any further', () => {
    for (const item of [{}, 7, { operation: 'draw', title: '' }, { operation: 'none' }]) {
      const few = counting(item, 100);
      const many = counting(item, 100_000);
      expect(said({ changes: few.value })).toHaveLength(20);
      expect(said({ changes: many.value })).toHaveLength(20);
      expect(many.seen).toEqual(few.seen);
    }
  });

  test('is looked at once for each level around it', () => {
    const valid = { operation: 'a', id: 'x' };
    const { value, seen } = counting(valid, 10_000);
    value[9_999] = {};
    expect(said({ changes: value })).toEqual([
      'body.changes.9999.operation: must be one of ["a","b","c","d","e","f","g","h","i","draw"]',
    ]);
    expect(seen.items).toBeLessThanOrEqual(3 * 10_000);
  });

  test('is told of no item beyond those that are allowed', () => {
    const Few = Type.Object({ points: Type.Array(Type.Number(), { maxItems: 3 }) });
    const points = Array.from({ length: 1000 }, () => 'x');
    expect(detailsOf(Few, { points }, 'body').map(({ path }) => path)).toEqual([
      'body.points',
      'body.points.0',
      'body.points.1',
      'body.points.2',
    ]);
  });
});
