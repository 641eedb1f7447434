import { beforeAll, describe, expect, test } from 'vitest';
import {
  apiReferencesOf,
  block,
  entry,
  GET,
  LIST,
  ORDER,
  outline,
  specification,
  type SpecOperation,
} from '../../../test/api-references.ts';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert, type Contents } from '../../../test/content.ts';
import { jobContext } from '../../../test/import-runs.ts';
import { readAllSpecs } from '../../../test/specs.ts';
import { aWorld, type World } from '../../../test/world.ts';
import { expandPages } from './jobs.ts';

let app: TestApp;
let world: World;
let contents: Contents;
let references: ReturnType<typeof apiReferencesOf>;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  references = apiReferencesOf(app, world.a);
  contents = references.contents;
});

const settle = () => references.settle();
const newSpec = (document: object) => references.newSpec(document);
const replaceSpec = (slug: string, document: object) => references.replaceSpec(slug, document);
const aReference = (document: object, props?: object) => references.aReference(document, props);
const shown = (space: string) => references.shown(space);
const idOf = (space: string) => space.split('/').at(-1) ?? '';

describe('an entry of computed pages', () => {
  test('has a page for each tag, in its place', async () => {
    const tags = [
      { name: 'store', 'x-page-title': 'Shop', 'x-page-icon': 'cart' },
      { name: 'pets', description: 'All *pets*.' },
    ];
    const { spec, space, entryId } = await aReference(specification([LIST, GET, ORDER], { tags }));
    expect(await shown(space)).toEqual(['welcome: Welcome', 'store: Shop', 'pets: pets', 'last: Last']);
    const [, store, pets] = await contents.pages(space);
    expect(store).toMatchObject({ type: 'document', icon: 'cart' });
    const { markdown } = await contents.page(space, pets.id);
    expect(markdown).toBe(
      `All *pets*.\n\n## List pets\n\n${block(spec, '/pets')}\n\n## Get a pet\n\n${block(spec, '/pets/{id}')}\n`,
    );
    const revision = await contents.get(`${space}/content`);
    expect(revision).toMatchObject({ type: 'computed' });
    const { pages } = await contents.get(`${space}/content/pages?computed=false`);
    expect(outline(pages)).toEqual(['welcome: Welcome', `(computed): ${spec}`, 'last: Last']);
    expect(pages[1]).toMatchObject({
      id: entryId,
      computed: { type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'openapi', spec } } } },
    });
  });

  test('has a page for each operation below its tag, and one of the models', async () => {
    const document = specification(
      [LIST, { ...GET, description: 'One *pet*.\n\nMore.' }, ORDER, { path: '/health' }],
      {
        components: { schemas: { Pet: { type: 'object' }, Order: {} } },
        webhooks: { petAdded: { post: { summary: 'A pet was added', tags: ['pets'] } } },
      },
    );
    const { spec, space } = await aReference(document, { grouping: 'by-operation', models: true });
    expect(await shown(space)).toEqual([
      'welcome: Welcome',
      'pets: pets',
      '  pets/list-pets: List pets',
      '  pets/get-pet: Get a pet',
      '  pets/petadded: A pet was added',
      'store: store',
      '  store/post-orders: Place an order',
      'get-health: GET /health',
      'models: Models',
      'last: Last',
    ]);
    const pages = await contents.pages(space);
    const [list, get] = pages[1].pages;
    expect(get.description).toBe('One pet.');
    const { markdown } = await contents.page(space, pages[1].id);
    expect(markdown).toContain(`* [List pets](`);
    expect((await contents.page(space, list.id)).markdown).toBe(`${block(spec, '/pets')}\n`);
    expect((await contents.page(space, pages[4].id)).markdown).toContain('schemas="Pet,Order"');
  });

  test('has a page for each of many models', async () => {
    const names = Array.from({ length: 101 }, (_each, index) => `Model${index}`);
    const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object' }]));
    const { space } = await aReference(specification([LIST], { components: { schemas } }), { models: true });
    const all = await contents.pages(space);
    const models = all.find(({ path }: { readonly path: string }) => path === 'models');
    expect(models.pages).toHaveLength(101);
    expect(models.pages[1]).toMatchObject({ title: 'Model1', path: 'models/model1' });
    expect((await contents.page(space, models.pages[1].id)).markdown).toContain('schemas="Model1"');
    expect((await contents.page(space, models.id)).markdown).toContain('* [Model1](');
  });

  test('is found by path, summary and schema name', async () => {
    const schemas = { Quokka: { type: 'object' } };
    const document = specification([{ ...LIST, path: '/wombats/{id}/burrows' }], { components: { schemas } });
    const { space } = await aReference(document, { grouping: 'by-operation', models: true });
    const find = async (query: string) =>
      (await contents.get(`${space}/search?query=${encodeURIComponent(query)}`)).items.map(
        ({ title }: { readonly title: string }) => title,
      );
    expect(await find('List pets')).toContain('List pets');
    expect(await find('/wombats/{id}/burrows')).toContain('List pets');
    expect(await find('Quokka')).toContain('Models');
  });

  test('is empty until its specification exists', async () => {
    const space = await contents.aSpace();
    const slug = `later-${idOf(space).toLowerCase()}`;
    await contents.edit(space, entry(slug));
    expect(await settle()).toBeGreaterThan(0);
    expect(await shown(space)).toEqual([`(computed): ${slug}`]);
    const path = `/v1/orgs/${world.a.organizationId}/openapi`;
    const source = { text: JSON.stringify(specification([LIST])) };
    expect((await contents.call('POST', path, { slug, source })).status).toBe(201);
    await readAllSpecs(app);
    await settle();
    expect(await shown(space)).toEqual(['pets: pets']);
    expect((await contents.call('DELETE', `${path}/${slug}`)).status).toBe(205);
    await contents.edit(space, insert('New'));
    await settle();
    expect(await shown(space)).toEqual(['pets: pets', 'new: New']);
  });

  test('moves and is deleted with its pages', async () => {
    const { space, entryId } = await aReference(specification([LIST, ORDER]));
    await contents.edit(space, insert('Below', '', { ref: 'b' }), {
      operation: 'move_page',
      page: entryId,
      into: 'b',
    });
    expect(await shown(space)).toEqual([
      'welcome: Welcome',
      'last: Last',
      'below: Below',
      '  below/pets: pets',
      '  below/store: store',
    ]);
    await settle();
    expect(await shown(space)).toEqual([
      'welcome: Welcome',
      'last: Last',
      'below: Below',
      '  below/pets: pets',
      '  below/store: store',
    ]);
    await contents.edit(space, { operation: 'delete_page', page: entryId });
    expect(await shown(space)).toEqual(['welcome: Welcome', 'last: Last', 'below: Below']);
  });

  test('keeps the pages of 1,000 operations', async () => {
    const operations = Array.from({ length: 1000 }, (_, index) => ({
      path: `/things/${index}`,
      id: `thing${index}`,
      summary: `Thing ${index}`,
      tags: [`tag ${index % 20}`],
    }));
    const { space, spec } = await aReference(specification(operations), { grouping: 'by-operation' });
    const pages = await contents.pages(space);
    expect(pages.flatMap((page) => page.pages ?? [])).toHaveLength(1000);
    const { id: revision } = await contents.get(`${space}/content`);
    await replaceSpec(spec, specification(operations, { info: { title: 'Other', version: '2' } }));
    expect((await contents.get(`${space}/content`)).id, 'nothing differs').toBe(revision);
  });
});

