import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { apiReferencesOf, GET, LIST, ORDER, specification } from '../../../test/api-references.ts';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, idIn } from '../../../test/published-site.ts';
import { aWorld, type World } from '../../../test/world.ts';

/** Large specifications, and their pages wherever pages are read. */

let app: TestApp;
let world: World;
let references: ReturnType<typeof apiReferencesOf>;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  references = apiReferencesOf(app, world.a);
});

/** A timeout for hangs only. */
const HANG_TIMEOUT = 300_000;

const things = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: `/things/${index}/parts`,
    id: `readThing${index}`,
    summary: `Read thing ${index}`,
    tags: [`tag ${index % 7}`],
  }));

test('5,000 operations have 5,000 pages', { timeout: HANG_TIMEOUT }, async () => {
  const { contents, aReference } = references;
  const { space } = await aReference(specification(things(5000)), { grouping: 'by-operation' });
  const pages = await contents.pages(space);
  expect(pages).toHaveLength(9);
  const titles = pages.flatMap((page) => (page.pages ?? []).map(({ title }: { title: string }) => title));
  expect(new Set(titles).size).toBe(5000);
  const { items } = await contents.get(`${space}/search?query=${encodeURIComponent('/things/4321/parts')}`);
  expect(items[0]).toMatchObject({ title: 'Read thing 4321' });
});

test('too many operations are refused in the place of the entry, and never shown by halves', async () => {
  const { contents, aReference, replaceSpec, shown } = references;
  const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
  const many = specification(things(1001).map((each) => ({ ...each, tags })));
  const { space, spec } = await aReference(many, { models: true });
  expect(await shown(space)).toEqual(['welcome: Welcome', `${spec}: ${spec}`, 'last: Last']);
  const [, page] = await contents.pages(space);
  expect((await contents.page(space, page.id)).markdown).toContain(
    `\`${spec}\` has 20,020 tags and operations in tags. Pages are made of specifications with up to 20,000.`,
  );
  await replaceSpec(spec, specification([LIST]));
  expect(await shown(space)).toEqual(['welcome: Welcome', 'pets: pets', 'last: Last']);
  await replaceSpec(spec, many);
  expect(await shown(space)).toEqual(['welcome: Welcome', `${spec}: ${spec}`, 'pets: pets', 'last: Last']);
});

test('pages of operations are found, linked and read as all others', async () => {
  const { contents, aReference } = references;
  const document = specification([{ ...LIST, path: '/wombats' }, GET, ORDER], {
    components: { schemas: { Quokka: { type: 'object' } } },
  });
  const { space } = await aReference(document, { grouping: 'by-operation', models: true });
  const [welcome, pets] = await contents.pages(space);
  const get = pets.pages[1];
  await contents.edit(space, {
    operation: 'update_page',
    page: welcome.id,
    document: { markdown: `See [a pet](/pages/${get.id}).\n` },
  });
  const find = async (query: string) =>
    (await contents.get(`${space}/search?query=${encodeURIComponent(query)}`)).items[0]?.title;
  expect(await find('/wombats')).toBe('List pets');
  expect(await find('Place an order')).toBe('Place an order');
  expect(await find('Quokka')).toBe('Models');
  const { items } = await contents.get(`${space}/content/page/${get.id}/backlinks`);
  const from = items.map((each: unknown) => JSON.stringify(each)).join(' ');
  expect(from).toContain(welcome.id);
  expect(from).toContain(pets.id);
  const site = await aPublishedSite(app, world.a);
  await site.change('POST', `${site.site}/site-spaces`, { spaceId: idIn(space) });
  const full = (await site.read('/llms-full.txt')).text;
  expect(full).toContain('# Get a pet');
  expect(full).toContain('/wombats');
  expect(full).toContain('Quokka');
  expect((await site.read('/welcome.md')).text).toContain('/pets/get-pet)');
  expect((await site.read('/pets.md')).text).toContain('/pets/get-pet)');
});

test('a space with 50 operations has a PDF', { timeout: HANG_TIMEOUT }, async () => {
  const { contents, aReference } = references;
  const { space } = await aReference(specification(things(50)), { grouping: 'by-operation' });
  await contents.edit(space, insert('After'));
  let answer = await contents.call('GET', `${space}/pdf`);
  for (let tries = 0; answer.status !== 200 && tries < 100; tries++) {
    expect(answer.status, answer.text).toBeLessThan(500);
    await delay(500);
    answer = await contents.call('GET', `${space}/pdf`);
  }
  const pdf = await app.app.server.inject({ method: 'GET', url: new URL(answer.body.url).pathname });
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  const pages = pdf.rawPayload.toString('latin1').match(/\/Count (\d+)/g) ?? [];
  expect(Math.max(...pages.map((each) => Number(each.slice('/Count '.length))))).toBeGreaterThan(50);
});
