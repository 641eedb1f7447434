import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aWork } from '../../../../../test/import-work.ts';
import { aPage, html, redirectTo, respond, serveSite, type Handler } from '../../../../../test/site.ts';
import { readWebsite } from './read-website.ts';

const link = (...hrefs: string[]): string => hrefs.map((href) => `<a href="${href}">link</a>`).join('');
const MB = 1024 * 1024;

/** Time limits are reached when a test says so, not on a machine that is merely slow. */
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
afterEach(() => void vi.useRealTimers());

/** One page that is not read, beside one that is. */
async function readBeside(handler: Handler) {
  const served = await serveSite({
    '/': aPage('A', link('/bad', '/good')),
    '/bad': handler,
    '/good': aPage('B'),
  });
  const folder = await readWebsite(aWork(), served.url);
  expect(folder).toMatchObject({ found: 3, imported: 2, skippedCount: 1 });
  return { served, reason: folder.skipped[0]?.reason };
}

describe('a website without end', () => {
  it('is read up to the limit of pages, and the rest is counted', async () => {
    // Each page links to 100 others of 100,000.
    const served = await serveSite({}, (request, response) => {
      const at = Number(request.url?.slice(2) || 0);
      const next = Array.from({ length: 100 }, (_, index) => `/p${(at * 100 + index + 1) % 100_000}`);
      html(aPage(`Page ${at}`, link(...next)))(request, response);
    });
    const folder = await readWebsite(aWork({ limits: { pages: 300 } }), `${served.url}/`);
    expect(folder.imported).toBe(300);
    expect(served.requests.length).toBeLessThanOrEqual(300);
    expect(folder.skippedCount).toBeGreaterThan(10_000);
    expect(folder.found).toBe(folder.imported + folder.skippedCount);
    expect(folder.skipped.map(({ reason }) => reason)).toContain('limit of 300 pages');
    expect(folder.skipped.length).toBeLessThanOrEqual(1000);
  });

  it('that goes deeper and deeper ends', async () => {
    const served = await serveSite({}, (request, response) => {
      const path = request.url ?? '/';
      html(aPage(path, link(`${path}a/`, `${path}b/`, '?page=2', `${path}?sort=1`)))(request, response);
    });
    const folder = await readWebsite(aWork(), served.url);
    expect(new Set(folder.skipped.map(({ reason }) => reason))).toEqual(new Set(['the path repeats itself']));
    expect(served.requests.some((path) => path.includes('?'))).toBe(false);
  });

  it('is read until the time is over', async () => {
    stopClock();
    const served = await serveSite({}, (request, response) => {
      const at = Number(request.url?.slice(2) || 0);
      html(aPage(`${at}`, link(`/p${at + 1}`, `/p${at + 1000}`)))(request, response);
      if (served.requests.length === 100) vi.advanceTimersByTime(500);
    });
    const folder = await readWebsite(aWork({ pagesMs: 500 }), `${served.url}/`);
    expect(folder.imported).toBeGreaterThan(1);
    expect(folder.skipped[0]?.reason).toBe('time limit');
  });

  it('has text without end', async () => {
    const served = await serveSite({}, (request, response) => {
      const at = Number(request.url?.slice(2) || 0);
      html(aPage('x'.repeat(100_000), link(`/p${at + 1}`)))(request, response);
    });
    const folder = await readWebsite(aWork({ limits: { textBytes: MB } }), `${served.url}/`);
    expect(folder.imported).toBe(10);
    expect(folder.skipped.map(({ reason }) => reason)).toEqual([
      'limit of 1 MB of text',
      'limit of 1 MB of text',
    ]);
  });
});

describe('a page that cannot be read', () => {
  it('redirects without end', async () => {
    expect((await readBeside(redirectTo('/bad'))).reason).toContain('redirects more than 3 times');
  });

  it('is larger than its limit', async () => {
    const announced: Handler = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': 200 * MB }).write('x');
    expect((await readBeside(announced)).reason).toContain('exceeds');
    const endless: Handler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const more = () => response.write(Buffer.alloc(MB, 'x')) && setImmediate(more);
      response.on('drain', more);
      more();
    };
    expect((await readBeside(endless)).reason).toContain('exceeds');
  });

  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  it.each([
    ['gzip', gzipSync(Buffer.alloc(50 * MB))],
    ['br', brotliCompressSync(Buffer.alloc(50 * MB), fast)],
  ])('is a bomb: %s', async (encoding, bytes) => {
    const bomb = respond(200, { 'content-type': 'text/html', 'content-encoding': encoding }, bytes);
    expect((await readBeside(bomb)).reason).toContain('exceeds');
  });

  it('is of another type, whatever it contains', async () => {
    const lying = respond(200, { 'content-type': 'image/png' }, aPage('C'));
    expect((await readBeside(lying)).reason).toBe('This is image/png, not a web page.');
  });

  it('contains bytes that are no text', async () => {
    expect((await readBeside(html('<p>\0\0\0'))).reason).toBe('The page is not text.');
  });

  it('arrives byte by byte', async () => {
    const drip: Handler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    };
    const served = await serveSite({
      '/': aPage('A', link('/bad', '/good')),
      '/bad': drip,
      '/good': aPage('B'),
    });
    stopClock();
    const work = aWork({ pagesMs: 300 });
    const reading = readWebsite(work, served.url);
    await expect.poll(() => work.progress.at(-1)?.imported).toBe(2);
    vi.advanceTimersByTime(60_000);
    const folder = await reading;
    expect(folder).toMatchObject({ imported: 2, skippedCount: 1 });
    expect(folder.skipped[0]?.reason).toBe('time limit');
  });
});

describe('an import that is cancelled', () => {
  it('ends with the reason, and leaves no connection open', async () => {
    const never: Handler = () => undefined;
    const served = await serveSite(
      { '/': aPage('A', link('/1', '/2', '/3', '/4', '/5', '/6', '/7')) },
      never,
    );
    const cancelling = new AbortController();
    const reading = readWebsite(aWork({ signal: cancelling.signal }), served.url).catch(
      (error: unknown) => error,
    );
    await expect.poll(() => served.requests.length).toBe(7);
    cancelling.abort(new Error('cancelled'));
    expect(await reading).toMatchObject({ message: 'cancelled' });
    await expect.poll(() => served.connections()).toBe(0);
  });

  it('ends while its start page or robots.txt does not arrive', async () => {
    const never: Handler = () => undefined;
    for (const path of ['/robots.txt', '/']) {
      const served = await serveSite({ [path]: never });
      const cancelling = new AbortController();
      setTimeout(() => cancelling.abort(new Error('cancelled')), 100);
      await expect(readWebsite(aWork({ signal: cancelling.signal }), served.url)).rejects.toThrow(
        'cancelled',
      );
      await expect(readWebsite(aWork({ pagesMs: -1900 }), served.url)).rejects.toMatchObject({ status: 400 });
      await expect.poll(() => served.connections()).toBe(0);
    }
  });

  it('ends when a file cannot be stored', async () => {
    const images = Array.from({ length: 20 }, (_, index) => `<img src="/${index}.svg">`).join('');
    const svg = respond(200, {}, '<svg xmlns="http://www.w3.org/2000/svg"></svg>');
    const served = await serveSite({ '/': aPage('A', images) }, svg);
    const work = {
      ...aWork(),
      storeFile: () => delay(10).then(() => Promise.reject(new Error('disk full'))),
    };
    await expect(readWebsite(work, served.url)).rejects.toThrow('disk full');
    expect(served.requests.length).toBeLessThan(20);
    await expect.poll(() => served.connections()).toBe(0);
  });
});
