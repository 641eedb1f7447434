import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer } from '../../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../../test/content.ts';
import { expectError } from '../../../../test/refusal.ts';
import { aSide } from '../../../../test/world.ts';

let contents: Contents;

beforeAll(async () => {
  const app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

describe('a batch', () => {
  test('inserts, updates, moves and deletes pages, in order, as one revision', async () => {
    const space = await contents.aSpace();
    const before = (await contents.get(space)).revision;
    const made = await contents.edit(
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
    expect((await contents.get(space)).revision).toBe(made.revision);
    expect(await contents.get(`${space}/content`)).toMatchObject({
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
    expect(await contents.page(space, start)).toMatchObject({ markdown: 'Hello *world*.\n', kind: 'sheet' });
    expect(await contents.get(`${space}/content/path/getting-started/install`)).toMatchObject({
      id: install,
    });
    expect(await contents.get(`${space}/content/path/getting-started%2Finstall`)).toMatchObject({
      id: install,
    });

    const changed = await contents.edit(
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
    expect((await contents.pages(space)).map((each: Answer['body']) => each.path)).toEqual([
      'install',
      'getting-started',
    ]);
    expect(await contents.page(space, install)).toMatchObject({
      title: 'Installing',
      slug: 'install',
      markdown: 'New.\n',
    });
    const old = await contents.get(`${space}/revisions/${made.revision}/page/${install}`);
    expect(old).toMatchObject({ title: 'Install', markdown: '## Steps\n\n1. One\n' });
  });

  test('updates links to a page that is renamed and moved', async () => {
    const space = await contents.aSpace();
    const [from, to] = idsOf(
      await contents.edit(
        space,
        insert('From', '[rel](to.md) [id](/pages/x) [path](/pages/to#part)\n'),
        insert('To'),
      ),
    ) as [string, string];
    await contents.edit(space, {
      operation: 'update_page',
      page: from,
      document: { markdown: `[rel](to.md) [id](/pages/${to}) [path](/pages/to#part)\n` },
    });
    await contents.edit(space, insert('Above', '', { ref: 'above' }), {
      operation: 'update_page',
      page: to,
      slug: 'goal',
      into: 'above',
    });
    expect((await contents.page(space, from)).markdown).toBe(
      `[rel](above/goal.md) [id](/pages/${to}) [path](/pages/above/goal#part)\n`,
    );
    const { document } = await contents.page(space, from, '?format=document');
    expect(JSON.stringify(document)).toContain(`{"kind":"page","page":"${to}"}`);
  });

  test('with an invalid change is not applied; the error names the change', async () => {
    const space = await contents.aSpace();
    const before = (await contents.get(space)).revision;
    const answer = await contents.send(space, [insert('Good'), { operation: 'delete_page', page: 'nobody' }]);
    expectError(answer, 400);
    expect(answer.body.error.message).toContain('body.changes.1.page');
    expectError(await contents.send(space, [insert('')]), 400);
    expect((await contents.send(space, [insert('')])).body.error.details[0].path).toBe(
      'body.changes.0.title',
    );
    expectError(
      await contents.send(
        space,
        Array.from({ length: 51 }, () => insert('Many')),
      ),
      400,
    );
    expect((await contents.get(space)).revision).toBe(before);
    expect(await contents.pages(space)).toEqual([]);
  });

  test('returns 409 on a locked space, 412 after a concurrent edit', async () => {
    expectError(await contents.send(await contents.aSpace('locked'), [insert('Page')]), 409);
    const space = await contents.aSpace();
    const { revision, changes } = await contents.edit(space, insert('Page'));
    const read = await contents.call('GET', `${space}/content/page/${changes[0].page.id}`);
    const tag = read.headers['etag'] ?? '';
    await contents.edit(space, insert('Other'));
    expectError(await contents.send(space, [insert('Third')], { 'if-match': `"${revision}"` }), 412);
    const update = { operation: 'update_page', page: changes[0].page.id, title: 'Better' };
    await contents.edit(space, { ...update, ifMatch: tag });
    expectError(await contents.send(space, [{ ...update, title: 'Best', ifMatch: tag }]), 412);
  });
});

describe('a conditional read', () => {
  test('of an unchanged tree or page returns 304', async () => {
    const space = await contents.aSpace();
    const { changes } = await contents.edit(space, insert('Page', 'Text'));
    for (const path of [
      `${space}/content`,
      `${space}/content/pages`,
      `${space}/content/page/${changes[0].page.id}`,
    ]) {
      const first = await contents.call('GET', path);
      const tag = first.headers['etag'] ?? '';
      expect(tag).not.toBe('');
      const again = await contents.call('GET', path, undefined, { 'if-none-match': tag });
      expect([again.status, again.text]).toEqual([304, '']);
      await contents.edit(space, {
        operation: 'update_page',
        page: changes[0].page.id,
        document: { markdown: path },
      });
      expect((await contents.call('GET', path, undefined, { 'if-none-match': tag })).status).toBe(200);
    }
  });
});
