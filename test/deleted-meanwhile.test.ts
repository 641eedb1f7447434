import { beforeAll, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { partOf } from './exhaustive.ts';
import { startApp, type TestApp } from './app.ts';
import { sampleOf } from './sample.ts';
import { aWorld, type World } from './world.ts';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

const reads = partOf(
  operations.filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/spaces/{spaceId}')),
  3,
  0,
);

// Without triggers, a deletion does not invalidate the cached row that admits the request.
test.each(reads.map((operation) => [operation.id, operation] as const))(
  '%s of a space that is deleted after its admission is 404, or what it was before',
  async (_id, operation) => {
    const { url, token, params } = await sampleOf(app, operation, world.a);
    await app.call('GET', url, { token });
    const withoutTriggers = (statement: string) =>
      app.sql(`do $$ begin set local session_replication_role = replica; ${statement}; end $$`);
    const where = `where id = '${params['spaceId']}'`;
    await withoutTriggers(`update spaces set deleted_at = now() ${where}`);
    try {
      const { status, text } = await app.call('GET', url, { token });
      expect([200, 302, 404], text).toContain(status);
    } finally {
      await withoutTriggers(`update spaces set deleted_at = null ${where}`);
    }
  },
);
