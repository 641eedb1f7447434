import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** A page of many blocks. */

let app: TestApp;
let site: PublishedSite;
const COUNT = 12_000;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'));
  const { space } = await site.addSpace('Manual');
  const body = Array.from({ length: COUNT }, (_, at) => `## h${at}\n`).join('');
  await site.contents.edit(
    space,
    insert('Start', 'x'),
    insert('Many', `Before [missing](gone.md).\n\n${body}`),
  );
});

test('shows all its headings, and lists the first ones', async () => {
  const { status, text } = await site.read('/many');
  expect(status).toBe(200);
  expect(text.match(/<h2 id="h\d+"/g)).toHaveLength(COUNT);
  const outline = text.slice(text.indexOf('<details class="outline">'));
  expect(outline.match(/<li><a href="#h\d+">/g)).toHaveLength(500);
});

test('has its Markdown', async () => {
  const { status, text } = await site.read('/many.md');
  expect(status).toBe(200);
  expect(text).toContain('Before [missing](#).');
  expect(text.match(/^## h\d+$/gm)).toHaveLength(COUNT);
});
