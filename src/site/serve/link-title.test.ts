import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { importInto } from '../../../test/folder.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

let app: TestApp;
let site: PublishedSite;
let siteSpace: string;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'labels'));
  const added = await site.addSpace('Manual');
  ({ siteSpace } = added);
  await importInto(app, added.space, {
    'README.md': '# Welcome\n\nHello.\n',
    'SUMMARY.md': '* [Welcome](README.md)\n* [On Linux](linux.md)\n* [On macOS](mac.md)\n',
    'linux.md': '# Prerequisites of Linux\n\nA kernel.\n',
    'mac.md': '# Prerequisites of macOS\n\nAn apple.\n',
  });
});

/** The part of a page that the pattern matches, without tags and repeated spaces. */
async function textOf(path: string, part: RegExp): Promise<string | undefined> {
  const [found] = part.exec((await site.read(path)).text) ?? [];
  return found
    ?.replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

describe('a label in SUMMARY.md that differs from the title', () => {
  test('is shown in the sidebar of a page, and the title in its heading', async () => {
    expect(await textOf('/linux', /<nav class="tree"[^]*?<\/nav>/)).toBe('Welcome On Linux On macOS');
    expect(await textOf('/linux', /<h1[^]*?<\/h1>/)).toBe('Prerequisites of Linux');
    expect(await textOf('/linux', /<title>[^]*?<\/title>/)).toContain('Prerequisites of Linux');
  });

  test('is shown in the links to the previous and next page', async () => {
    expect(await textOf('/linux', /<a rel="next"[^]*?<\/a>/)).toBe('Next On macOS');
    expect(await textOf('/mac', /<a rel="prev"[^]*?<\/a>/)).toBe('Previous On Linux');
  });

  test('is shown in the list of all pages and in search results', async () => {
    const contents = `/~octavo/contents/${siteSpace}`;
    expect(await textOf(contents, /<main[^]*<\/main>/)).toContain('Welcome On Linux On macOS');
    const { body } = await site.read('/~octavo/search?q=kernel', { accept: 'application/json' });
    expect(body).toMatchObject({ items: [{ title: 'On Linux' }] });
  });
});
