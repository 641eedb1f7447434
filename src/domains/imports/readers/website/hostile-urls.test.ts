import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC, RECORDS } from '../../../../../test/hostile-names.ts';
import { HOSTILE_LOCATIONS, HOSTILE_URLS } from '../../../../../test/hostile-urls.ts';
import { aWork } from '../../../../../test/import-work.ts';
import {
  aPage,
  html,
  redirectTo,
  serveSite,
  type Handler,
  type ServedSite,
} from '../../../../../test/site.ts';
import { dialTcp } from '../../../../platform/outbound/connect.ts';
import { OutboundError } from '../../../../platform/outbound/index.ts';
import { ImportError } from '../../folder/imported-folder.ts';
import { readWebsite } from './read-website.ts';

let canary: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  canary = createServer((_request, response) => response.end('reached'));
  canary.on('connection', () => connections++);
  await new Promise<void>((resolve) => canary.listen(0, '::', resolve));
  port = (canary.address() as AddressInfo).port;
});

afterAll(() => canary.close());

const written = (url: string): string => url.replaceAll('PORT', String(port));

/** Imports from `site.example`, a website on this machine; nothing else may be connected to. */
function anImport(site: ServedSite | undefined) {
  const dialled: string[] = [];
  const work = aWork({
    outbound: {
      // The port is opened for another host, so that it is never the port that protects the canary.
      allow: [`elsewhere.example:${port}`, ...(site ? [`site.example:${site.port}`] : [])],
      resolve: (hostname) =>
        Promise.resolve(hostname === 'site.example' ? ['127.0.0.1'] : (RECORDS[hostname] ?? [])),
      dial: (address, to) => {
        dialled.push(`${address} ${to}`);
        return dialTcp(address, to);
      },
    },
  });
  return {
    read: (url = `http://site.example:${site?.port}/`) => readWebsite(work, written(url)),
    expectNoOther() {
      expect(dialled.filter((each) => each !== `127.0.0.1 ${site?.port}`)).toEqual([]);
      expect(connections).toBe(0);
    },
  };
}

async function expectRefused(reading: Promise<unknown>, url: string): Promise<void> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const isExpected = error instanceof OutboundError || error instanceof ImportError;
  expect(isExpected, `${url}: ${String(error)}`).toBe(true);
}

describe('hostile URLs in an import of a website', () => {
  it('are at least 150', () => {
    expect(HOSTILE_URLS.length).toBeGreaterThanOrEqual(150);
    expect(HOSTILE_LOCATIONS.length).toBeGreaterThanOrEqual(150);
  });

  it('are refused as the start URL', async () => {
    const { read, expectNoOther } = anImport(undefined);
    for (const url of HOSTILE_URLS) await expectRefused(read(url), url);
    expectNoOther();
  });

  it('are refused as the target of the start page and of robots.txt', async () => {
    let location = '';
    const redirect: Handler = (request, response) => redirectTo(written(location))(request, response);
    for (const path of ['/', '/robots.txt']) {
      const site = await serveSite({ '/': aPage('A'), [path]: redirect });
      const { read, expectNoOther } = anImport(site);
      for (location of HOSTILE_LOCATIONS) await expectRefused(read(), location);
      expectNoOther();
    }
  });

  it('are not requested as links, images and canonical URLs', async () => {
    const urls = HOSTILE_URLS.map((url) => written(url).replaceAll('\0', ''));
    const content = urls.map((url) => `<a href="${url}">a</a><img src="${url}">`).join('');
    const pages = urls.map((url, index): [string, string] => [
      `/p${index}`,
      `<link rel="canonical" href="${url}">${aPage(`P${index}`)}`,
    ]);
    const links = pages.map(([path]) => `<a href="${path}">a</a>`).join('');
    const navigation = urls.filter((url) => !/[|\n]/.test(url)).map((url) => `Entry|${url}`);
    const site = await serveSite({
      '/': aPage('A', content + links, navigation),
      ...Object.fromEntries(pages),
    });
    const { read, expectNoOther } = anImport(site);
    const folder = await read();
    expect(folder.imported).toBeGreaterThan(150);
    expectNoOther();
  });

  it('are not requested as targets of pages and images', async () => {
    const redirects = HOSTILE_LOCATIONS.map((url, index): [string, Handler] => [
      `/r${index}`,
      redirectTo(written(url)),
    ]);
    const content = redirects.map(([path]) => `<a href="${path}">a</a><img src="${path}.png">`).join('');
    const images = redirects.map(([path, handler]): [string, Handler] => [`${path}.png`, handler]);
    const site = await serveSite({
      '/': html(aPage('A', content)),
      ...Object.fromEntries(redirects),
      ...Object.fromEntries(images),
    });
    const { read, expectNoOther } = anImport(site);
    const folder = await read();
    expect(folder).toMatchObject({ imported: 1, skippedCount: 2 * HOSTILE_LOCATIONS.length });
    expectNoOther();
  });
});

describe('a name whose address changes during an import', () => {
  it.each([0, 1, 2, 3, 4, 5])('after %i lookups is not followed', async (lookups) => {
    const site = await serveSite({
      '/': aPage('A', '<a href="/b">b</a><img src="/c.png">'),
      '/b': aPage('B'),
    });
    const dialled: string[] = [];
    let asked = 0;
    const work = aWork({
      outbound: {
        allow: [],
        resolve: () => Promise.resolve(asked++ < lookups ? [PUBLIC] : ['127.0.0.1']),
        dial: (address) => {
          dialled.push(address);
          return Object.defineProperty(dialTcp('127.0.0.1', site.port), 'remoteAddress', { value: address });
        },
      },
    });
    const reading = readWebsite(work, 'http://rebinding.example/');
    if (lookups < 3) await expect(reading).rejects.toMatchObject({ reason: 'blocked' });
    else expect((await reading).skippedCount).toBe(lookups === 3 ? 2 : 1);
    expect(dialled.filter((address) => address !== PUBLIC)).toEqual([]);
  });
});
