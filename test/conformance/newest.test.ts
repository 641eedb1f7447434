import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/domains/index.ts';
import type { NamedOperation } from '../../src/platform/api/operation.ts';
import { startApp, type TestApp } from '../app.ts';
import { sampleOf } from '../sample.ts';
import { aWorld, type World } from '../world.ts';
import { shapeOf } from './contract.ts';
import { FOREIGN_ANSWERS, NEWEST_DIFFERENCES, SCHEMA_CHANGES } from './exemptions.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { ajvWith, sentencesOf } from './schemas.ts';
import { readSpec, routesOf, type SpecRoute } from './spec.ts';

const spec = readSpec('gitbook-api-newest');
const routes = new Map(routesOf(spec).map((route) => [`${route.method} ${shapeOf(route.path)}`, route]));
const validator = ajvWith(SCHEMA_CHANGES, spec, true);
const foreign = new Set(FOREIGN_ANSWERS.flatMap(({ operationIds }) => operationIds));

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

/** How an answer differs from the newest schema, besides the intended differences. */
function violationsOf(route: SpecRoute, status: number, body: unknown): string[] {
  const response = route.responses[status];
  const schema = response?.content?.['application/json']?.schema;
  const found = response ? [] : [`status ${status}`];
  if (schema) {
    const validate = validator.compile(jsonSchemaOf(schema));
    if (!validate(body)) found.push(...sentencesOf(validate.errors ?? []));
  }
  const intended = NEWEST_DIFFERENCES.find(({ operationId }) => operationId === route.operationId);
  return found.filter((sentence) => !intended?.sentences.includes(sentence));
}

const known = operations.flatMap((operation): [string, SpecRoute, NamedOperation][] => {
  const route = routes.get(`${operation.method} ${shapeOf(operation.path)}`);
  return route && !foreign.has(route.operationId) ? [[route.operationId, route, operation]] : [];
});

/** Clients that were generated from the newest schema find every member that it requires. */
describe('the newest schema', () => {
  test.each(known)('describes the answer of %s', async (_id, route, operation) => {
    const { method, url, token, body } = await sampleOf(app, operation, world.a);
    const answer = await app.call(method, url, { token, ...(body === undefined ? {} : { body }) });
    expect(answer.status, answer.text).toBe(operation.status);
    expect(violationsOf(route, answer.status, answer.body)).toEqual([]);
  });
});
