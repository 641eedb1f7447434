import { expect, test } from 'vitest';
import { startImporting, zipOf } from '../../../test/importing.ts';
import { expectError } from '../../../test/refusal.ts';

const LINKS = Array.from({ length: 5000 }, (_each, n) => `[](/${n})`).join(' ');

test('a change of too many links is refused, and again without work', { timeout: 180_000 }, async () => {
  const pages = Array.from({ length: 13 }, (_each, n) => [`p${n}.md`, `# P${n}\n\n${LINKS}\n`]);
  const { app, contents, aRequest, importInto } = await startImporting({
    '/pages.zip': zipOf(Object.fromEntries(pages)),
  });
  const request = await aRequest(await contents.aSpace());
  const imported = await importInto(`${request}/content`, 'zip', '/pages.zip');
  expect(imported.status, imported.text).toBe(201);
  const links = () => contents.call('GET', `${request}/links`);
  expectError(await links(), 422, /more than 60,000 links/);
  // The contents of the pages are not read again.
  const { caches } = app.app.context;
  caches.bodyFacts.clear();
  expectError(await links(), 422, /more than 60,000 links/);
  expect(caches.bodyFacts.size).toBe(0);
});
