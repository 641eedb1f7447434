import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { expectError } from './refusal.ts';
import { aSide, type Side } from './world.ts';

let app: TestApp;
let side: Side;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
});

test('a response of more than 64 MB is refused with a hint to a smaller request', async () => {
  const teams = `/v1/orgs/${side.organizationId}/teams`;
  const { token } = side.admin;
  await app.sql('alter table teams drop constraint teams_title_check');
  await app.sql(
    `insert into teams (id, organization_id, title)
     select 'team' || n, $1, repeat('x', 1000000) from generate_series(1, 70) n`,
    [side.organizationId],
  );
  expectError(await app.call('GET', `${teams}?limit=100`, { token }), 413, /exceed 64 MB.*`limit`/);
  // Not by `call`: such titles violate the public schema.
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.app.server.inject({ url: `${teams}?limit=10`, headers })).statusCode).toBe(200);
});

test('a write whose response is too large is rolled back', async () => {
  const { id, token } = side.people.edit;
  // As JSON, each of these characters has six.
  await app.sql(
    `update users set photo_url = 'https://x.example/' || repeat(chr(1), 12000000) where id = $1`,
    [id],
  );
  expectError(await app.call('PATCH', `/v1/users/${id}`, { token, body: { displayName: 'New' } }), 413);
  expect(await app.sql(`select 1 from users where display_name = 'New'`)).toEqual([]);
});
