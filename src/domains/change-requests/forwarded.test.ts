import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';
import { MAX_SMALL } from '../../platform/api/too-large-here.ts';

/** What the front leaves to the heavy process of content and change requests. */

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp({ hasHeavy: true });
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

/** The response, and how many requests were forwarded. */
async function call(...args: Parameters<Contents['call']>) {
  const before = app.forwarded();
  const answer = await contents.call(...args);
  expect(answer.status, answer.text).toBeLessThan(300);
  return { body: answer.body, forwarded: app.forwarded() - before };
}

const LINES = 3000;
const page = (at: number, text: string) =>
  Array.from({ length: LINES }, (_each, line) => (line === at ? text : `Paragraph ${line}.`)).join('\n\n');
const write = (id: string, markdown: string) => ({
  operation: 'update_page',
  page: id,
  document: { markdown },
});

async function aRequest(space: string, ...changes: object[]): Promise<string> {
  const { body } = await call('POST', `${space}/change-requests`, { subject: 'Better' });
  await call('POST', `${space}/change-requests/${body.id}/content`, { changes });
  return `${space}/change-requests/${body.id}`;
}

test('a large page is merged once; a small one is not forwarded', async () => {
  const space = await contents.aSpace();
  const [large = '', small = ''] = idsOf(
    await contents.edit(space, insert('Large', page(-1, '')), insert('Small', 'One.\n\nTwo.')),
  );
  const path = await aRequest(space, write(large, page(2990, 'Proposed.')));
  await contents.edit(space, write(large, page(10, 'Current.')));
  const merged = await call('POST', `${path}/merge`);
  expect([merged.body.result, merged.forwarded]).toEqual(['merge', 1]);
  const { markdown } = await contents.page(space, large, '?format=markdown');
  expect([markdown.includes('Proposed.'), markdown.includes('Current.')]).toEqual([true, true]);

  const other = await aRequest(space, write(small, 'One.\n\nProposed.'));
  await contents.edit(space, write(small, 'Current.\n\nTwo.'));
  const here = await call('POST', `${other}/merge`);
  expect([here.body.result, here.forwarded]).toEqual(['merge', 0]);
  expect((await contents.page(space, small, '?format=markdown')).markdown).toBe('Current.\n\nProposed.');
});

test('conflicts of a large page are found and resolved', async () => {
  const space = await contents.aSpace();
  const [id = ''] = idsOf(await contents.edit(space, insert('Large', page(-1, ''))));
  const path = await aRequest(space, write(id, page(7, 'Proposed.')));
  await contents.edit(space, write(id, page(7, 'Current.')));
  const updated = await call('POST', `${path}/update`);
  expect([updated.body.result, updated.forwarded]).toEqual(['conflicts', 1]);
  const { items } = await contents.get(`${path}/conflicts`);
  expect(items).toHaveLength(1);
  const resolved = await call('POST', `${path}/conflicts/${items[0].id}`, { use: 'proposed' });
  expect(resolved.forwarded).toBe(1);
  const { markdown } = await contents.get(`${path}/content/page/${id}?format=markdown`);
  expect([markdown.includes('Proposed.'), markdown.includes('Current.')]).toEqual([true, false]);
});

test('a comment on a block of a large page is posted', async () => {
  const space = await contents.aSpace();
  const [id = ''] = idsOf(await contents.edit(space, insert('Large', page(-1, ''))));
  const { document } = await contents.page(space, id, '?format=document');
  const comment = { body: { markdown: 'Why?' }, page: id, node: document.nodes[5].key };
  const posted = await call('POST', `${space}/comments`, comment);
  expect(posted.forwarded).toBe(1);
  expect((await contents.get(`${space}/comments`)).items).toHaveLength(1);
});

test('the pages of a large space are listed', async () => {
  const space = await contents.aSpace();
  const BATCH = 50;
  const count = MAX_SMALL.items + BATCH;
  for (let at = 0; at < count; at += BATCH)
    await contents.edit(space, ...Array.from({ length: BATCH }, (_each, n) => insert(`P${at + n}`, 'x')));
  const listed = await call('GET', `${space}/content/pages`);
  expect([listed.body.pages.length, listed.forwarded]).toEqual([count, 1]);
  const [first] = listed.body.pages;
  const one = await call('GET', `${space}/content/page/${first.id}`);
  expect([one.body.title, one.forwarded]).toEqual(['P0', 0]);
});
