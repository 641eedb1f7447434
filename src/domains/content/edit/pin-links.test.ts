import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer } from '../../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../../test/content.ts';
import { aSide } from '../../../../test/world.ts';

let contents: Contents;

beforeAll(async () => {
  const app = await startApp();
  contents = contentsOf(app, await aSide(app, 'pins'));
});

const rename = (page: string, slug: string) => ({ operation: 'update_page', page, slug });

const markdownOf = async (space: string, page: string): Promise<string> =>
  (await contents.page(space, page)).markdown.trim();

/** A page with a link to a page that a later batch inserts: `[source, target]`. */
async function withLaterTarget(space: string): Promise<[string, string]> {
  const [source = ''] = idsOf(await contents.edit(space, insert('Source', '[x](later.md#a)')));
  const [target = ''] = idsOf(await contents.edit(space, insert('Later')));
  return [source, target];
}

describe('a link that was written before its target existed', () => {
  test('follows the target when it is renamed, again and again', async () => {
    const space = await contents.aSpace();
    const [source, target] = await withLaterTarget(space);
    await contents.edit(space, rename(target, 'renamed'));
    expect(await markdownOf(space, source)).toBe('[x](renamed.md#a)');
    await contents.edit(space, rename(target, 'again'), insert('Later'));
    expect(await markdownOf(space, source)).toBe('[x](again.md#a)');
  });

  test('follows the target when its own page is moved', async () => {
    const space = await contents.aSpace();
    const [source] = await withLaterTarget(space);
    const [parent = ''] = idsOf(await contents.edit(space, insert('Parent')));
    await contents.edit(space, { operation: 'move_page', page: source, into: parent });
    expect(await markdownOf(space, source)).toBe('[x](../later.md#a)');
  });

  test('follows a target whose section is renamed', async () => {
    const space = await contents.aSpace();
    const [source = ''] = idsOf(await contents.edit(space, insert('Source', '[x](/pages/section/later)')));
    const [section = ''] = idsOf(await contents.edit(space, insert('Section')));
    await contents.edit(space, insert('Later', '', { into: section }));
    await contents.edit(space, rename(section, 'other'));
    expect(await markdownOf(space, source)).toBe('[x](/pages/other/later)');
  });

  test('follows the target within one group of concurrent requests', async () => {
    const space = await contents.aSpace();
    const [target = ''] = idsOf(await contents.edit(space, insert('Target')));
    const [inserted] = await Promise.all([
      contents.edit(space, insert('Source', '[x](late.md)')),
      contents.edit(space, rename(target, 'late')),
      contents.edit(space, rename(target, 'latest')),
    ]);
    const [source = ''] = idsOf(inserted);
    const { path } = await contents.page(space, target);
    const { nodes } = (await contents.page(space, source, '?format=document')).document;
    const isPage = JSON.stringify(nodes).includes(target);
    // If the source came last, its link never led to the page.
    expect(isPage ? await markdownOf(space, source) : '[x](late.md)').toBe(
      isPage ? `[x](${path}.md)` : '[x](late.md)',
    );
  });

  test('follows the target when a change request that renames it is merged', async () => {
    const space = await contents.aSpace();
    const [source, target] = await withLaterTarget(space);
    const request = (await contents.call('POST', `${space}/change-requests`, { subject: 'Rename' })).body.id;
    const path = `${space}/change-requests/${request}`;
    const edited = await contents.call('POST', `${path}/content`, { changes: [rename(target, 'renamed')] });
    expect(edited.status, edited.text).toBe(200);
    const proposed = await contents.get(`${path}/content/page/${source}`);
    expect(proposed.markdown.trim()).toBe('[x](renamed.md#a)');
    const changes: Answer['body'] = await contents.get(`${path}/changes`);
    expect(changes.changes.map((each: Answer['body']) => each.page.id)).toEqual([target]);
    const merged = await contents.call('POST', `${path}/merge`);
    expect([merged.status, merged.body.result]).toEqual([200, 'merge']);
    expect(await markdownOf(space, source)).toBe('[x](renamed.md#a)');
  });

  test('follows the target when it was added after the change request was created', async () => {
    const space = await contents.aSpace();
    const [target = ''] = idsOf(await contents.edit(space, insert('Later')));
    const request = (await contents.call('POST', `${space}/change-requests`, { subject: 'Rename' })).body.id;
    const path = `${space}/change-requests/${request}`;
    await contents.call('POST', `${path}/content`, { changes: [rename(target, 'renamed')] });
    await contents.edit(space, { operation: 'delete_page', page: target });
    const [source = ''] = idsOf(await contents.edit(space, insert('Source', '[x](later.md)')));
    const revisions = (await contents.get(`${space}/revisions`)).items;
    await contents.edit(space, { operation: 'revert_page', page: target, revision: revisions.at(-2).id });
    const merged = await contents.call('POST', `${path}/merge`);
    expect([merged.status, merged.body.result], merged.text).toEqual([200, 'merge']);
    expect(await markdownOf(space, source)).toBe('[x](renamed.md)');
  });
});
