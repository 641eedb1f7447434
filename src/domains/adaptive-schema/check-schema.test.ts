import { describe, expect, test } from 'vitest';
import { checkExpression } from '../../content-engine/expressions/index.ts';
import { mayRead } from '../visitors/index.ts';
import { problemsOf } from './check-schema.ts';
import { UNSIGNED_DESCRIPTION, type ClaimsSchema } from './schema.ts';
import { templateConditions } from './template-conditions.ts';

const of = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});
const unsigned = (properties: object) => ({ ...of(properties), description: UNSIGNED_DESCRIPTION });
const text = { type: 'string', description: 'Text' };

const VALID = of({
  plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan' },
  seats: { type: 'number', description: 'Seats' },
  admin: { type: 'boolean', description: 'Administrator' },
  roles: {
    type: 'array',
    description: 'Roles',
    items: { type: 'string', enum: ['a"b'], description: 'Role' },
  },
  'a-b': { description: 'Nested', ...of({ on: { type: 'boolean', description: 'On' } }) },
  unsigned: unsigned({ beta: { type: 'boolean', description: 'Beta' } }),
}) as unknown as ClaimsSchema;

const nest = (depth: number): object =>
  depth === 0 ? text : { description: 'Nested', ...of({ a: nest(depth - 1) }) };

describe('the schema of claims', () => {
  test('is valid with every type', () => {
    expect(problemsOf(VALID)).toEqual([]);
    expect(problemsOf({ $schema: 'http://json-schema.org/draft-07/schema#', ...of({}) })).toEqual([]);
    expect(problemsOf(of({ a: nest(5) }))).toEqual([]);
  });

  test.each([
    ['a list', [], 'body.jsonSchema'],
    ['null', null, 'body.jsonSchema'],
    ['another type', of({}, { type: 'array' }), 'body.jsonSchema.type'],
    ['further members', of({}, { required: ['a'] }), 'body.jsonSchema.required'],
    [
      'another draft',
      of({}, { $schema: 'https://json-schema.org/draft/2020-12/schema' }),
      'body.jsonSchema.$schema',
    ],
    ['open objects', of({}, { additionalProperties: true }), 'body.jsonSchema.additionalProperties'],
    ['claims as a list', of([text]), 'body.jsonSchema.properties'],
    ['a claim without a type', of({ a: { description: 'A' } }), 'body.jsonSchema.properties.a.type'],
    ['an unknown type', of({ a: { type: 'null', description: 'A' } }), 'body.jsonSchema.properties.a.type'],
    ['no description', of({ a: { type: 'string' } }), 'body.jsonSchema.properties.a.description'],
    ['a reference', of({ a: { ...text, $ref: '#' } }), 'body.jsonSchema.properties.a.$ref'],
    [
      'a regular expression',
      of({ a: { ...text, pattern: '^(a+)+$' } }),
      'body.jsonSchema.properties.a.pattern',
    ],
    ['numbers in enum', of({ a: { ...text, enum: [1] } }), 'body.jsonSchema.properties.a.enum'],
    [
      'a list of lists',
      of({ a: { type: 'array', description: 'A', items: { type: 'array', description: 'B' } } }),
      'body.jsonSchema.properties.a.items.type',
    ],
    [
      'an open object',
      of({ a: { type: 'object', description: 'A', properties: {} } }),
      'body.jsonSchema.properties.a.additionalProperties',
    ],
    [
      'unsigned as text',
      of({ unsigned: { type: 'string', description: UNSIGNED_DESCRIPTION } }),
      'body.jsonSchema.properties.unsigned.type',
    ],
    [
      'another description of unsigned',
      of({ unsigned: { ...of({}), description: 'x' } }),
      'body.jsonSchema.properties.unsigned.description',
    ],
    [
      'too deep',
      of({ a: nest(6) }),
      'body.jsonSchema.properties.a.properties.a.properties.a.properties.a.properties.a.properties.a',
    ],
    [
      'too many claims',
      of(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`c${at}`, text]))),
      'body.jsonSchema.properties',
    ],
  ])('is refused: %s', (_name, schema, path) => {
    expect(problemsOf(schema)[0]?.path).toBe(path);
  });
});

describe('template conditions', () => {
  const conditions = templateConditions(VALID).map(({ condition }) => condition);

  test('cover the values of each claim', () => {
    expect(conditions).toEqual([
      'visitor.claims.plan === "free"',
      'visitor.claims.plan === "pro"',
      'visitor.claims.admin === true',
      'visitor.claims.admin !== true',
      'visitor.claims.roles.includes("a\\"b")',
      'visitor.claims["a-b"].on === true',
      'visitor.claims["a-b"].on !== true',
      'visitor.claims.unsigned.beta === true',
      'visitor.claims.unsigned.beta !== true',
    ]);
  });

  test('are valid expressions that hold for such a visitor', () => {
    for (const condition of conditions) expect(checkExpression(condition), condition).toBeUndefined();
    const claims = { signed: { plan: 'pro', roles: ['a"b'], 'a-b': { on: true } }, unsigned: {} };
    expect(conditions.filter((condition) => mayRead(condition, claims))).toEqual([
      'visitor.claims.plan === "pro"',
      'visitor.claims.admin !== true',
      'visitor.claims.roles.includes("a\\"b")',
      'visitor.claims["a-b"].on === true',
      'visitor.claims.unsigned.beta !== true',
    ]);
  });
});
