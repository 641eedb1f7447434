import { createServer, request as sendRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { launchBrowser } from './browser.ts';
import { insert } from './content.ts';
import { aPublishedSite, type PublishedSite } from './published-site.ts';
import { listening } from './socket.ts';
import { aSide, type Side } from './world.ts';

/** A reverse proxy on the public address: it forwards requests below `/docs`, with or without that prefix. */
function createProxy(portOf: () => number, isStripping: boolean): Server {
  return createServer((request, response) => {
    const { url = '/', method, headers } = request;
    if (!/^\/docs(?=[/?]|$)/.test(url)) return void response.writeHead(404).end('another site');
    const path = isStripping ? url.slice('/docs'.length).replace(/^(?!\/)/, '/') : url;
    const forwarded = sendRequest({ host: '127.0.0.1', port: portOf(), path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 300_000);
afterAll(() => browser.close());

describe.each([
  ['a proxy that strips the path', true],
  ['a proxy that leaves the path', false],
])('behind %s, with a path in the public URL,', (_name, isStripping) => {
  let app: TestApp;
  let side: Side;
  let serverPort: number;
  let publicUrl: string;
  let published: PublishedSite;
  const proxy = createProxy(() => serverPort, isStripping);

  beforeAll(async () => {
    publicUrl = `http://127.0.0.1:${await listen(proxy)}/docs`;
    app = await startApp({ environment: { OCTAVO_URL: publicUrl } });
    side = await aSide(app, 'alpha');
    published = await aPublishedSite(app, side);
    const { space } = await published.addSpace('Guide');
    await published.contents.edit(space, insert('First', 'Text'), insert('Second', '## Heading'));
    serverPort = (await listening(app)).port;
  });
  afterAll(() => proxy.close());

  const send = (method: string, url: string, body?: string) =>
    fetch(url, {
      method,
      headers: { authorization: `Bearer ${side.admin.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
  const get = (url: string) => send('GET', url);

  test('every URL in a response is reachable', async () => {
    const { contents, site, addSpace } = published;
    const { space } = await addSpace('More');
    const file = { name: 'a.txt', base64: Buffer.from('a').toString('base64') };
    await contents.edit(space, insert('Page'), { operation: 'insert_files', files: [file] });
    const organization = `/v1/orgs/${side.organizationId}`;
    await contents.call('POST', `${organization}/link-invites`, { role: 'read' });
    const paths = [
      '/v1/user',
      organization,
      `${organization}/link-invites`,
      space,
      `${space}/content`,
      `${space}/content/files`,
      `${space}/pdf`,
      site,
      `${site}/structure`,
    ];
    const urls = new Set<string>();
    for (const path of paths) {
      const text = await (await get(publicUrl + path)).text();
      for (const [, found = ''] of text.matchAll(/"(http:\/\/127\.0\.0\.1[^"]+)"/g)) urls.add(found);
    }
    expect(urls.size).toBeGreaterThan(15);
    for (const each of urls) {
      expect(each.startsWith(`${publicUrl}/`), each).toBe(true);
      expect((await get(each)).status, each).toBe(200);
    }
  });

  test('a file can be sent to its upload URL', async () => {
    const file = { name: 'a.txt', type: 'text/plain', size: 1 };
    const path = `/v1/orgs/${side.organizationId}/storage/upload`;
    const upload = await send('POST', publicUrl + path, JSON.stringify({ file }));
    const { url } = (await upload.json()) as { url: string };
    expect(url.startsWith(`${publicUrl}/`), url).toBe(true);
    expect(upload.headers.get('location')).toBe(url);
    expect((await send('PUT', url, 'a')).status).toBe(204);
  });

  test('all links of the pages work', async () => {
    const { origin } = new URL(publicUrl);
    const urls = new Set<string>();
    for (const page of ['', '/', '/app/spaces/x', `/${published.basename}/`]) {
      const answer = await get(publicUrl + page);
      expect(answer.status, page).toBe(200);
      const links = [...(await answer.text()).matchAll(/(?:href|src)="([^"]+)"/g)]
        .map(([, link = '']) => new URL(link.replaceAll(/&#?\w+;/g, '&'), answer.url))
        // Others lead to other sites.
        .filter((url) => url.origin === origin);
      expect(links.length, page).toBeGreaterThan(0);
      for (const { href } of links) urls.add(href);
    }
    for (const url of urls) {
      expect(url.startsWith(`${publicUrl}/`), url).toBe(true);
      expect((await get(url)).status, url).toBe(200);
    }
  });

  test('the server responds with the prefix and without it', async () => {
    for (const path of ['/v1/user', '/docs/v1/user', '/docs/reference', '/docs', '/docs?x=1', '/healthz']) {
      expect((await get(`http://127.0.0.1:${serverPort}${path}`)).status, path).toBe(200);
    }
    expect((await get(`http://127.0.0.1:${serverPort}/docsv1/user`)).status).toBe(404);
  });

  test('the API reference works in a browser', async () => {
    const page = await browser.newPage();
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${publicUrl}/reference`);
    await page.getByRole('heading', { name: 'Octavo' }).waitFor();
    expect(failed).toEqual([]);
  }, 120_000);

  test('the OpenAPI document names the public URL', async () => {
    const document = (await (await get(`${publicUrl}/openapi.json`)).json()) as {
      servers: { url: string }[];
    };
    expect(document.servers[0]?.url).toBe(publicUrl);
  });
});
