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

describe('reverting a new page', () => {
  test('is rejected while it has subpages', async () => {
    const space = await contents.aSpace();
    const first = await contents.edit(space, insert('Old', 'Text.'));
    const [old = ''] = idsOf(first);
    const [added = ''] = idsOf(await contents.edit(space, insert('New')));
    await contents.edit(space, { operation: 'move_page', page: old, into: added });
    const revert = { operation: 'revert_page', page: added, revision: first.revision };
    expectError(await contents.send(space, [revert]), 400, /move or delete its subpages first/);
    await contents.edit(space, { operation: 'move_page', page: old, into: null }, revert);
    expect((await contents.page(space, old)).markdown).toBe('Text.');
    expectError(await contents.call('GET', `${space}/content/page/${added}`), 404);
  });
});

describe('reverting blocks of a page', () => {
  const keysOf = async (space: string, page: string): Promise<string[]> =>
    (await contents.page(space, page, '?format=document')).document.nodes.map(
      ({ key }: Answer['body']) => key,
    );

  test('applies to the result of the earlier changes of the batch', async () => {
    const space = await contents.aSpace();
    const [page = ''] = idsOf(await contents.edit(space, insert('Page', 'one\n\ntwo\n')));
    const write = (markdown: string) => ({ operation: 'update_page', page, document: { markdown } });
    await contents.edit(space, write('ONE\n\nTWO\n'));
    const [, two = ''] = await keysOf(space, page);
    const revert = { operation: 'revert_page', page, block: [two] };
    await contents.edit(space, write('ONE edited\n\nTWO\n'), revert);
    expect((await contents.page(space, page)).markdown).toBe('ONE edited\n\ntwo\n');
  });

  test('uses the blocks of the revision after the entire page was reverted', async () => {
    const space = await contents.aSpace();
    const [page = ''] = idsOf(await contents.edit(space, insert('Page', 'one\n\ntwo\n')));
    const write = (markdown: string) => ({ operation: 'update_page', page, document: { markdown } });
    await contents.edit(space, write('ONE\n\nTWO\n'));
    const [first = ''] = await keysOf(space, page);
    const whole = { operation: 'revert_page', page };
    expectError(await contents.send(space, [whole, { ...whole, block: [first] }]), 400, /has a block/);
  });
});
