import { expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import { contentsOf, insert } from '../../../test/content.ts';
import { startImporting, zipOf } from '../../../test/importing.ts';
import { turnRatio } from '../../../test/longest-turn.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide } from '../../../test/world.ts';

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

test('thousands of new links of a change request are listed in short turns', async () => {
  const app = await startApp();
  const contents = contentsOf(app, await aSide(app, 'many-links'));
  const space = await contents.aSpace();
  const listOf = async (pages: number): Promise<() => Promise<unknown>> => {
    const { id } = (await contents.call('POST', `${space}/change-requests`, { subject: 'Links' })).body;
    const request = `${space}/change-requests/${id}`;
    const links = (page: number) => Array.from({ length: 5000 }, (_each, n) => `[](x${page}-${n})`).join(' ');
    const changes = Array.from({ length: pages }, (_each, page) => insert(`P${page}`, links(page)));
    await contents.edit(request, ...changes);
    const list = () => contents.get(`${request}/links?limit=20`);
    expect((await list()).stats.total).toBe(pages * 5000);
    return list;
  };
  const [few, many] = [await listOf(1), await listOf(8)];
  expect(await turnRatio(many, few, 5)).toBeLessThan(5);
});
