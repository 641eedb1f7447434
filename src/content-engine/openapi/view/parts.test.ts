import fc from 'fast-check';
import { expect, it } from 'vitest';
import { specificationOf } from '../../../../test/openapi-parts.ts';
import {
  partsOf,
  type ContentView,
  type JsonObject,
  type ModelView,
  type OperationView,
  type PartView,
} from '../index.ts';

const viewOf = <View extends PartView = OperationView>(root: JsonObject, name: string) =>
  [...partsOf(root)].find((part) => part.name === name)?.view as View | undefined;

it('converts operations of 2.0', () => {
  const view = viewOf(
    {
      swagger: '2.0',
      host: 'api.example.com',
      basePath: '/v2',
      consumes: ['application/json'],
      paths: {
        '/pets': {
          post: {
            parameters: [
              { in: 'body', name: 'pet', required: true, schema: { $ref: '#/definitions/Pet' } },
              { in: 'query', name: 'limit', type: 'integer', maximum: 9 },
            ],
            responses: { 200: { schema: { $ref: '#/definitions/Pet' } } },
          },
        },
      },
      definitions: { Pet: { type: 'object', properties: { name: { type: 'string' } } } },
    },
    'post /pets',
  );
  expect(view?.servers).toEqual([{ url: 'https://api.example.com/v2' }]);
  expect(view?.parameters).toMatchObject([
    { name: 'limit', schema: { type: 'integer', constraints: ['≤ 9'] } },
  ]);
  expect(view?.body).toMatchObject({ required: true, contents: [{ schema: { model: 'Pet' } }] });
  expect(view?.responses[0]?.contents[0]?.examples).toEqual([{ name: '', text: '{\n  "name": "text"\n}' }]);
});

it('names models that contain themselves, or that are deeper than two levels', () => {
  const pet = viewOf<ModelView>(specificationOf('Words'), 'Pet')?.schema;
  const friends = pet?.properties?.find(({ name }) => name === 'friends')?.schema;
  expect(friends).toMatchObject({ type: 'array of Pet', items: { model: 'Pet', isCut: true } });
});

const objectOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const jsonOf = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

it('shows what is in the list of a response', () => {
  const pets = { type: 'array', items: { $ref: '#/components/schemas/Pet' } };
  const page = objectOf({ pets });
  const view = viewOf(
    {
      openapi: '3.1.0',
      paths: { '/pets': { get: { responses: { 200: jsonOf({ $ref: '#/components/schemas/Page' }) } } } },
      components: { schemas: { Page: page, Pet: objectOf({ name: { type: 'string' } }) } },
    },
    'get /pets',
  );
  expect(view?.responses[0]?.contents[0]?.schema?.properties?.[0]?.schema).toMatchObject({
    type: 'array of Pet',
    items: { properties: [{ name: 'name' }] },
  });
});

it('shows what is read-only in responses only, and what is write-only in requests only', () => {
  const user = objectOf({ id: { readOnly: true }, name: {}, password: { writeOnly: true } });
  const post = { requestBody: jsonOf(user), responses: { 200: jsonOf(user) } };
  const view = viewOf({ openapi: '3.1.0', paths: { '/users': { post } } }, 'post /users');
  const namesOf = (contents: readonly ContentView[] | undefined) =>
    contents?.[0]?.schema?.properties?.map(({ name }) => name);
  expect(namesOf(view?.body?.contents)).toEqual(['name', 'password']);
  expect(namesOf(view?.responses[0]?.contents)).toEqual(['id', 'name']);
});

it('leaves out what is internal', () => {
  const get = { 'x-internal': true, responses: {} };
  expect(viewOf({ openapi: '3.1.0', paths: { '/a': { get } } }, 'get /a')).toBeUndefined();
});

it('is bounded where schemas multiply', () => {
  const ref = (n: number) => ({ $ref: `#/components/schemas/S${n % 200}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 200 }, (_each, n) => [
      `S${n}`,
      {
        allOf: [ref(n + 1), ref(n + 7)],
        oneOf: Array.from({ length: 30 }, (_one, k) => ref(n + k)),
        properties: Object.fromEntries(Array.from({ length: 30 }, (_one, k) => [`p${k}`, ref(n + k)])),
      },
    ]),
  );
  for (const { view } of partsOf({ openapi: '3.1.0', components: { schemas } }))
    expect(JSON.stringify(view).length).toBeLessThan(300_000);
});

it('reads specifications of any shape', () => {
  const root = specificationOf('Words');
  const value = fc.oneof(
    fc.anything(),
    fc.constant({ $ref: '#/components/schemas/Pet' }),
    fc.constant({ $ref: '#' }),
  );
  const places: (readonly [JsonObject, string])[] = [];
  const visit = (object: JsonObject): void => {
    for (const [name, child] of Object.entries(object)) {
      places.push([object, name]);
      if (typeof child === 'object' && child !== null) visit(child as JsonObject);
    }
  };
  visit(root);
  fc.assert(
    fc.property(fc.constantFrom(...places), value, ([object, name], replacement) => {
      const before = object[name];
      object[name] = structuredCloneable(replacement);
      try {
        const names = [...partsOf(root)].map((part) => `${part.kind} ${part.name}`);
        expect(new Set(names).size).toBe(names.length);
      } finally {
        object[name] = before;
      }
    }),
    { numRuns: 300 },
  );
});

/** As JSON is. */
function structuredCloneable(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return null;
  }
}
