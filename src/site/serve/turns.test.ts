import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, HTML, type PublishedSite } from '../../../test/published-site.ts';
import { expectError } from '../../../test/refusal.ts';
import { listening } from '../../../test/socket.ts';
import { aPerson, aSide, type Side } from '../../../test/world.ts';

/** Many readers of one organization, whose pages take long, beside requests of another one. */

const PAGES = 800;
/** The size of the batch of one request. */
const BATCH = 50;
/** More text than stays parsed, so that each class of visitors takes long. */
const CONDITION = Array.from({ length: 20 }, (_each, n) => `visitor.claims.unsigned.n !== -${n + 1}`).join(
  ' && ',
);

let app: TestApp;
let crowded: Side;
let other: Side;
let site: PublishedSite;
let siteSpace: string;
let page: string;
let otherSpace: string;

beforeAll(async () => {
  app = await startApp({ environment: { OCTAVO_DATABASE_POOL: '6' } });
  [crowded, other] = [await aSide(app, 'crowded'), await aSide(app, 'other')];
  site = await aPublishedSite(app, crowded, { title: 'Crowded' });
  await site.change('PATCH', site.site, { adaptiveContent: { enabled: true } });
  const added = await site.addSpace('Manual');
  ({ siteSpace } = added);
  const first = await site.contents.edit(added.space, insert('Welcome', 'Hello.'));
  page = idsOf(first)[0] ?? '';
  for (let from = 0; from < PAGES; from += BATCH)
    await site.contents.edit(
      added.space,
      ...Array.from({ length: BATCH }, (_each, n) =>
        insert(`Page ${from + n}`, '', { condition: `${CONDITION} && ${from + n} !== -1` }),
      ),
    );
  const quiet = await aPublishedSite(app, other, { title: 'Quiet' });
  otherSpace = (await quiet.addSpace('Manual')).space;
  await quiet.contents.edit(
    otherSpace,
    insert('Setup', 'How to install it.'),
    insert('Usage', 'How to use it.'),
  );
});

let visitors = 0;
/** The cookie of a visitor of a class that nobody had before. */
const newVisitor = () => `octavo-visitor-public=${encodeURIComponent(JSON.stringify({ n: ++visitors }))}`;

const readAsNewVisitor = () => site.read('/', { cookie: newVisitor() });
const search = () =>
  app.call('GET', `${otherSpace}/search`, { token: other.admin.token, query: { query: 'install' } });

/** Counts the requests that are answered. */
function counted<T extends { readonly status: number }>(requests: readonly Promise<T>[]) {
  const counts = { ok: 0, all: Promise.all(requests) };
  for (const request of requests) void request.then(({ status }) => (counts.ok += status < 300 ? 1 : 0));
  return counts;
}

test('feedback holds no connection to the database while its page is made', async () => {
  const rate = () =>
    app.call('POST', `/${site.basename}/~octavo/feedback`, {
      raw: new URLSearchParams({ space: siteSpace, page, rating: 'good' }).toString(),
      headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded', cookie: newVisitor() },
    });
  // Not cached: its user is new.
  const { token } = await aPerson(app, 'new');
  const rated = counted(Array.from({ length: 40 }, rate));
  expect((await app.call('GET', '/v1/user', { token })).status).toBe(200);
  expect(rated.ok).toBeLessThan(20);
  expect((await rated.all).map(({ status }) => status)).toEqual(Array(40).fill(200));
});

test('a search of the API holds no connection, though it is a POST', async () => {
  const { token } = crowded.admin;
  const find = () => app.call('POST', `${site.site}/search`, { token, body: { query: 'page', mode: 'all' } });
  const found = counted(Array.from({ length: 40 }, find));
  const { token: other } = await aPerson(app, 'newer');
  expect((await app.call('GET', '/v1/user', { token: other })).status).toBe(200);
  expect(found.ok).toBeLessThan(20);
  expect((await found.all).map(({ status }) => status)).toEqual(Array(40).fill(200));
});

test('many writes of one caller leave connections to others', async () => {
  const path = `/v1/orgs/${crowded.organizationId}/spaces`;
  const write = () => app.call('POST', path, { token: crowded.admin.token, body: { title: 'One of many' } });
  const written = counted(Array.from({ length: 100 }, write));
  const answer = await app.call('PATCH', `/v1/orgs/${other.organizationId}`, {
    token: other.admin.token,
    body: { title: 'Written soon' },
  });
  expect(answer.status, answer.text).toBe(200);
  expect(written.ok).toBeLessThan(50);
  expect((await written.all).map(({ status }) => status)).toEqual(Array(100).fill(201));
});

test('URLs of one site are resolved in its turns', async () => {
  const resolve = () =>
    app.call('POST', '/v1/urls/published', {
      body: {
        url: `http://octavo.test/${site.basename}/`,
        visitor: { unsignedClaims: { n: ++visitors } },
      },
    });
  const resolved = counted(Array.from({ length: 150 }, resolve));
  expect((await search()).body.items).toHaveLength(1);
  expect(resolved.ok).toBeLessThan(40);
  const refused = (await resolved.all).filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expectError(answer, 503);
}, 120_000);

test('a crowd of one site is refused in part, and requests of another organization are answered first', async () => {
  const read = counted(Array.from({ length: 150 }, readAsNewVisitor));
  for (const { body } of await Promise.all(Array.from({ length: 5 }, search)))
    expect(body.items).toHaveLength(1);
  expect(read.ok).toBeLessThan(40);
  const answers = await read.all;
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  expect(refused[0]?.headers['retry-after']).toBe('1');
  expect((await readAsNewVisitor()).status).toBe(200);
}, 120_000);

test('requests whose clients have left are not worked on', async () => {
  const { port } = await listening(app);
  // CPU time: other processes may delay any of the requests.
  const timeOf = async (work: () => Promise<unknown>) => {
    const begun = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  };
  const alone = await timeOf(readAsNewVisitor);
  const clients = Array.from({ length: 150 }, () => {
    const client = net.connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(`GET /${site.basename}/ HTTP/1.1\r\nHost: octavo.test\r\nCookie: ${newVisitor()}\r\n\r\n`);
    return client;
  });
  await Promise.all(clients.map((client) => once(client, 'connect')));
  await delay(300);
  for (const client of clients) client.destroy();
  expect(await timeOf(readAsNewVisitor)).toBeLessThan(30 * alone);
}, 120_000);

test('many searches of one caller are refused in part, and those of others are answered', async () => {
  const { token } = crowded.admin;
  const find = () =>
    app.call('GET', `/v1/orgs/${crowded.organizationId}/search`, { token, query: { query: 'page' } });
  const [answers, found] = await Promise.all([Promise.all(Array.from({ length: 120 }, find)), search()]);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) expectError(answer, 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(found.status).toBe(200);
}, 120_000);
