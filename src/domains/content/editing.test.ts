import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.call(method, path, { token: side.admin.token, headers, ...(body === undefined ? {} : { body }) });

async function aSpace(editMode = 'live'): Promise<string> {
  const { body } = await call('POST', `/v1/orgs/${side.organizationId}/spaces`, { title: 'Guide', editMode });
  return `/v1/spaces/${body.id}`;
}

const send = (space: string, changes: readonly object[], headers = {}) =>
  call('POST', `${space}/content`, { changes }, headers);

async function edit(space: string, ...changes: object[]): Promise<Answer['body']> {
  const answer = await send(space, changes);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const insert = (title: string, markdown = '', more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

const get = async (path: string) => {
  const answer = await call('GET', path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

const idsOf = (edited: Answer['body']): string[] =>
  edited.changes.map((each: Answer['body']) => each.page.id);
const page = (space: string, id: string, query = '') => get(`${space}/content/page/${id}${query}`);
const pages = async (space: string) => (await get(`${space}/content/pages`)).pages;

describe('a batch', () => {
  test('inserts, updates, moves and deletes pages, in order, as one revision', async () => {
    const space = await aSpace();
    const before = (await get(space)).revision;
    const made = await edit(
      space,
      insert('Getting started', 'Hello *world*.\n', {
        ref: 'start',
        description: 'How to begin',
        emoji: '1f600',
      }),
      insert('Install', '## Steps\n\n1. One\n', { into: 'start' }),
      insert('Reference', '', { at: 0 }),
    );
    const [start, install, reference] = idsOf(made) as [string, string, string];
    expect(made.changes[0]).toMatchObject({ object: 'created_page', ref: 'start' });
    expect((await get(space)).revision).toBe(made.revision);
    expect(await get(`${space}/content`)).toMatchObject({
      id: made.revision,
      parents: [before],
      type: 'edits',
      pages: [
        { id: reference, title: 'Reference', slug: 'reference' },
        {
          id: start,
          slug: 'getting-started',
          path: 'getting-started',
          description: 'How to begin',
          pages: [{ id: install, path: 'getting-started/install' }],
        },
      ],
    });
    expect(await page(space, start)).toMatchObject({ markdown: 'Hello *world*.\n', kind: 'sheet' });
    expect(await get(`${space}/content/path/getting-started/install`)).toMatchObject({ id: install });
    expect(await get(`${space}/content/path/getting-started%2Finstall`)).toMatchObject({ id: install });

    const changed = await edit(
      space,
      { operation: 'update_page', page: install, title: 'Installing', document: { markdown: 'New.\n' } },
      { operation: 'move_page', page: install, into: null, at: 0 },
      { operation: 'delete_page', page: reference },
    );
    expect(changed.changes.map((each: Answer['body']) => each.object)).toEqual([
      'updated_page',
      'updated_page',
      'deleted_page',
    ]);
    expect((await pages(space)).map((each: Answer['body']) => each.path)).toEqual([
      'install',
      'getting-started',
    ]);
    expect(await page(space, install)).toMatchObject({
      title: 'Installing',
      slug: 'install',
      markdown: 'New.\n',
    });
    const old = await get(`${space}/revisions/${made.revision}/page/${install}`);
    expect(old).toMatchObject({ title: 'Install', markdown: '## Steps\n\n1. One\n' });
  });

  test('links follow a page that is renamed and moved', async () => {
    const space = await aSpace();
    const [from, to] = idsOf(
      await edit(space, insert('From', '[rel](to.md) [id](/pages/x) [path](/pages/to#part)\n'), insert('To')),
    ) as [string, string];
    await edit(space, {
      operation: 'update_page',
      page: from,
      document: { markdown: `[rel](to.md) [id](/pages/${to}) [path](/pages/to#part)\n` },
    });
    await edit(space, insert('Above', '', { ref: 'above' }), {
      operation: 'update_page',
      page: to,
      slug: 'goal',
      into: 'above',
    });
    expect((await page(space, from)).markdown).toBe(
      `[rel](above/goal.md) [id](/pages/${to}) [path](/pages/above/goal#part)\n`,
    );
    const { document } = await page(space, from, '?format=document');
    expect(JSON.stringify(document)).toContain(`{"kind":"page","page":"${to}"}`);
  });

  test('a bad change is named, and nothing is applied', async () => {
    const space = await aSpace();
    const before = (await get(space)).revision;
    const answer = await send(space, [insert('Good'), { operation: 'delete_page', page: 'nobody' }]);
    expectError(answer, 400);
    expect(answer.body.error.message).toContain('body.changes.1.page');
    expectError(await send(space, [insert('')]), 400);
    expect((await send(space, [insert('')])).body.error.details[0].path).toBe('body.changes.0.title');
    expectError(
      await send(
        space,
        Array.from({ length: 51 }, () => insert('Many')),
      ),
      400,
    );
    expect((await get(space)).revision).toBe(before);
    expect(await pages(space)).toEqual([]);
  });

  test('is refused on a locked space, and where somebody was faster', async () => {
    expectError(await send(await aSpace('locked'), [insert('Page')]), 409);
    const space = await aSpace();
    const { revision, changes } = await edit(space, insert('Page'));
    const read = await call('GET', `${space}/content/page/${changes[0].page.id}`);
    const tag = read.headers['etag'] ?? '';
    await edit(space, insert('Other'));
    expectError(await send(space, [insert('Third')], { 'if-match': `"${revision}"` }), 412);
    const update = { operation: 'update_page', page: changes[0].page.id, title: 'Better' };
    await edit(space, { ...update, ifMatch: tag });
    expectError(await send(space, [{ ...update, title: 'Best', ifMatch: tag }]), 412);
  });
});

describe('an unchanged read', () => {
  test('is a 304, of a tree and of a page', async () => {
    const space = await aSpace();
    const { changes } = await edit(space, insert('Page', 'Text'));
    for (const path of [
      `${space}/content`,
      `${space}/content/pages`,
      `${space}/content/page/${changes[0].page.id}`,
    ]) {
      const first = await call('GET', path);
      const tag = first.headers['etag'] ?? '';
      expect(tag).not.toBe('');
      const again = await call('GET', path, undefined, { 'if-none-match': tag });
      expect([again.status, again.text]).toEqual([304, '']);
      await edit(space, { operation: 'update_page', page: changes[0].page.id, document: { markdown: path } });
      expect((await call('GET', path, undefined, { 'if-none-match': tag })).status).toBe(200);
    }
  });
});
