import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** A page that exceeds the limits of the content engine. */

let app: TestApp;
let site: PublishedSite;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'), { title: 'Limits' });
  const { space } = await site.addSpace('Manual');
  const long = Array.from({ length: 15 }, () => 'space.vars.long').join('+');
  await site.contents.edit(
    space,
    { operation: 'set_variables', variables: { long: 'x'.repeat(256) } },
    insert('Start', 'Text.'),
    insert('Expressive', `<code class="expression">${long}</code>\n\n`.repeat(1200)),
    insert('Last', 'The end.'),
  );
});

test('is a page in the frame of the site for browsers', async () => {
  const { status, text, headers } = await site.read('/expressive');
  expect([status, headers['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
  expect(headers['cache-control']).toBe('no-cache');
  expect(text).toContain('This page is too large to be shown');
  expect(text).toContain(`href="/${site.basename}/last"`);
  expect(text).toContain('<meta name="robots" content="noindex">');
});

test('is an error for programs', async () => {
  expectError(await site.read('/expressive', { accept: 'application/json' }), 413, /^Page "Expressive" has/);
  expectError(await site.read('/expressive.md', { accept: '*/*' }), 413, /^Page "Expressive" has/);
});

test('does not end the text of all pages', async () => {
  const { status, text } = await site.read('/llms-full.txt');
  expect(status).toBe(200);
  expect(text).toContain('# Expressive\n\nPage "Expressive" has expressions that produce more than');
  expect(text).toContain('The end.');
});
