import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { insertToken } from '../src/domains/users/index.ts';
import { startApp, type Answer, type TestApp } from './app.ts';
import { expectError } from './refusal.ts';
import { isPaged, sampleOf } from './sample.ts';
import { aSide, aWorld, type World } from './world.ts';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

const idsOf = ({ body }: Answer): string[] => body.items.map(({ id }: { id: string }) => id);

describe('a page', () => {
  test('has 50 items by default, and at most 1000', async () => {
    const side = await aSide(app, 'many');
    await app.sql(
      `insert into teams (id, organization_id, title) select 'many' || n, $1, 'Team ' || n from generate_series(1, 1005) n`,
      [side.organizationId],
    );
    const list = (query = '') =>
      app.call('GET', `/v1/orgs/${side.organizationId}/teams${query}`, { token: side.admin.token });
    const byDefault = await list();
    expect(byDefault.body.items).toHaveLength(50);
    expect(byDefault.body.count).toBe(1005);
    const largest = await list('?limit=1000');
    expect(largest.body.items).toHaveLength(1000);
    const rest = await list(`?limit=1000&page=${encodeURIComponent(largest.body.next.page)}`);
    expect(rest.body.items).toHaveLength(5);
    expect(rest.body.next).toBeUndefined();
    // Rows with the same timestamp: the id breaks the tie, and none is lost.
    const ids = [...idsOf(largest), ...idsOf(rest)];
    expect(new Set(ids).size).toBe(1005);
    for (const query of ['?limit=1001', '?limit=-1', '?limit=0.5', '?limit=NaN'])
      expectError(await list(query), 400);
  });

  test('may have another limit than the previous one', async () => {
    const side = await aSide(app, 'longer');
    const list = (query: Record<string, string | number>) =>
      app.call('GET', `/v1/orgs/${side.organizationId}/members`, { token: side.admin.token, query });
    const all = idsOf(await list({ limit: 1000 }));
    const first = await list({ limit: 2 });
    const { page } = first.body.next;
    const rest = await list({ limit: 100, page });
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(all);
    const empty = await list({ limit: 0, page });
    expect(empty.body).toEqual({ count: all.length, items: [] });
  });
});

describe('a cursor', () => {
  let members: string;
  let cursor: string;
  const withCursor = (page: string, url = members, token = world.a.admin.token) =>
    app.call('GET', `${url}${url.includes('?') ? '&' : '?'}limit=2&page=${encodeURIComponent(page)}`, {
      token,
    });

  beforeAll(async () => {
    members = `/v1/orgs/${world.a.organizationId}/members`;
    const first = await app.call('GET', `${members}?limit=2`, { token: world.a.admin.token });
    cursor = first.body.next.page;
  });

  test('can be reused, by its caller with any of their tokens', async () => {
    const again = await withCursor(cursor);
    expect(again.status).toBe(200);
    expect((await withCursor(cursor)).text).toBe(again.text);
    const { token } = await insertToken(app.app.installation.connection.db, world.a.admin.id, {
      label: 'Other',
    });
    expect((await withCursor(cursor, members, token)).text).toBe(again.text);
  });

  test('of another caller is 400', async () => {
    expectError(
      await withCursor(cursor, members, world.a.people.read.token),
      400,
      /not a cursor of this list/,
    );
  });

  test('of another operation, organization or filter is 400', async () => {
    const organization = `/v1/orgs/${world.a.organizationId}`;
    expectError(await withCursor(cursor, `${organization}/teams`), 400);
    expectError(await withCursor(cursor, '/v1/orgs'), 400);
    expectError(await withCursor(cursor, '/v1/user/tokens'), 400);
    for (const filter of ['role=read', 'search=a', 'order=asc', 'sort=lastSeenAt']) {
      expectError(await withCursor(cursor, `${members}?${filter}`), 400);
    }
    const { body } = await app.call('POST', '/v1/orgs', {
      token: world.a.admin.token,
      body: { title: 'Second' },
    });
    expectError(await withCursor(cursor, `/v1/orgs/${body.id}/members`), 400);
  });

  test('is valid with the defaults written out', async () => {
    expect((await withCursor(cursor, `${members}?order=desc&sort=joinedAt`)).status).toBe(200);
  });

  test('with any flipped bit is 400', async () => {
    // A deterministic generator, so that failures are reproducible.
    let state = 7;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    const damaged = Array.from({ length: 1500 }, () => {
      const bytes = Buffer.from(cursor, 'latin1');
      const at = random(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      return bytes.toString('latin1');
    });
    for (let i = 0; i < damaged.length; i += 50) {
      const answers = await Promise.all(damaged.slice(i, i + 50).map((page) => withCursor(page)));
      answers.forEach((answer, index) => expect(answer.status, damaged[i + index]).toBe(400));
    }
  });

  test('that is truncated, extended or forged is 400', async () => {
    const [body = '', signature = ''] = cursor.split('.');
    const forged = Buffer.from(JSON.stringify([['2000-01-01', 'x'], 1])).toString('base64url');
    for (const page of [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      `${cursor}.`,
      `${cursor}.x`,
      ` ${cursor}`,
      `${cursor}=`,
      `${body}=.${signature}`,
      `${cursor}${cursor}`,
      body,
      `${body}.`,
      `.${signature}`,
      `${forged}.${signature}`,
      '',
      '.',
      'null',
      'x'.repeat(4097),
    ]) {
      expectError(await withCursor(page), 400);
    }
  });
});

describe('every list', () => {
  const all = operations.filter(isPaged);
  test.each(all.map((operation) => [operation.id, operation] as const))(
    '%s rejects cursors of other lists',
    async (_id, operation) => {
      const first = await app.call('GET', `/v1/orgs/${world.a.organizationId}/members?limit=1`, {
        token: world.a.admin.token,
      });
      if (operation.id === 'listMembersInOrganizationById') return;
      const { bareUrl, token, body } = await sampleOf(app, operation, world.a);
      const page = encodeURIComponent(first.body.next.page);
      const sent = { token, ...(operation.body ? { body } : {}) };
      expectError(await app.call(operation.method, `${bareUrl}page=${page}`, sent), 400);
      const empty = await app.call(operation.method, `${bareUrl}limit=0`, sent);
      expect(empty.status, empty.text).toBe(200);
      expect(empty.body.items).toEqual([]);
      expect(empty.body.count).toEqual(expect.any(Number));
      expect(empty.body).not.toHaveProperty('next');
    },
  );
});
