import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { page } from '../src/platform/http/pages/page.ts';
import { sitePages } from '../src/site/serve/pages.ts';
import { startApp, type TestApp } from './app.ts';
import { contentsOf, idsOf, insert, type Contents } from './content.ts';
import { countLockWaits } from './lock-waits.ts';
import { aPublishedSite, HTML } from './published-site.ts';
import { expectError } from './refusal.ts';
import { listening } from './socket.ts';
import { aWorld, type World } from './world.ts';

/** A front, and the process that performs what is large for it. */

let app: TestApp;
let world: World;
let contents: Contents;

/** The address of its client, as the heavy process sees it. */
const clientAddress = page({
  method: 'GET',
  path: '/~test/address',
  isHeavy: true,
  handle: async ({ address, ctx }) => ({ status: 200, body: `${address} ${ctx.isFront}` }),
});

beforeAll(async () => {
  app = await startApp({ hasHeavy: true, pages: [...sitePages, clientAddress] });
  world = await aWorld(app);
  contents = contentsOf(app, world.a);
});

/** What `work` returns, and how many of its requests were forwarded. */
async function counting<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const before = app.forwarded();
  const result = await work();
  return [result, app.forwarded() - before];
}

const LARGE = 'A paragraph of *words*.\n\n'.repeat(4_000);
const HUGE = LARGE.repeat(4);

async function aLargePage(markdown = LARGE) {
  const space = await contents.aSpace();
  const [id = ''] = idsOf(await contents.edit(space, insert('Large', markdown)));
  return { space, id, path: `${space}/content/page/${id}` };
}

describe('the front', () => {
  test('performs what is small', async () => {
    const [page, forwarded] = await counting(async () => {
      const space = await contents.aSpace();
      const [id = ''] = idsOf(await contents.edit(space, insert('Small', 'Text.')));
      return contents.page(space, id);
    });
    expect(page.title).toBe('Small');
    expect(forwarded).toBe(0);
  });

  test('forwards a large body, once its caller is admitted', async () => {
    const space = await contents.aSpace();
    const body = { changes: [insert('Huge', HUGE)] };
    const [refused, none] = await counting(() => app.call('POST', `${space}/content`, { body }));
    expectError(refused, 401);
    expect(none).toBe(0);
    const stranger = contentsOf(app, world.b);
    const [hidden, never] = await counting(() => stranger.send(space, body.changes));
    expectError(hidden, 404);
    expect(never).toBe(0);

    const [sent, forwarded] = await counting(() => contents.send(space, body.changes));
    expect(sent.status, sent.text).toBe(200);
    expect(forwarded).toBe(1);
    const [id = ''] = idsOf(sent.body);
    expect((await contents.page(space, id, '?format=markdown')).markdown).toBe(HUGE);
  });

  test('forwards what is always heavy, once its caller is admitted', async () => {
    const path = `${await contents.aSpace()}/content/import`;
    const body = { url: 'http://127.0.0.1:1/guide.zip', source: 'zip' };
    const refused = [
      [401, undefined],
      [401, 'ov_wrong'],
      [404, world.b.admin.token],
    ] as const;
    for (const [status, token] of refused) {
      const [answer, forwarded] = await counting(() => app.call('POST', path, { token, body }));
      expect([answer.status, forwarded], answer.text).toEqual([status, 0]);
    }
    const [, forwarded] = await counting(() => contents.call('POST', path, body));
    expect(forwarded).toBe(1);
  });

  test('forwards a read that turns out to be large; the answer is as if there were one process', async () => {
    const { path } = await aLargePage();
    const [answer, forwarded] = await counting(() => contents.call('GET', `${path}?format=document`));
    expect(answer.status).toBe(200);
    expect(forwarded).toBe(1);
    expect(answer.body.document.nodes).toHaveLength(4_000);
    const { etag = '', 'x-request-id': id, ...others } = answer.headers;
    expect(id).toMatch(/^\w+$/);
    expect(others).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': /private/,
    });
    const known = await contents.call('GET', `${path}?format=document`, undefined, { 'if-none-match': etag });
    expect([known.status, known.text]).toEqual([304, '']);
  });

  test('undoes a write that turns out to be large, and forwards it: it takes effect once', async () => {
    const { space, id } = await aLargePage();
    const before = (await contents.get(`${space}/content`)).id;
    const change = {
      operation: 'update_page',
      page: id,
      document: { markdown: `${LARGE}One more.\n` },
    };
    const [edited, forwarded] = await counting(() => contents.edit(space, change));
    expect(forwarded).toBe(1);
    const [{ n }] = (await app.sql(
      `select count(*)::int as n from revisions where space_id = '${space.split('/').at(-1)}'`,
    )) as [{ n: number }];
    expect(n).toBe(3);
    expect(edited.revision).not.toBe(before);
  });

  test('shows a large page of a site, which the other process renders for its reader', async () => {
    const site = await aPublishedSite(app, world.a);
    const { space } = await site.addSpace('Guide');
    await contents.edit(space, insert('Large', LARGE));
    const { location = '' } = (await site.read('/large')).headers;
    const path = new URL(location, 'http://octavo.test').pathname;
    const [shown, forwarded] = await counting(() => app.call('GET', path, { headers: HTML }));
    expect(shown.status).toBe(200);
    expect(shown.text.match(/A paragraph of <em>words<\/em>/g)).toHaveLength(4_000);
    expect(forwarded).toBe(1);
  });
});

