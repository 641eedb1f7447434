import { beforeAll, expect, test } from 'vitest';
import {
  apiReferencesOf,
  block,
  entry,
  GET,
  LIST,
  ORDER,
  specification,
} from '../../../test/api-references.ts';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { exportOf, importInto } from '../../../test/folder.ts';
import { aWorld } from '../../../test/world.ts';

/** What becomes of generated pages when their entry moves or is deleted. */

let app: TestApp;
let references: ReturnType<typeof apiReferencesOf>;

beforeAll(async () => {
  app = await startApp();
  references = apiReferencesOf(app, (await aWorld(app)).a);
});

const BY_OPERATION = { grouping: 'by-operation' };

async function aRequest(space: string, ...changes: object[]) {
  const { contents } = references;
  const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Change' });
  const path = `${space}/change-requests/${body.id}`;
  await contents.edit(path, ...changes);
  return {
    path,
    async merge() {
      const answer = await contents.call('POST', `${path}/merge`, {});
      expect(answer.body, answer.text).toMatchObject({ result: 'merge' });
      await references.settle();
    },
  };
}

const anEdited = async () => {
  const { contents, aReference } = references;
  const made = await aReference(specification([LIST, GET, ORDER]), BY_OPERATION);
  const [, pets] = await contents.pages(made.space);
  const markdown = `Mine.\n\n${block(made.spec, '/pets')}\n`;
  const change = { operation: 'update_page', page: pets.pages[0].id, document: { markdown } };
  await contents.edit(made.space, change);
  return { ...made, markdown, list: pets.pages[0].id as string };
};

const LEFT = ['welcome: Welcome', 'pets: pets', '  pets/list-pets: List pets', 'last: Last'];

test('a deleted entry leaves the pages that a user has edited, as usual pages', async () => {
  const { contents, shown, settle, replaceSpec } = references;
  const { space, spec, entryId, list, markdown } = await anEdited();
  await contents.edit(space, { operation: 'delete_page', page: entryId });
  expect(await shown(space)).toEqual(LEFT);
  await settle();
  await replaceSpec(spec, specification([{ ...LIST, summary: 'Other', path: '/animals' }, GET]));
  expect(await shown(space)).toEqual(LEFT);
  expect((await contents.page(space, list)).markdown).toBe(markdown);
  expect(Object.keys(await exportOf(app, space))).toContain('pets/list-pets.md');
});

test('a page that a user put below a generated one stays when the entry is deleted', async () => {
  const { contents, shown, aReference } = references;
  const { space, entryId } = await aReference(specification([LIST, ORDER]));
  const [, pets] = await contents.pages(space);
  await contents.edit(space, insert('Mine', 'Text', { into: pets.id }));
  await contents.edit(space, { operation: 'delete_page', page: entryId });
  expect(await shown(space)).toEqual(['welcome: Welcome', 'pets: pets', '  pets/mine: Mine', 'last: Last']);
});

test('a page that a user moved away stays when what holds its entry is deleted', async () => {
  const { contents, newSpec, settle, shown } = references;
  const spec = await newSpec(specification([LIST, GET], { tags: [{ name: 'pets' }] }));
  const space = await contents.aSpace();
  await contents.edit(
    space,
    insert('Above', '', { ref: 'above' }),
    entry(spec, BY_OPERATION, { into: 'above' }),
  );
  await settle();
  const [above] = await contents.pages(space);
  const [pets] = above.pages;
  await contents.edit(space, { operation: 'move_page', page: pets.pages[0].id, into: null });
  await contents.edit(space, { operation: 'delete_page', page: above.id });
  await settle();
  expect(await shown(space)).toEqual(['list-pets: List pets']);
});

test('a merge that deletes an entry deletes the pages that a refresh has added or changed', async () => {
  const { contents, shown, aReference, replaceSpec } = references;
  const { space, spec, entryId } = await aReference(specification([LIST, GET]), BY_OPERATION);
  const request = await aRequest(space, { operation: 'delete_page', page: entryId });
  const added = { path: '/pets', method: 'delete', id: 'deletePets', tags: ['pets'] };
  await replaceSpec(spec, specification([added, { ...LIST, summary: 'All pets', path: '/animals' }, ORDER]));
  await request.merge();
  expect(await shown(space)).toEqual(['welcome: Welcome', 'last: Last']);
  const { items } = await contents.get(`${space}/search?query=${encodeURIComponent('deletePets')}`);
  expect(items).toEqual([]);
});

