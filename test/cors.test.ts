import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { startApp, type TestApp } from './app.ts';
import { launchBrowser } from './browser.ts';
import { listening } from './socket.ts';
import { aSide, type Side } from './world.ts';

let app: TestApp;
let side: Side;
let endpoint: string;

beforeAll(async () => {
  app = await startApp({ environment: { OCTAVO_RATE_LIMIT: '1000' } });
  side = await aSide(app, 'alpha');
  endpoint = `http://127.0.0.1:${(await listening(app)).port}`;
});

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

const preflight = (path: string, method: string) =>
  app.call('OPTIONS', path, {
    headers: {
      origin: 'https://elsewhere.example',
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization, content-type, if-match, idempotency-key',
    },
  });

describe('scripts of other origins', () => {
  test('may call every operation: a preflight needs no token', async () => {
    for (const { method, path } of operations) {
      const answer = await preflight(path.replaceAll(/\{\w+\}/g, 'x'), method);
      expect([path, answer.status, answer.text]).toEqual([path, 204, '']);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['access-control-allow-methods']).toContain(method);
      expect(answer.headers['access-control-allow-headers']).toBe('*, Authorization');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test('may read every response, errors included', async () => {
    const { token } = side.admin;
    for (const answer of [
      await app.call('GET', '/v1/user', { token }),
      await app.call('GET', '/v1/user'),
      await app.call('GET', '/v1/nowhere'),
      await app.call('DELETE', '/v1/user', { token }),
      await app.call('GET', '/v1/orgs/%zz', { token }),
    ]) {
      expect(answer.headers['access-control-allow-origin'], answer.text).toBe('*');
      const exposed = answer.headers['access-control-expose-headers']?.split(', ');
      for (const name of [
        'ETag',
        'Location',
        'Link',
        'X-RateLimit-Remaining',
        'X-Request-Id',
        'Retry-After',
      ]) {
        expect(exposed).toContain(name);
      }
    }
  });

  test('may read nothing outside the API', async () => {
    for (const path of ['/', '/reference', '/metrics', '/invite/x', '/v1x']) {
      const answer = await app.call('GET', path, { headers: { origin: 'https://elsewhere.example' } });
      expect(answer.headers['access-control-allow-origin'], path).toBeUndefined();
      expect((await preflight(path, 'GET')).status, path).not.toBe(204);
    }
  });
});

describe('the public client in a browser, on a page of another origin', () => {
  let browser: Browser;
  let page: Page;
  const client = join(dirname(createRequire(import.meta.url).resolve('@gitbook/api')), 'index.js');
  /** Responds like the API, without CORS headers. */
  const silent = createServer((_request, response) => response.end('{}'));
  const site = createServer(async (request, response) => {
    const isScript = request.url === '/client.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? await readFile(client) : '<!doctype html><title>Elsewhere</title>');
  });

  beforeAll(async () => {
    for (const server of [site, silent]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    browser = await launchBrowser();
    page = await browser.newPage();
    await page.goto(addressOf(site));
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    site.close();
    silent.close();
  });

  test('is blocked by the browser when the server allows no other origin', async () => {
    const read = (options: object) =>
      page.evaluate(
        `fetch(${JSON.stringify(addressOf(silent))}, ${JSON.stringify(options)}).then(() => 'read', (error) => error.name)`,
      );
    expect(await read({})).toBe('TypeError');
    expect(await read({ headers: { authorization: 'Bearer x' } })).toBe('TypeError');
    // It is reachable: the browser only blocks reading the response.
    expect(await read({ mode: 'no-cors' })).toBe('read');
  });

  test('reads, writes, and sees headers and errors', async () => {
    // As text, because the browser runs it, not the test runner.
    const script = `(async () => {
      const { GitBookAPI } = await import('/client.js');
      const api = new GitBookAPI(${JSON.stringify({ endpoint, authToken: side.admin.token })});
      const user = await api.user.getAuthenticatedUser();
      const made = await api.orgs.createSpace('${side.organizationId}', { title: 'From a browser' });
      const space = await api.spaces.getSpaceById(made.data.id);
      const patched = await api.spaces.updateSpaceById(made.data.id, { title: 'Renamed' });
      const missing = await api.spaces.getSpaceById('nowhere').catch((error) => error.code);
      return {
        user: user.data.id,
        title: patched.data.title,
        missing,
        location: made.headers.get('location') !== null,
        etag: space.headers.get('etag') !== null,
        remaining: space.headers.get('x-ratelimit-remaining') !== null,
        request: space.headers.get('x-request-id') !== null,
      };
    })()`;
    const seen = await page.evaluate(script);
    expect(seen).toEqual({
      user: side.admin.id,
      title: 'Renamed',
      missing: 404,
      location: true,
      etag: true,
      remaining: true,
      request: true,
    });
  }, 120_000);
});
