import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRateLimiter } from '../src/platform/http/rate-limit.ts';
import { startApp, type Answer, type TestApp } from './app.ts';
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
});
