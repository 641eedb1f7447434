import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { startJobs } from '../src/app.ts';
import { startApp } from './app.ts';
import { contentsOf, insert } from './content.ts';
import { expectError } from './refusal.ts';
import { aSide } from './world.ts';

test('two apps in one process share no cache', async () => {
  const [one, other] = [await startApp(), await startApp()];
  const contents = contentsOf(one, await aSide(one, 'alpha'));
  const space = await contents.aSpace();
  await contents.edit(space, insert('Page', 'Text.'));
  await contents.pages(space);
  const { trees, objects, revisionAnswers } = one.app.context.caches;
  for (const cache of [trees, objects, revisionAnswers]) expect(cache.size).toBeGreaterThan(0);
  const { caches } = other.app.context;
  for (const cache of [caches.trees, caches.objects, caches.revisionAnswers]) expect(cache.size).toBe(0);
});

test('once a newer app has migrated the database, the older one answers 503 and runs no jobs', async () => {
  const { app, adminToken: token, call, sql } = await startApp();
  const worker = await startJobs(app.context, app.installation, pino({ level: 'silent' }));
  onTestFinished(() => worker.stop());
  const waitingForJobs = () =>
    sql(
      `select from pg_stat_activity where datname = current_database() and query ilike 'listen "jobs:insert"%'`,
    );
  await expect.poll(waitingForJobs).toHaveLength(1);
  const create = () => call('POST', '/v1/user/tokens', { token, body: { label: 'New' } });
  expect([(await create()).status, (await call('GET', '/readyz')).status]).toEqual([201, 200]);

  await sql(`do $$ begin
    alter table tokens rename label to name;
    insert into kysely_migration values ('9999-later', now()::text);
  end $$`);
  // The first request fails at the renamed column.
  expectError(await create(), 503, /being upgraded/);
  await app.installation.watch.becameNewer;
  for (const path of ['/v1/user', '/v1/orgs', '/']) {
    const refused = await call('GET', path, { token });
    expect([path, refused.status, refused.headers['retry-after']]).toEqual([path, 503, '1']);
  }
  expect(await call('GET', '/readyz')).toMatchObject({
    status: 503,
    body: { status: 'the database is newer than this program' },
  });
  expect((await call('GET', '/healthz')).status).toBe(200);
  await expect.poll(waitingForJobs).toHaveLength(0);
});