test('a merge that deletes an entry keeps what a user has written meanwhile', async () => {
  const { contents, shown, aReference, replaceSpec } = references;
  const { space, spec, entryId } = await aReference(specification([LIST, GET, ORDER]), BY_OPERATION);
  const request = await aRequest(space, { operation: 'delete_page', page: entryId });
  const added = { path: '/pets', method: 'delete', id: 'deletePets', tags: ['pets'] };
  await replaceSpec(spec, specification([LIST, GET, ORDER, added]));
  const [, pets] = await contents.pages(space);
  const [, deletePets] = pets.pages;
  const markdown = `Careful.\n\n${block(spec, '/pets', 'delete')}\n`;
  await contents.edit(space, { operation: 'update_page', page: deletePets.id, document: { markdown } });
  await request.merge();
  expect((await contents.page(space, deletePets.id)).markdown).toBe(markdown);
  expect(await shown(space)).toEqual([
    'welcome: Welcome',
    'pets: pets',
    '  pets/delete-pets: deletePets',
    'last: Last',
  ]);
});

test('a merge that moves an entry moves its pages, also those that a refresh has added', async () => {
  const { contents, shown, aReference, replaceSpec } = references;
  const { space, spec, entryId } = await aReference(specification([LIST, ORDER]), BY_OPERATION);
  const request = await aRequest(space, insert('Below', '', { ref: 'b' }), {
    operation: 'move_page',
    page: entryId,
    into: 'b',
  });
  const tags = [{ name: 'new' }, { name: 'store', description: 'Buy.' }, { name: 'pets' }];
  const added = { path: '/new', id: 'readNew', tags: ['new'] };
  await replaceSpec(spec, specification([LIST, ORDER, GET, added], { tags }));
  await request.merge();
  const expected = [
    'welcome: Welcome',
    'last: Last',
    'below: Below',
    '  below/new: new',
    '    below/new/read-new: readNew',
    '  below/store: store',
    '    below/store/post-orders: Place an order',
    '  below/pets: pets',
    '    below/pets/list-pets: List pets',
    '    below/pets/get-pet: Get a pet',
  ];
  expect(await shown(space)).toEqual(expected);
  // They are as they were generated: they have no files, and go with the entry.
  expect(Object.keys(await exportOf(app, space)).filter((path) => path.startsWith('below'))).toEqual([
    'below.md',
  ]);
  await contents.edit(space, { operation: 'delete_page', page: entryId });
  expect(await shown(space)).toEqual(['welcome: Welcome', 'last: Last', 'below: Below']);
});

test('a folder without the entry deletes its pages, except those that a user has edited', async () => {
  const { contents, shown, settle } = references;
  const { space, list, markdown } = await anEdited();
  await importInto(app, space, {
    'README.md': '# Welcome\n',
    'SUMMARY.md': '* [Welcome](README.md)\n* [Last](last.md)\n',
    'last.md': '# Last\n',
  });
  await settle();
  expect((await shown(space)).toSorted()).toEqual(LEFT.toSorted());
  expect((await contents.page(space, list)).markdown).toBe(markdown);
});

test('a folder without the entry, but with the file of a page, has the page', async () => {
  const { contents, shown, settle } = references;
  const { space, entryId, list } = await anEdited();
  const { [`pets/list-pets.md`]: file = '' } = await exportOf(app, space);
  await importInto(app, space, {
    'SUMMARY.md': '* [Other](pets/list-pets.md)\n',
    'pets/list-pets.md': file.replace('Mine.', 'Ours.'),
  });
  await settle();
  const pages = await contents.pages(space);
  expect(pages.map(({ id }) => id)).not.toContain(entryId);
  expect((await contents.page(space, list)).markdown).toContain('Ours.');
  expect(await shown(space)).not.toContain('store: store');
});

test('an entry that is moved below one of its pages leaves that page where it is', async () => {
  const { contents, shown, settle, aReference } = references;
  const { space, entryId } = await aReference(specification([LIST, ORDER]));
  const [, pets] = await contents.pages(space);
  await contents.edit(space, { operation: 'move_page', page: entryId, into: pets.id });
  await settle();
  expect(await shown(space)).toEqual(['welcome: Welcome', 'pets: pets', '  pets/store: store', 'last: Last']);
});
