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
import { jobContext, observed } from '../../../test/import-runs.ts';
import { aPublishedSite, idIn } from '../../../test/published-site.ts';
import { aWorld, type Side, type World } from '../../../test/world.ts';
import { readAllSpecs } from '../../../test/specs.ts';
import { insertMember } from '../members/index.ts';
import { expandPages } from './jobs.ts';

/** Generated pages of spaces and specifications that are copied, deleted, restored and transferred. */

let app: TestApp;
let world: World;
let references: ReturnType<typeof apiReferencesOf>;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  references = apiReferencesOf(app, world.a);
  // Spaces are transferred to it.
  await insertMember(app.app.installation.connection.db, {
    organizationId: world.b.organizationId,
    userId: world.a.admin.id,
    role: 'admin',
  });
});

/** What readers of a site get of a page. */
async function published(side: Side, space: string) {
  const site = await aPublishedSite(app, side);
  const { status, text } = await app.call('POST', `${site.site}/site-spaces`, {
    token: side.admin.token,
    body: { spaceId: idIn(space) },
  });
  expect(status, text).toBe(201);
  return async (path: string) => {
    const answer = await site.read(path);
    expect(answer.status, answer.text).toBe(200);
    return answer.text;
  };
}

const BY_OPERATION = { grouping: 'by-operation' };
const TWO = ['welcome: Welcome', 'pets: pets', '  pets/list-pets: List pets', '  pets/get-pet: Get a pet'];
const last = (...lines: string[]) => [...lines, 'last: Last'];
const STORE = ['store: store', '  store/post-orders: Place an order'];

const idsIn = (pages: readonly { id: string; pages?: [] }[]): string[] =>
  pages.flatMap(({ id, pages: below }) => [id, ...idsIn(below ?? [])]);

test('a duplicate has the pages with what people have written, and follows the specification by itself', async () => {
  const { contents, aReference, shown, replaceSpec, settle } = references;
  const { space, spec, entryId } = await aReference(specification([LIST, GET]), BY_OPERATION);
  const [list, get] = (await contents.pages(space))[1].pages;
  const markdown = `Mine.\n\n${block(spec, '/pets')}\n`;
  await contents.edit(
    space,
    { operation: 'update_page', page: list.id, document: { markdown } },
    { operation: 'delete_page', page: get.id },
  );
  const { body: copied } = await contents.call('POST', `${space}/duplicate`);
  const copy = `/v1/spaces/${copied.id}`;
  await settle();
  expect(await shown(copy)).toEqual(last(...TWO.slice(0, 3)));
  expect((await contents.page(copy, list.id)).markdown).toBe(markdown);
  await replaceSpec(spec, specification([{ ...LIST, path: '/animals' }, GET, ORDER]));
  for (const each of [space, copy]) {
    expect(await shown(each)).toEqual(last(...TWO.slice(0, 3), ...STORE));
    expect((await contents.page(each, list.id)).markdown).toBe(markdown.replace('/pets', '/animals'));
    const ids = idsIn(await contents.pages(each));
    expect(new Set(ids).size).toBe(ids.length);
  }
  await contents.edit(copy, { operation: 'delete_page', page: entryId });
  expect(await shown(copy)).toEqual(last(...TWO.slice(0, 3)));
  expect(await shown(space)).toEqual(last(...TWO.slice(0, 3), ...STORE));
});

test('a restored revision follows the specification of today', async () => {
  const { contents, aReference, shown, replaceSpec, settle } = references;
  const { space, spec, entryId } = await aReference(specification([LIST, GET]), BY_OPERATION);
  const { id: before } = await contents.get(`${space}/content`);
  const ids = idsIn(await contents.pages(space));
  await replaceSpec(spec, specification([{ ...LIST, summary: 'All pets' }, GET, ORDER]));
  await contents.edit(space, { operation: 'delete_page', page: entryId });
  await settle();
  const restored = await contents.call('POST', `${space}/revisions/${before}/restore`);
  expect(restored.status, restored.text).toBe(200);
  await settle();
  expect(await shown(space)).toEqual(
    last(...TWO, ...STORE).map((line) => line.replace('List pets', 'All pets')),
  );
  expect(idsIn(await contents.pages(space))).toEqual(expect.arrayContaining(ids));
});

test('a restored space follows the specification of today', async () => {
  const { contents, aReference, shown, replaceSpec, settle } = references;
  const { space, spec } = await aReference(specification([LIST, GET]), BY_OPERATION);
  expect((await contents.call('DELETE', space)).status).toBe(205);
  await replaceSpec(spec, specification([LIST, GET, ORDER]));
  const restored = await contents.call('POST', `${space}/restore`);
  expect(restored.status, restored.text).toBeLessThan(300);
  await settle();
  expect(await shown(space)).toEqual(last(...TWO, ...STORE));
});

test('a transferred space shows nothing of the organization that it left', async () => {
  const { contents, aReference, shown, replaceSpec, settle } = references;
  const { space, spec } = await aReference(
    specification([{ ...LIST, responses: { 200: { description: 'Marsupials only.' } } }, GET]),
    BY_OPERATION,
  );
  const moved = await contents.call('POST', `${space}/transfer`, { organization: world.b.organizationId });
  expect(moved.status, moved.text).toBe(200);
  await settle();
  await replaceSpec(spec, specification([LIST, GET, ORDER]));
  expect(await shown(space)).toEqual(last(...TWO));
  const read = await published(world.b, space);
  const before = await read('/pets/list-pets.md');
  expect(before).toContain('# List pets');
  expect(before).not.toContain('Marsupials');
  // The other organization has one of this name.
  const source = {
    text: JSON.stringify(specification([{ ...LIST, responses: { 200: { description: 'Birds.' } } }, ORDER])),
  };
  const path = `/v1/orgs/${world.b.organizationId}/openapi`;
  expect((await contents.call('POST', path, { slug: spec, source })).status).toBe(201);
  await readAllSpecs(app);
  await settle();
  expect(await shown(space)).toEqual(last(...TWO, ...STORE));
  expect(await read('/pets/list-pets.md')).toContain('Birds.');
});

