import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { aMember, aWorld, type World } from './world.ts';

/** Concurrent reads share a statement. Each caller still gets exactly their own response. */

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp({ environment: { OCTAVO_CACHE: 'off' } });
  world = await aWorld(app);
});

test('concurrent reads of many callers return the same responses as sequential reads', async () => {
  const guest = await aMember(app, world.a.organizationId, null);
  const callers = [world.a.admin.token, world.b.admin.token, guest.token, 'mistyped', undefined];
  const paths = [world.a, world.b].flatMap(({ organizationId, admin }) => [
    `/v1/orgs/${organizationId}`,
    `/v1/orgs/${organizationId}/members/${admin.id}`,
    `/v1/users/${admin.id}`,
    '/v1/user',
    `/v1/orgs/${organizationId}x`,
    '/v1/orgs/%20',
  ]);
  const requests = callers.flatMap((token) => paths.map((path) => ({ token, path })));
  const send = async ({ token, path }: (typeof requests)[number]) => {
    const { status, text } = await app.call('GET', path, { token });
    return { status, text };
  };

  const sequential = [];
  for (const request of requests) sequential.push(await send(request));
  const concurrent = await Promise.all(requests.map(send));
  expect(concurrent).toEqual(sequential);
  expect(new Set(concurrent.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 404]));
});
