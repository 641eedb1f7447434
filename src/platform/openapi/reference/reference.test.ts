import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { launchBrowser } from '../../../../test/browser.ts';
import { hostConstraint } from '../../http/receive/host.ts';
import { openApiDocument } from '../document.ts';
import { operation, signedIn, type NamedOperation } from '../../api/operation.ts';
import { named } from '../../api/schema.ts';
import { registerReference } from './index.ts';

const Team = named('Team', { id: Type.String(), title: Type.String() });
const getTeam: NamedOperation = {
  ...operation({
    method: 'GET',
    path: '/v1/teams/{teamId}',
    summary: 'Get a team',
    scope: 'organization:read',
    params: Type.Object({ teamId: Type.String({ default: 'abc' }) }),
    status: 200,
    response: Team,
    access: signedIn,
    version: () => 1,
    handle: async () => ({ id: 'abc', title: 'Writers' }),
  }),
  id: 'getTeamById',
  folder: 'teams',
};
const createTeam: NamedOperation = {
  ...operation({
    method: 'POST',
    path: '/v1/teams',
    summary: 'Create a team',
    scope: 'organization:write',
    body: named('NewTeam', { title: Type.String({ maxLength: 50 }) }),
    status: 201,
    response: Team,
    access: signedIn,
    handle: async () => ({ id: 'abc', title: 'Writers' }),
  }),
  id: 'createTeam',
  folder: 'teams',
};

let built = 0;
let app: FastifyInstance;
let origin: string;
const tokens: (string | undefined)[] = [];

beforeAll(async () => {
  app = fastify();
  app.addConstraintStrategy(hostConstraint('docs.example.org'));
  await registerReference(app, '', () => {
    built++;
    return openApiDocument([getTeam, createTeam], { version: '1.0.0', url: 'https://docs.example.org' });
  });
  app.get('/v1/teams/:teamId', (request, reply) => {
    tokens.push(request.headers.authorization);
    void reply.send({ id: 'abc', title: 'Answered by the server' });
  });
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

describe('files', () => {
  test('the document is built when first asked for, once', async () => {
    expect(built).toBe(0);
    const first = await app.inject('/openapi.json');
    const second = await app.inject('/openapi.json');
    expect(built).toBe(1);
    expect(first.json()).toMatchObject({ openapi: '3.1.0', paths: { '/v1/teams': {} } });
    expect(second.body).toBe(first.body);
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('the document as YAML says the same', async () => {
    const yaml = await app.inject('/openapi.yaml');
    expect(parse(yaml.body)).toEqual((await app.inject('/openapi.json')).json());
  });

  test('who has it already is told so', async () => {
    const { etag } = (await app.inject('/openapi.json')).headers;
    const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': String(etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ])('accept-encoding "%s" gets %s', async (accepted, encoding, decode) => {
    const answer = await app.inject({ url: '/openapi.json', headers: { 'accept-encoding': accepted } });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['vary']).toBe('accept-encoding');
    expect(JSON.parse(decode(answer.rawPayload).toString('utf8'))).toMatchObject({ openapi: '3.1.0' });
  });

  test('the page is strict, its script is kept for good', async () => {
    const page = await app.inject('/reference');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    const script = /src="(\/reference\/scalar-[\w-]+\.js)"/.exec(page.body)?.[1] ?? '';
    const answer = await app.inject({ url: script, headers: { 'accept-encoding': 'br' } });
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.rawPayload.length).toBeLessThan(1_000_000);
    const stale = await app.inject('/reference/scalar-other.js');
    expect(stale.statusCode).toBe(404);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  let page: Page;
  const elsewhere: string[] = [];
  const complaints: string[] = [];

  // A fresh machine installs the browser first.
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.on('request', (request) => {
      const { origin: to, protocol } = new URL(request.url());
      if (to !== origin && protocol !== 'data:') elsewhere.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    // A request that the policy blocks never shows up. (`eval`: zod, in the bundle, only tries whether it may.)
    await page.addInitScript({
      content: `addEventListener('securitypolicyviolation', ({ blockedURI }) => {
        if (blockedURI !== 'eval') console.error('blocked: ' + blockedURI);
      })`,
    });
    await page.goto(`${origin}/reference`);
  }, 600_000);
  afterAll(() => browser.close());

  test('shows the operations', async () => {
    await page.getByRole('heading', { name: 'Octavo' }).waitFor();
    for (const summary of ['Get a team', 'Create a team']) {
      await page.getByRole('navigation').getByRole('button', { name: summary }).click();
      await page.getByRole('heading', { name: summary }).waitFor();
      expect(await page.getByRole('heading', { name: summary }).isVisible()).toBe(true);
    }
    const screenshot = process.env['REFERENCE_SCREENSHOT'];
    if (screenshot) await page.screenshot({ path: screenshot });
  });

  test('sends a request to this server, with the token', async () => {
    await page.getByPlaceholder('Token').first().fill('secret');
    await page.getByRole('button', { name: /Test Request.*get/i }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Send get/ })
      .click();
    await page.getByText('Answered by the server').waitFor();
    expect(tokens).toEqual(['Bearer secret']);
  });

  test('asked no other host for anything, and had nothing to complain about', () => {
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
