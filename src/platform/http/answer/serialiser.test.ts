import Type from 'typebox';
import { expect, test } from 'vitest';
import { cpuTimeRatio } from '../../../../test/cpu-time.ts';
import { nullable } from '../../api/schema.ts';
import { serialiser } from './serialiser.ts';

const Target = Type.Union([
  Type.Object({ kind: Type.Literal('url'), url: Type.String() }),
  Type.Object({ kind: Type.Literal('page'), page: Type.Object({ id: Type.String() }) }),
  Type.Object({ kind: Type.Literal('user'), user: nullable(Type.String()) }),
]);
const Link = Type.Object({
  to: Target,
  from: Type.Optional(Type.Array(Target)),
  title: Type.Optional(Type.Union([Type.String(), Type.Object({ text: Type.String() })])),
});

test.each([
  { to: { kind: 'url', url: 'https://a.example' } },
  { to: { kind: 'page', page: { id: 'p1' } }, title: 'A "quoted" title' },
  { to: { kind: 'user', user: null }, title: { text: 'x' }, from: [{ kind: 'user', user: 'u1' }] },
  {
    to: { kind: 'url', url: '' },
    from: [
      { kind: 'page', page: { id: '1' } },
      { kind: 'url', url: 'b' },
    ],
  },
])('writes each alternative as it is: %j', (link) => {
  expect(JSON.parse(serialiser(Link)(link))).toEqual(link);
});

test('leaves out members that the alternative does not declare', () => {
  const link = {
    to: { kind: 'page', page: { id: 'p1', secret: 1 }, url: 'no' },
    title: { text: 'x', secret: 1 },
    secret: 1,
  };
  expect(JSON.parse(serialiser(Link)(link))).toEqual({
    to: { kind: 'page', page: { id: 'p1' } },
    title: { text: 'x' },
  });
});

test('compiles an alternative without the rest of the schema', () => {
  const members = Array.from({ length: 400 }, (_, index) => [
    `member${index}`,
    Type.Optional(Type.Object({ name: Type.String(), size: Type.Optional(Type.Number()) })),
  ]);
  const large = (more: object) => Type.Object({ ...Object.fromEntries(members), ...more });
  const firstUse = (schema: Type.TSchema, value: object) => () =>
    expect(JSON.parse(serialiser(schema)(value))).toEqual(value);

  const ratio = cpuTimeRatio(
    firstUse(large({ icon: nullable(Type.String()), to: Target }), {
      icon: 'a',
      to: { kind: 'url', url: 'b' },
    }),
    firstUse(large({ icon: Type.String() }), { icon: 'a' }),
    3,
  );
  expect(ratio).toBeLessThan(3);
});
