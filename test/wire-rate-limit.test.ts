import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRateLimiter, MAX_COUNTED } from '../src/platform/http/admit/rate-limit.ts';
import { startApp, type Answer, type TestApp } from './app.ts';
import { aPublishedSite } from './published-site.ts';
import { expectError } from './refusal.ts';
import { aPerson, aWorld, type World } from './world.ts';

const LIMIT = 40;

let app: TestApp;
let world: World;

/** A window of the rate limit is one minute. `Date` is a fake that does not advance, so that no test runs in two windows. */
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  app = await startApp({
    environment: { OCTAVO_RATE_LIMIT: String(LIMIT), OCTAVO_TRUSTED_PROXIES: '127.0.0.1' },
  });
  world = await aWorld(app);
});

afterAll(() => void vi.useRealTimers());

const limitOf = ({ headers }: Answer) => ({
  limit: Number(headers['x-ratelimit-limit']),
  remaining: Number(headers['x-ratelimit-remaining']),
  reset: Number(headers['x-ratelimit-reset']),
});

let addresses = 0;
/** A new client address, as a trusted proxy forwards it. */
const newAddress = () => `203.0.113.${++addresses}`;

const from = (address: string, path = '/v1/user', token?: string) =>
  app.call('GET', path, { token, headers: { 'x-forwarded-for': address } });

describe('the rate limit of a caller', () => {
  test('is in the headers of every response, errors included', async () => {
    const { token, id } = await aPerson(app, 'counted');
    const answers = [
      await app.call('GET', '/v1/user', { token }),
      await app.call('GET', '/v1/orgs/nosuchorganization', { token }),
      await app.call('PATCH', `/v1/users/${id}`, { token, body: { displayName: 7 } }),
      await app.call('PATCH', `/v1/users/${world.a.admin.id}`, { token, body: {} }),
      await app.call('GET', `/v1/users/${id}`, { token, headers: { 'if-none-match': '*' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 404, 304]);
    expect(answers.map((answer) => limitOf(answer).remaining)).toEqual([39, 38, 37, 36, 35]);
    for (const answer of answers) {
      const { limit, reset } = limitOf(answer);
      expect(limit).toBe(LIMIT);
      expect(reset * 1000).toBeGreaterThan(Date.now() - 1000);
      expect(reset * 1000).toBeLessThanOrEqual(Date.now() + 60_000);
    }
  });

  test('ends in 429 with Retry-After; refused requests have no effect', async () => {
    const { token, id } = await aPerson(app, 'greedy');
    for (let i = 0; i < LIMIT; i++) expect((await app.call('GET', '/v1/user', { token })).status).toBe(200);
    const refused = await app.call('PATCH', `/v1/users/${id}`, { token, body: { displayName: 'Too much' } });
    expectError(refused, 429);
    expect(limitOf(refused).remaining).toBe(0);
    const after = Number(refused.headers['retry-after']);
    expect(after).toBeGreaterThan(0);
    expect(after).toBeLessThanOrEqual(60);
    const [row] = await app.sql('select display_name from users where id = $1', [id]);
    expect(row).toEqual({ display_name: 'greedy' });
  });

  test('applies across all tokens and addresses of the caller', async () => {
    const [one, two] = [await aPerson(app, 'one'), await aPerson(app, 'two')];
    const { body } = await app.call('POST', '/v1/user/tokens', {
      token: one.token,
      body: { label: 'Second' },
    });
    for (let i = 1; i < LIMIT; i++) await from(newAddress(), '/v1/user', i % 2 ? one.token : body.token);
    expectError(await app.call('GET', '/v1/user', { token: body.token }), 429);
    expectError(await app.call('GET', '/v1/user', { token: one.token }), 429);
    expect((await app.call('GET', '/v1/user', { token: two.token })).status).toBe(200);
  });

  test('counts a request once, even if its transaction is retried', async () => {
    const team = `/v1/orgs/${world.a.organizationId}/teams`;
    const { token } = world.a.admin;
    const made = await app.call('PUT', team, { token, body: { title: 'Fought over' } });
    const headers = { 'if-match': '*' };
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((title) =>
        app.call('PATCH', `${team}/${made.body.id}`, { token, body: { title }, headers }),
      ),
    );
    const left = answers.map((answer) => limitOf(answer).remaining).toSorted();
    expect(limitOf(made).remaining - Math.min(...left)).toBe(4);
  });
});

describe('the rate limit of an address', () => {
  const TENTH = LIMIT / 10;

  test('is a tenth, for requests without a token', async () => {
    const address = newAddress();
    const first = await from(address, '/v1/');
    expect(first.status).toBe(200);
    expect(limitOf(first)).toMatchObject({ limit: TENTH, remaining: TENTH - 1 });
    expectError(await from(address, '/v1/user'), 401);
    for (let i = 2; i < TENTH; i++) await from(address, '/v1/');
    const refused = await from(address, '/v1/');
    expectError(refused, 429);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect((await from(newAddress(), '/v1/')).status).toBe(200);
  });

  test('applies to invalid tokens, which slows down guessing', async () => {
    const address = newAddress();
    for (let i = 0; i < TENTH; i++) expectError(await from(address, '/v1/user', `ov_guess${i}`), 401);
    expectError(await from(address, '/v1/user', 'ov_another'), 429);
    expectError(await from(address, '/v1/', 'ov_another'), 429);
  });

  test('does not apply to requests with a valid token', async () => {
    const address = newAddress();
    for (let i = 0; i <= TENTH; i++) await from(address, '/v1/user');
    expectError(await from(address, '/v1/user'), 429);
    const { token } = await aPerson(app, 'colleague');
    expect((await from(address, '/v1/user', token)).status).toBe(200);
    expect((await from(address, '/v1/', token)).status).toBe(200);
  });

  test('trusts X-Forwarded-For of trusted proxies only', async () => {
    const direct = await startApp({ environment: { OCTAVO_RATE_LIMIT: String(LIMIT) } });
    for (let i = 0; i < TENTH; i++) {
      await direct.call('GET', '/v1/', { headers: { 'x-forwarded-for': newAddress() } });
    }
    expectError(await direct.call('GET', '/v1/', { headers: { 'x-forwarded-for': newAddress() } }), 429);
  });
});

describe('the rate limit of a client', () => {
  const TENTH = LIMIT / 10;

  test('counts the addresses of an IPv6 network together', async () => {
    for (let i = 0; i < TENTH; i++) await from(`2001:db8:0:1:${i}::${i}`, '/v1/');
    expectError(await from('2001:db8:0:1:ffff:ffff:ffff:ffff', '/v1/'), 429);
    expect((await from('2001:db8:0:2::1', '/v1/')).status).toBe(200);
  });

  test('counts an IPv4 address once, however it is written', async () => {
    const address = newAddress();
    for (let i = 0; i < TENTH; i++) await from(`::ffff:${address}`, '/v1/');
    expectError(await from(address, '/v1/'), 429);
    expect((await from(newAddress(), '/v1/')).status).toBe(200);
  });
});

describe('the rate limit of readers', () => {
  const FEEDBACK = 30;
  const PDFS = 20;

  const statusesOf = async (count: number, send: (n: number) => Promise<Answer>) => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n++) statuses.push((await send(n)).status);
    return statuses;
  };
  const refusals = (statuses: readonly number[]) => statuses.filter((status) => status === 429).length;

  test('of a site is one, by every name that the client gives the server', async () => {
    const [one, two] = await Promise.all([aPublishedSite(app, world.a), aPublishedSite(app, world.a)]);
    const headers = { 'x-forwarded-for': newAddress() };
    const rate = (basename: string, host: string) =>
      app.call('POST', `/${basename}/~octavo/feedback`, { headers: { ...headers, host } });
    // A site that is not in the cache counts as unknown: at first, and after a change of it.
    for (const { basename } of [one, two]) await rate(basename, 'localhost');
    const statuses = await statusesOf(2 * FEEDBACK, (n) => rate(one.basename, `name${n}`));
    expect(refusals(statuses)).toBeGreaterThanOrEqual(FEEDBACK - 3);
    expect((await rate(two.basename, 'name0')).status).not.toBe(429);
  });

  test('of hosts without a site is one', async () => {
    const headers = { 'x-forwarded-for': newAddress() };
    const read = (host: string) =>
      app.call('GET', '/~octavo/pdf/none/none.pdf', { headers: { ...headers, host } });
    const statuses = await statusesOf(PDFS + 5, (n) => read(`name${n}.example.net`));
    expect(statuses).toEqual([...Array(PDFS).fill(404), ...Array(5).fill(429)]);
  });
});

