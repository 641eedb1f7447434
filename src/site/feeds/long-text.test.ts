import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';
import * as markdown from '../../content-engine/markdown/index.ts';

/** A site with more text than the text of all pages has room for. */

let app: TestApp;
let site: PublishedSite;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'));
  const { space } = await site.addSpace('Manual');
  const words = 'word '.repeat(180_000);
  for (let page = 1; page <= 10; page += 1)
    await site.contents.edit(space, insert(`Page ${page}`, `Begin ${page}. ${words}`));
}, 120_000);

test('the text ends where it says so, and names the list of all pages', async () => {
  const { status, text, headers } = await site.read('/llms-full.txt');
  expect(status).toBe(200);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8 * 1024 ** 2);
  expect(text).toContain('Begin 9.');
  expect(text).not.toContain('Begin 10.');
  expect(text.slice(-200)).toContain(
    `This text ends here, at 8 MB. The site has more pages: http://octavo.test/${site.basename}/llms.txt lists all of them.`,
  );
  expect(headers['etag']).toBeTruthy();
  expect((await site.read('/llms.txt')).text).toContain('[Page 10]');
});

test('it is made once', async () => {
  const first = await site.read('/llms-full.txt');
  const list = vi.spyOn(markdown, 'hrefsOf');
  onTestFinished(() => list.mockRestore());
  expect((await site.read('/llms-full.txt')).text === first.text).toBe(true);
  expect(list).not.toHaveBeenCalled();
  app.app.context.caches.sites.pages.clear();
  expect((await site.read('/llms-full.txt')).text === first.text).toBe(true);
  expect(list).toHaveBeenCalled();
});