test('a space that was transferred to where a specification of that name is shows that one', async () => {
  const { contents, aReference, shown, settle } = references;
  const { space, spec } = await aReference(specification([LIST, GET]), BY_OPERATION);
  const source = { text: JSON.stringify(specification([LIST, GET, ORDER])) };
  const path = `/v1/orgs/${world.b.organizationId}/openapi`;
  const posted = await app.call('POST', path, { token: world.b.admin.token, body: { slug: spec, source } });
  expect(posted.status, posted.text).toBe(201);
  await readAllSpecs(app);
  await settle();
  expect(await shown(space), 'it tells nothing of another organization').toEqual(last(...TWO));
  const moved = await contents.call('POST', `${space}/transfer`, { organization: world.b.organizationId });
  expect(moved.status, moved.text).toBe(200);
  await settle();
  expect(await shown(space)).toEqual(last(...TWO, ...STORE));
});

test('an entry that names a specification of another organization has no pages, and tells nothing', async () => {
  const { contents, newSpec, shown, settle } = references;
  const foreign = apiReferencesOf(app, world.b);
  const spec = await foreign.newSpec(specification([{ ...LIST, summary: 'Secret wombats' }]));
  const space = await contents.aSpace();
  await contents.edit(space, entry(spec, BY_OPERATION), entry('no-such-specification'));
  await settle();
  expect(await shown(space)).toEqual([`(computed): ${spec}`, '(computed): no-such-specification']);
  const markdown = `${block(spec, '/pets')}\n`;
  const missing = markdown.replace(spec, 'no-such-specification');
  await contents.edit(space, insert('One', markdown), insert('Two', missing));
  const read = await published(world.a, space);
  const [one, two] = [await read('/one.md'), await read('/two.md')];
  expect(
    one.replaceAll(spec, 'no-such-specification').replaceAll('One', 'Two').replaceAll('one.md', 'two.md'),
  ).toBe(two);
  // One's own of the same name is shown.
  const source = { text: JSON.stringify(specification([LIST])) };
  const path = `/v1/orgs/${world.a.organizationId}/openapi`;
  expect((await contents.call('POST', path, { slug: spec, source })).status).toBe(201);
  await readAllSpecs(app);
  await settle();
  expect((await shown(space)).join(' ')).not.toContain('wombats');
  expect(await shown(space)).toContain('  pets/list-pets: List pets');
  expect(await newSpec(specification([LIST]))).not.toBe(spec);
});

test('an expansion that was killed runs again, and writes the pages once', async () => {
  const { contents, aReference, replaceSpec, shown, settle } = references;
  const { space, spec } = await aReference(specification([LIST, GET]), BY_OPERATION);
  const spaceId = space.split('/').at(-1) ?? '';
  const { id: before } = await contents.get(`${space}/content`);
  const context = jobContext(app);
  let statements = 0;
  const count = observed(app, (send) => {
    statements++;
    return send();
  });
  const path = `/v1/orgs/${world.a.organizationId}/openapi/${spec}`;
  const source = { text: JSON.stringify(specification([LIST, GET, ORDER])) };
  expect((await contents.call('PUT', path, { source })).status).toBe(200);
  await readAllSpecs(app);
  for (let end = 1; ; end++) {
    statements = 0;
    const dying = observed(app, (send, text) => {
      if (++statements === end && text.toLowerCase() !== 'rollback') throw new Error('killed');
      return send();
    });
    const killed = await expandPages.run({ ...context, db: dying }, { spaceId }).then(
      () => false,
      () => true,
    );
    if (!killed) break;
    expect((await contents.get(`${space}/content`)).id, `killed at statement ${end}`).toBe(before);
  }
  expect(await shown(space)).toEqual(last(...TWO, ...STORE));
  const { id: after } = await contents.get(`${space}/content`);
  await expandPages.run({ ...context, db: count }, { spaceId });
  await settle();
  expect((await contents.get(`${space}/content`)).id).toBe(after);
  await replaceSpec(spec, specification([LIST, GET]));
});

test('a deleted specification leaves its pages; one of the same name takes them over', async () => {
  const { contents, aReference, shown, settle } = references;
  const { space, spec } = await aReference(
    specification([{ ...LIST, responses: { 200: { description: 'Marsupials only.' } } }, GET]),
    BY_OPERATION,
  );
  const ids = idsIn(await contents.pages(space));
  const path = `/v1/orgs/${world.a.organizationId}/openapi`;
  const read = await published(world.a, space);
  expect(await read('/pets/list-pets.md')).toContain('Marsupials');
  expect((await contents.call('DELETE', `${path}/${spec}`)).status).toBe(205);
  expect(await read('/pets/list-pets.md')).not.toContain('Marsupials');
  expect(await read('/pets/list-pets.md')).toContain('# List pets');
  const source = { text: JSON.stringify(specification([LIST, GET, ORDER])) };
  expect((await contents.call('POST', path, { slug: spec, source })).status).toBe(201);
  await readAllSpecs(app);
  await settle();
  expect(await shown(space)).toEqual(last(...TWO, ...STORE));
  expect(idsIn(await contents.pages(space))).toEqual(expect.arrayContaining(ids));
});
