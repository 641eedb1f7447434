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
  const questions = callers.flatMap((token) => paths.map((path) => ({ token, path })));
  const ask = async ({ token, path }: (typeof questions)[number]) => {
    const { status, text } = await app.call('GET', path, { token });
    return { status, text };
  };

  const alone = [];
  for (const question of questions) alone.push(await ask(question));
  const together = await Promise.all(questions.map(ask));
  expect(together).toEqual(alone);
  expect(new Set(together.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 404]));
});
