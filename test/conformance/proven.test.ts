import { GitBookAPI } from '@gitbook/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/domains/index.ts';
import { startApp, type TestApp } from '../app.ts';
import { committed, expectGenerated } from '../generated.ts';
import { sampleOf } from '../sample.ts';
import { aWorld, type World } from '../world.ts';
import { callWithClient } from './client.ts';
import { contractOperation } from './contract.ts';
import { violationsOf } from './schemas.ts';
import { routeAt, routes } from './spec.ts';
import { conformanceTable, provenIn } from './table.ts';

const TABLE = 'docs/conformance.md';

let app: TestApp;
let world: World;
let endpoint: string;
const proven = new Set<string>();

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  endpoint = await app.app.server.listen({ port: 0, host: '127.0.0.1' });
});

const known = operations.flatMap((operation) => {
  const route = routeAt(operation.method, operation.path);
  return route ? [[route.operationId, operation] as const] : [];
});

/** Every operation that the public client knows and the server implements, through the real client and a connection. */
describe.each(known)('%s', (operationId, operation) => {
  test('works with the public client', async () => {
    const { params, query, body, token } = await sampleOf(app, operation, world.a);
    const api = new GitBookAPI({ endpoint, authToken: token });
    const answer = await callWithClient(api, operationId, {
      params,
      ...(Object.keys(query).length > 0 ? { query } : {}),
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBe(operation.status);
    expect(violationsOf(operation.method, operation.path, answer.status, answer.data)).toEqual([]);
    const contracted = contractOperation(operation.method, operation.path);
    if (contracted) proven.add(contracted.operationId);
  });
});

describe('docs/conformance.md', () => {
  afterAll(() => proven.clear());

  test('loses no proven operation', () => {
    const lost = [...provenIn(committed(TABLE))].filter((operationId) => !proven.has(operationId));
    expect(lost, 'operations that were proven and no longer are').toEqual([]);
  });

  test('is up to date', () => {
    const served = operations.flatMap(
      ({ method, path }) => contractOperation(method, path)?.operationId ?? [],
    );
    const client = { operations: routes.length, served: known.length };
    expectGenerated(TABLE, conformanceTable(new Set(served), proven, client));
  });
});
