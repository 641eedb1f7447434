import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { contentsOf, insert, type Contents } from '../../../test/content.ts';
import { aMember, aSide, type Side } from '../../../test/world.ts';

/** Counts equal the length of lists after concurrent requests to two processes of one installation. */

let processes: readonly [TestApp, TestApp];
let side: Side;
let contents: Contents;

beforeAll(async () => {
  const app = await startApp();
  processes = [app, await startApp({ beside: app })];
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

const range = (count: number) => Array.from({ length: count }, (_each, n) => n);

/** Sends the n-th of many concurrent requests, alternating between the processes. */
const send = (n: number, method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
  processes[n % 2 === 0 ? 0 : 1].call(method, path, {
    token: side.admin.token,
    headers,
    ...(body === undefined ? {} : { body }),
  });

const withText = (markdown: string) => ({ body: { markdown } });

async function aRequest(): Promise<string> {
  const space = await contents.aSpace();
  const { body } = await contents.call('POST', `${space}/change-requests`, {});
  return `${space}/change-requests/${body.id}`;
}

async function post(place: string): Promise<string> {
  const { status, body, text } = await contents.call('POST', `${place}/comments`, withText('Why?'));
  expect(status, text).toBe(200);
  return `${place}/comments/${body.id}`;
}

async function reply(comment: string): Promise<string> {
  const { status, body, text } = await contents.call('POST', `${comment}/replies`, withText('Because'));
  expect(status, text).toBe(200);
  return `${comment}/replies/${body.id}`;
}

const statusesOf = (answers: readonly Answer[]) => new Set(answers.map(({ status }) => status));

describe.each([
  ['of a space', () => contents.aSpace()],
  ['of a change request', aRequest],
] as const)('%s', (_name, aPlace) => {
  test('counts equal the lists after concurrent writes', async () => {
    const place = await aPlace();
    const comments = await Promise.all(range(12).map(() => post(place)));
    const replies = await Promise.all(comments.flatMap((comment) => [reply(comment), reply(comment)]));
    const answers = await Promise.all([
      ...range(100).map((n) => send(n, 'POST', `${place}/comments`, withText(`Number ${n}`))),
      ...comments.flatMap((url, n) => [
        ...range(4).map((m) => send(m, 'PUT', url, { resolved: m % 3 < 2 })),
        ...range(6).map((m) => send(m, 'POST', `${url}/replies`, withText('And why?'))),
        ...(n < 4 ? range(4).map((m) => send(m, 'DELETE', url)) : []),
      ]),
      ...replies.flatMap((url, n) => (n % 2 === 0 ? range(4).map((m) => send(m, 'DELETE', url)) : [])),
    ]);
    expect([...statusesOf(answers)].filter((status) => status !== 404).toSorted()).toEqual([200, 205]);

    const { comments: open } = await contents.get(place);
    expect(open).toBe((await contents.get(`${place}/comments?status=open&limit=0`)).count);
    expect((await contents.get(`${place}/comments?limit=0`)).count).toBe(108);
    for (const status of ['all', 'open', 'resolved']) {
      // The length of a whole list, which is counted, and the number of its items.
      const list = `${place}/comments?status=${status}`;
      const { items } = await contents.get(`${list}&limit=1000`);
      expect((await contents.get(`${list}&limit=0`)).count, status).toBe(items.length);
    }
    for (const url of comments.slice(4)) {
      expect((await contents.get(url)).replies).toBe(7);
      expect((await contents.get(`${url}/replies`)).count).toBe(7);
    }
  });
});

test('1,000 concurrent comments in one change request are stored and counted', async () => {
  const place = await aRequest();
  const answers = await Promise.all(
    range(1000).map((n) => send(n, 'POST', `${place}/comments`, withText(`Number ${n}`))),
  );
  expect(statusesOf(answers)).toEqual(new Set([200]));
  expect((await contents.get(`${place}/comments?limit=0`)).count).toBe(1000);
  expect((await contents.get(place)).comments).toBe(1000);
});

test('1,000 concurrent replies are stored and counted, and do not block an update of the comment', async () => {
  const url = await post(await aRequest());
  const { headers } = await contents.call('GET', url);
  const etag = { 'if-match': String(headers['etag']) };
  const replies = Promise.all(
    range(1000).map((n) => send(n, 'POST', `${url}/replies`, withText(`Number ${n}`))),
  );
  const changed = await send(0, 'PUT', url, { resolved: true, ...withText('Why then?') }, etag);
  expect(changed.status, changed.text).toBe(200);
  expect(statusesOf(await replies)).toEqual(new Set([200]));
  expect((await contents.get(url)).replies).toBe(1000);
  expect((await contents.get(`${url}/replies?limit=0`)).count).toBe(1000);
});

test('comments posted while the change request is edited and merged are counted, and no request fails', async () => {
  const place = await aRequest();
  const answers = await Promise.all([
    ...range(60).map((n) => send(n, 'POST', `${place}/comments`, withText(`Number ${n}`))),
    ...range(8).map((n) => send(n, 'POST', `${place}/content`, { changes: [insert(`Page ${n}`)] })),
  ]);
  expect(statusesOf(answers)).toEqual(new Set([200]));
  expect((await contents.call('POST', `${place}/merge`)).body.result).toBe('merge');
  expect((await contents.get(place)).comments).toBe(60);
});

test('the comment of a review remains and is counted after the reviewer’s account is deleted', async () => {
  const [app] = processes;
  const place = await aRequest();
  const reviewer = await aMember(app, side.organizationId, 'review');
  const review = { status: 'approved', comment: { markdown: 'Good' } };
  const made = await app.call('POST', `${place}/reviews`, { token: reviewer.token, body: review });
  expect(made.status, made.text).toBe(201);
  await app.sql('delete from users where id = $1', [reviewer.id]);
  const { items } = await contents.get(`${place}/comments`);
  expect(items).toMatchObject([{ body: { markdown: 'Good' }, postedBy: { displayName: 'Somebody' } }]);
  expect((await contents.get(place)).comments).toBe(1);
});

test('posting a comment does not change the ETag of its change request', async () => {
  const place = await aRequest();
  const before = await contents.call('GET', place);
  await post(place);
  const after = await contents.call('GET', place);
  expect([before.body.comments, after.body.comments]).toEqual([0, 1]);
  expect(after.body.updatedAt).toBe(before.body.updatedAt);
  const etag = { 'if-match': String(before.headers['etag']) };
  expect((await contents.call('PATCH', place, { subject: 'Better' }, etag)).status).toBe(200);
});