describe('a Host', () => {
  const ask = (host: string) => app.call('GET', '/', { headers: { host, 'x-forwarded-for': newAddress() } });
  const name = (length: number) => 'a.'.repeat(length).slice(0, length - 1) + 'a';

  test('has at most 253 characters, as names in DNS do', async () => {
    expectError(await ask(`${name(253)}:65535`), 404);
    for (const host of [name(254), 'a'.repeat(12_000), `localhost:${'1'.repeat(12_000)}`])
      expectError(await ask(host), 400);
    expectError(await app.call('GET', '/v1/user', { headers: { host: name(254) } }), 400);
  });
});

describe('pages', () => {
  test('are rate limited against guessing of links; images are not', async () => {
    const address = newAddress();
    const page = (path: string) => app.call('GET', path, { headers: { 'x-forwarded-for': address } });
    for (let i = 0; i < 200; i++) expect((await page('/avatars/120-AB.svg')).status).toBe(200);
    for (let i = 0; i < 120; i++) expect((await page(`/invite/guess${i}`)).status).toBe(404);
    const refused = await page('/invite/guess');
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
  });
});

describe('the rate limit', () => {
  test('is disabled by 0: no headers, no 429', async () => {
    const unlimited = await startApp({ environment: { OCTAVO_RATE_LIMIT: '0' } });
    for (let i = 0; i < 300; i++) {
      const answer = await unlimited.call('GET', i % 2 ? '/v1/' : '/invite/nobody');
      expect(answer.status).toBe(i % 2 ? 200 : 404);
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
    }
  });
});

describe('a window', () => {
  test('is a minute of the clock, after which all counts restart', () => {
    let now = Date.UTC(2026, 0, 1, 12, 0, 30);
    const limiter = createRateLimiter(() => now);
    const take = () => limiter.take('somebody', 2);
    expect([take(), take(), take()].map(({ exceeded }) => exceeded)).toEqual([false, false, true]);
    expect(take().reset).toBe(Date.UTC(2026, 0, 1, 12, 1) / 1000);
    now = Date.UTC(2026, 0, 1, 12, 0, 59, 999);
    expect(take().exceeded).toBe(true);
    now = Date.UTC(2026, 0, 1, 12, 1);
    expect(take()).toMatchObject({ exceeded: false, remaining: 1 });
  });

  test('counts a bounded number of callers: those that sent nothing for longest are forgotten', () => {
    const limiter = createRateLimiter(() => 0);
    limiter.take('silent', 2);
    limiter.take('sending', 2);
    for (let n = 0; n < MAX_COUNTED; n++) {
      limiter.take(`caller ${n}`, 2);
      if (n === MAX_COUNTED / 2) limiter.take('sending', 2);
    }
    expect(limiter.take('silent', 2).exceeded).toBe(false);
    expect(limiter.take('sending', 2).exceeded).toBe(true);
  });
});