describe('a write whose process is lost after it began to commit', () => {
  const titlesOf = async (space: string): Promise<string[]> =>
    (await contents.get(`${space}/content/pages`)).pages.map(({ title }: { title: string }) => title);

  test('is not repeated: its outcome is unknown', async () => {
    const space = await contents.aSpace();
    const changes = [insert('Once', LARGE)];
    const answer = await app.losingAnswers(() => contents.send(space, changes, { 'if-match': '*' }));
    expectError(answer, 503, /Whether the request took effect is unknown/);
    expect(await titlesOf(space)).toEqual(['Once']);
  });

  /** Sends an edit to the heavy process: its status, and whether it said before that it begins to commit. */
  const editThere = (space: string, title: string) =>
    new Promise((resolve, reject) => {
      let isAnnounced = false;
      request({
        socketPath: app.heavySocket,
        method: 'POST',
        path: `${space}/content`,
        headers: { authorization: `Bearer ${world.a.admin.token}`, 'content-type': 'application/json' },
      })
        .on('information', () => (isAnnounced = true))
        .on('response', (answer) => resolve([answer.resume().statusCode, isAnnounced]))
        .on('error', reject)
        .end(JSON.stringify({ changes: [insert(title)] }));
    });

  test('also in a group: each of its requests learns that the commit begins', async () => {
    const space = await contents.aSpace();
    // While the first waits for the space, the others become a group: one transaction.
    const { asked } = await app.app.installation.connection.db.transaction().execute(async (db) => {
      const id = space.split('/').at(-1) ?? '';
      await db.selectFrom('spaces').where('id', '=', id).forUpdate().execute();
      const editing = Promise.all(['One', 'Two', 'Three'].map((title) => editThere(space, title)));
      await expect.poll(() => countLockWaits(app)).toBe(1);
      return { asked: editing };
    });
    expect(await asked).toEqual(Array.from({ length: 3 }, () => [200, true]));
  });

  test('a read is repeated, and then refused', async () => {
    const { path } = await aLargePage();
    const read = () => contents.call('GET', `${path}?format=document`);
    expectError(await app.losingAnswers(read), 413, /more memory or time/);
    expect((await read()).status).toBe(200);
  });
});

test('says who sends a request: a client cannot', async () => {
  const { path } = await aLargePage();
  const answer = await contents.call('GET', `${path}?format=document`, undefined, {
    'x-request-id': 'chosen-by-the-client',
    'x-forwarded-for': '192.0.2.1',
  });
  expect(answer.status).toBe(200);
  expect(answer.headers['x-request-id']).not.toBe('chosen-by-the-client');
  const seen = await app.call('GET', '/~test/address', { headers: { 'x-forwarded-for': '192.0.2.1' } });
  expect(seen.text).toBe('127.0.0.1 false');
});

test('a client that leaves is not taken for a lost process: its write is completed, once', async () => {
  const { port } = await listening(app);
  const { space, path } = await aLargePage();
  const before = app.forwarded();
  const leaveDuring = async (to: string, request: RequestInit) => {
    const leaving = new AbortController();
    const forwarded = app.forwarded();
    const sent = fetch(`http://127.0.0.1:${port}${to}`, {
      ...request,
      headers: { authorization: `Bearer ${world.a.admin.token}`, 'content-type': 'application/json' },
      signal: leaving.signal,
    });
    await expect.poll(() => app.forwarded()).toBe(forwarded + 1);
    leaving.abort();
    await expect(sent).rejects.toThrow('aborted');
  };
  await leaveDuring(`${space}/content`, {
    method: 'POST',
    body: JSON.stringify({ changes: [insert('Left', HUGE)] }),
  });
  await leaveDuring(`${path}?format=document`, {});
  await contents.edit(space, insert('Next', HUGE));
  expect(app.forwarded()).toBe(before + 3);
  const titles = async () => (await contents.pages(space)).map(({ title }) => title);
  await expect.poll(titles).toEqual(expect.arrayContaining(['Left', 'Next']));
  expect((await titles()).filter((title) => title === 'Left')).toHaveLength(1);
});
