import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aSite, type TestSite } from '../../../test/site-settings.ts';
import { aWorld, type World } from '../../../test/world.ts';

let app: TestApp;
let world: World;
let site: TestSite;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  site = await aSite(app, world.a);
});

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, `${site.path}/adaptive-schema${path}`, {
    token: world.a.admin.token,
    ...(body === undefined ? {} : { body }),
  });

const JSON_SCHEMA = {
  type: 'object',
  properties: {
    zone: { type: 'string', description: 'Zone', enum: ['eu', 'us'] },
    beta: { type: 'boolean', description: 'Beta' },
  },
  additionalProperties: false,
};

describe('the adaptive schema', () => {
  test('declares no claims at first', async () => {
    const { status, body } = await call('GET', '');
    expect(status).toBe(200);
    expect(body.jsonSchema.properties.unsigned.properties).toEqual({});
    expect((await call('GET', '/template-conditions')).body).toEqual({ items: [] });
  });

  test('is stored as it was sent, with the order of its members', async () => {
    const answer = await call('PUT', '', { jsonSchema: JSON_SCHEMA });
    expect(answer.status, answer.text).toBe(200);
    const { body } = await call('GET', '');
    expect(body).toEqual(answer.body);
    expect(JSON.stringify(body.jsonSchema)).toBe(JSON.stringify(JSON_SCHEMA));
    expect(Date.parse(body.updatedAt)).not.toBeNaN();
  });

  test('gives conditions', async () => {
    const { body } = await call('GET', '/template-conditions');
    expect(body.items[0]).toEqual({ description: 'Zone: eu', condition: 'visitor.claims.zone === "eu"' });
    expect(body.items).toHaveLength(4);
  });

  test('is refused with every place that is not valid', async () => {
    const properties = { a: { type: 'string' }, b: { type: 'date', description: 'B' } };
    const answer = await call('PUT', '', { jsonSchema: { ...JSON_SCHEMA, properties } });
    expectError(answer, 400);
    expect(detailsOf(answer).map((detail) => detail.split(':')[0])).toEqual([
      'body.jsonSchema.properties.a.description',
      'body.jsonSchema.properties.b.type',
    ]);
    for (const jsonSchema of [undefined, null, [], 'x', {}, { type: 'object' }])
      expectError(await call('PUT', '', { jsonSchema }), 400);
  });

  test('is limited in size', async () => {
    const description = 'x'.repeat(500);
    const properties = Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [`c${at}`, { type: 'string', description }]),
    );
    expectError(await call('PUT', '', { jsonSchema: { ...JSON_SCHEMA, properties } }), 413);
  });
});
