import { beforeAll, expect, test } from 'vitest';
import { apiReferencesOf, block, GET, LIST, ORDER, specification } from '../../../test/api-references.ts';
import { startApp, type TestApp } from '../../../test/app.ts';
import { exportOf, importInto } from '../../../test/folder.ts';
import { aPublishedSite, HTML } from '../../../test/published-site.ts';
import { aWorld, type World } from '../../../test/world.ts';

let app: TestApp;
let world: World;
let references: ReturnType<typeof apiReferencesOf>;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  references = apiReferencesOf(app, world.a);
});

const folderOf = (spec: string) => ({
  'README.md': '# Welcome\n\nSee [a pet](pets/get-pet.md).\n',
  'SUMMARY.md': `# Summary

* [Welcome](README.md)
* \`\`\`yaml
  props:
    models: false
    grouping: by-operation
  type: builtin:openapi
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: ${spec}
  \`\`\`
* [Last](last.md)
`,
  'last.md': '# Last\n',
});

const PAGES = [
  'readme: Welcome',
  'pets: pets',
  '  pets/list-pets: List pets',
  '  pets/get-pet: Get a pet',
  'last: Last',
];

async function anImported(operations = [LIST, GET]) {
  const { contents, settle, newSpec } = references;
  const spec = await newSpec(specification(operations));
  const space = await contents.aSpace();
  await importInto(app, space, folderOf(spec));
  await settle();
  return { spec, space };
}

test('a folder with an entry is exported byte for byte', async () => {
  const { spec, space } = await anImported();
  expect(await references.shown(space)).toEqual(PAGES);
  expect(await exportOf(app, space)).toEqual(folderOf(spec));
});

test('an import of the same folder keeps the pages, and what people have written', async () => {
  const { contents, settle, shown, replaceSpec } = references;
  const { spec, space } = await anImported();
  const [, before] = await contents.pages(space);
  const [list, get] = before.pages;
  const markdown = `Mine.\n\n${block(spec, '/pets')}\n`;
  await contents.edit(space, { operation: 'update_page', page: list.id, document: { markdown } });
  await contents.edit(space, { operation: 'delete_page', page: get.id });
  await importInto(app, space, { ...folderOf(spec), 'README.md': '# Hello\n' });
  await settle();
  expect(await shown(space)).toEqual([
    'readme: Hello',
    'pets: pets',
    '  pets/list-pets: List pets',
    'last: Last',
  ]);
  expect((await contents.page(space, list.id)).markdown).toBe(markdown);
  await replaceSpec(spec, specification([{ ...LIST, path: '/animals' }, GET, ORDER]));
  expect((await contents.page(space, list.id)).markdown).toBe(markdown.replace('/pets', '/animals'));
  const [, after] = await contents.pages(space);
  expect(after.id).toBe(before.id);
});

test('a page that a user has edited is exported, and found again by an import', async () => {
  const { contents, settle, shown, replaceSpec } = references;
  const { spec, space } = await anImported();
  const [
    ,
    {
      pages: [list],
    },
  ] = (await contents.pages(space)) as [unknown, { pages: { id: string }[] }];
  const markdown = `Mine.\n\n${block(spec, '/pets')}\n`;
  await contents.edit(space, {
    operation: 'update_page',
    page: list?.id ?? '',
    title: 'All pets',
    document: { markdown },
  });
  const exported = await exportOf(app, space);
  expect(Object.keys(exported)).toEqual(expect.arrayContaining(['pets.md', 'pets/list-pets.md']));
  expect(exported['pets/list-pets.md']).toBe(`# All pets\n\n${markdown}`);
  expect(exported['SUMMARY.md']).toContain('* [pets](pets.md)\n  * [All pets](pets/list-pets.md)\n* [Last]');
  const other = await contents.aSpace();
  await importInto(app, other, exported);
  await settle();
  const expected = PAGES.map((line) => line.replace('List pets', 'All pets'));
  expect(await shown(other)).toEqual(expected);
  expect(await exportOf(app, other)).toEqual(exported);
  await replaceSpec(spec, specification([{ ...LIST, path: '/animals' }, GET]));
  const pages = await contents.pages(other);
  expect((await contents.page(other, pages[1].pages[0].id)).markdown).toBe(
    markdown.replace('/pets', '/animals'),
  );
  await importInto(app, space, exported);
  await settle();
  expect(await shown(space)).toEqual(expected);
});

test('a published site shows the pages', async () => {
  const site = await aPublishedSite(app, world.a);
  const { space } = await site.addSpace('API');
  const spec = await references.newSpec(specification([LIST, GET]));
  await importInto(app, space, folderOf(spec));
  await references.settle();
  const answer = await site.read('/pets/list-pets', HTML);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.text).toContain('List pets');
  expect((await site.read('/', HTML)).text).toContain('pets/get-pet');
  expect((await site.read('/pets/get-pet.md')).text).toContain('# Get a pet');
  expect((await site.read('/llms.txt')).text).toContain('pets/get-pet.md');
  expect((await site.read('/sitemap-pages.xml')).text).toContain('pets/get-pet');
});
