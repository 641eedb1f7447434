import { expect, test } from 'vitest';
import { createCache } from '../../platform/access/cache.ts';
import { createSiteCaches, type CachedPage } from '../read/caches.ts';
import { cachedOr } from './cached-page.ts';
import type { SiteRequest } from './request.ts';

const requests = () => {
  const caches = {
    sites: createSiteCaches(createCache({ maxEntries: 1, maxBytes: 1000, isUsable: () => true }), ''),
  };
  return (revisionId = 'r1', site = aSite(revisionId)): SiteRequest =>
    ({
      site,
      basePath: '',
      reader: { visitor: { class: '' } },
      visit: { ctx: { caches }, signal: new AbortController().signal },
    }) as unknown as SiteRequest;
};

const aSite = (revisionId: string): SiteRequest['site'] =>
  ({
    id: 'site',
    version: '1',
    site_spaces: [{ spaceId: 'space', revisionId }],
  }) as unknown as SiteRequest['site'];

/** A page that is made when the test says so. */
const aPage = (words: string, revisionId = 'r1', bytes = 0) => {
  const body = Buffer.from(words.padEnd(bytes));
  const page = { body, revisions: new Map([['space', revisionId]]) } as unknown as CachedPage;
  let finish = (): void => undefined;
  const made = new Promise<CachedPage>((resolve) => (finish = () => resolve(page)));
  return { make: () => made, finish: () => finish() };
};

const never = () => Promise.reject(new Error('made twice'));

test('a page that is being made is not made again', async () => {
  const request = requests()();
  const { make, finish } = aPage('words');
  const both = [cachedOr(request, 'html /', make), cachedOr(request, 'html /', never)];
  finish();
  const [one, other] = await Promise.all(both);
  expect(other).toBe(one);
});

test('who asks after a change does not get what was begun before it', async () => {
  const requestOf = requests();
  const before = aPage('before');
  const early = cachedOr(requestOf('r1'), 'html /', before.make);
  const after = aPage('after', 'r2');
  const late = cachedOr(requestOf('r2'), 'html /', after.make);
  after.finish();
  before.finish();
  expect((await late).body.toString()).toBe('after');
  await early;
  expect((await cachedOr(requestOf('r2'), 'html /', () => late)).body.toString()).toBe('after');
});

test('a failure is not kept', async () => {
  const request = requests()();
  await expect(cachedOr(request, 'html /', never)).rejects.toThrow('made twice');
  const { make, finish } = aPage('words');
  finish();
  expect((await cachedOr(request, 'html /', make)).body.toString()).toBe('words');
});

test('a page of several megabytes is kept', async () => {
  const request = requests()();
  const { make, finish } = aPage('words', 'r1', 6_000_000);
  finish();
  const page = await cachedOr(request, 'html /', make);
  expect(await cachedOr(request, 'html /', never)).toBe(page);
});