describe('a new version of the specification', () => {
  const document = (operations: readonly SpecOperation[]) => specification(operations);

  test('adds, renames and respells, and keeps ids and paths', async () => {
    const { spec, space } = await aReference(document([LIST, GET]), { grouping: 'by-operation' });
    const [, before] = await contents.pages(space);
    const renamed = { ...GET, path: '/v2/pets/{petId}', method: 'post', summary: 'Read a pet' };
    const added = { path: '/pets', method: 'delete', id: 'deletePets', tags: ['pets'] };
    await replaceSpec(spec, document([LIST, added, renamed]));
    const [, after] = await contents.pages(space);
    expect(outline([after])).toEqual([
      'pets: pets',
      '  pets/list-pets: List pets',
      '  pets/delete-pets: deletePets',
      '  pets/get-pet: Read a pet',
    ]);
    expect(after.pages[2].id).toBe(before.pages[1].id);
    expect((await contents.page(space, after.pages[2].id)).markdown).toBe(
      `${block(spec, '/v2/pets/{petId}', 'post')}\n`,
    );
  });

  test('keeps what people have changed, and pages whose operation is gone', async () => {
    const { spec, space } = await aReference(document([LIST, GET]), { grouping: 'by-operation' });
    const [list, get] = (await contents.pages(space))[1].pages;
    const markdown = `Read this first.\n\n${block(spec, '/pets')}\n\nAnd this.\n`;
    await contents.edit(space, {
      operation: 'update_page',
      page: list.id,
      title: 'All pets',
      icon: 'paw',
      document: { markdown },
    });
    await replaceSpec(
      spec,
      document([{ ...LIST, path: '/animals', summary: 'List animals', description: 'Some.' }]),
    );
    const page = await contents.page(space, list.id);
    expect(page).toMatchObject({ title: 'All pets', icon: 'paw', description: 'Some.' });
    expect(page.markdown).toBe(markdown.replace('/pets', '/animals'));
    expect(await contents.page(space, get.id)).toMatchObject({ title: 'Get a pet' });
  });

  test('changes only the blocks of a page of a tag that a user has edited', async () => {
    const { spec, space } = await aReference(document([LIST, GET]));
    const [, pets] = await contents.pages(space);
    const written = `Mine.\n\n${block(spec, '/pets')}\n\nBetween.\n\n${block(spec, '/pets/{id}')}\n`;
    await contents.edit(space, { operation: 'update_page', page: pets.id, document: { markdown: written } });
    const added = { path: '/pets', method: 'delete', id: 'deletePets', tags: ['pets'] };
    await replaceSpec(spec, document([LIST, added, { ...GET, path: '/pets/{petId}' }]));
    expect((await contents.page(space, pets.id)).markdown).toBe(
      `Mine.\n\n${block(spec, '/pets')}\n\n## deletePets\n\n${block(spec, '/pets', 'delete')}\n\nBetween.\n\n${block(spec, '/pets/{petId}')}\n`,
    );
  });

  test('does not bring back a page that a user deleted', async () => {
    const { spec, space } = await aReference(document([LIST, GET]), { grouping: 'by-operation' });
    const [list] = (await contents.pages(space))[1].pages;
    await contents.edit(space, { operation: 'delete_page', page: list.id });
    await replaceSpec(spec, document([{ ...LIST, summary: 'Again' }, GET, ORDER]));
    expect(await shown(space)).toEqual([
      'welcome: Welcome',
      'pets: pets',
      '  pets/get-pet: Get a pet',
      'store: store',
      '  store/post-orders: Place an order',
      'last: Last',
    ]);
  });

  test('meets a change request that edits a page', async () => {
    const { spec, space } = await aReference(document([LIST, GET]), { grouping: 'by-operation' });
    const [list] = (await contents.pages(space))[1].pages;
    const { body: request } = await contents.call('POST', `${space}/change-requests`, { subject: 'Words' });
    const path = `${space}/change-requests/${request.id}`;
    const markdown = `Words.\n\n${block(spec, '/pets')}\n`;
    await contents.edit(
      path,
      { operation: 'update_page', page: list.id, document: { markdown } },
      entry(spec, {}, { title: 'Again' }),
    );
    await replaceSpec(spec, document([LIST, GET, ORDER]));
    const merged = await contents.call('POST', `${path}/merge`, {});
    expect(merged.body, merged.text).toMatchObject({ result: 'merge' });
    await settle();
    expect((await contents.page(space, list.id)).markdown).toBe(markdown);
    expect(await shown(space)).toEqual([
      'welcome: Welcome',
      'pets: pets',
      '  pets/list-pets: List pets',
      '  pets/get-pet: Get a pet',
      'store: store',
      '  store/post-orders: Place an order',
      'last: Last',
      'pets-1: pets',
      'store-1: store',
    ]);
  });

  test('changes the pages once when two jobs run at once, and again when one was lost', async () => {
    const spec = await newSpec(document([LIST, GET]));
    const space = await contents.aSpace('locked');
    const { body: request } = await contents.call('POST', `${space}/change-requests`, { subject: 'Add' });
    const path = `${space}/change-requests/${request.id}`;
    await contents.edit(path, entry(spec));
    expect((await contents.call('POST', `${path}/merge`, {})).status).toBe(200);
    const run = () => expandPages.run(jobContext(app), { spaceId: idOf(space) });
    await Promise.all([run(), run(), run()]);
    expect(await shown(space)).toEqual(['pets: pets']);
    const { id } = await contents.get(`${space}/content`);
    await run();
    expect((await contents.get(`${space}/content`)).id).toBe(id);
    expect((await contents.call('DELETE', space)).status).toBe(205);
    await run();
  });

  test('changes the layout when the entry says so', async () => {
    const { spec, space, entryId } = await aReference(document([LIST, ORDER]), { grouping: 'by-operation' });
    const [list] = (await contents.pages(space))[1].pages;
    await contents.edit(space, { operation: 'update_page', page: list.id, title: 'Mine' });
    const { computed } = entry(spec, { grouping: 'by-tag' });
    await contents.edit(space, { operation: 'update_page', page: entryId, computed });
    await settle();
    expect(await shown(space)).toEqual([
      'welcome: Welcome',
      'pets: pets',
      '  pets/list-pets: Mine',
      'store: store',
      'last: Last',
    ]);
    expect((await contents.page(space, (await contents.pages(space))[1].id)).markdown).toBe(
      `## List pets\n\n${block(spec, '/pets')}\n`,
    );
  });
});
