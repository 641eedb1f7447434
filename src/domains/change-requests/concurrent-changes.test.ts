import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';

/** Merges of concurrent changes to the same link, variable or page. */

let contents: Contents;

beforeAll(async () => {
  const app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

/** The path of a new change request. */
async function aRequest(space: string): Promise<string> {
  const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Better' });
  return `${space}/change-requests/${body.id}`;
}

/** The response to a batch of edits of the request. */
async function propose(path: string, ...changes: object[]): Promise<Answer['body']> {
  const answer = await contents.call('POST', `${path}/content?compat=false`, { changes });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const write = (page: string | undefined, markdown: string) => ({
  operation: 'update_page',
  page,
  document: { markdown },
});

const merged = async (path: string) => (await contents.call('POST', `${path}/merge`)).body.result;

describe('a link whose target differs between space and request', () => {
  /** The targets of the links of a page, by link text. */
  async function linksOf(space: string, page: string): Promise<Record<string, string>> {
    const { document } = await contents.page(space, page, '?format=document');
    const found: Record<string, string> = {};
    const follow = (node: Answer['body']): void => {
      if (node.type === 'link') found[node.nodes[0].leaves[0].text] = node.data.ref.page;
      for (const inner of node.nodes ?? []) follow(inner);
    };
    follow(document);
    return found;
  }

  test('keeps the target of each side', async () => {
    const space = await contents.aSpace();
    const [index = ''] = idsOf(await contents.edit(space, insert('Index', 'alpha\n\nbeta\n')));
    const path = await aRequest(space);
    const [ours] = idsOf(await propose(path, insert('Setup', 'Of the request')));
    await propose(path, write(index, 'alpha\n\nbeta\n\n[request](setup.md#first)\n'));
    const [theirs] = idsOf(await contents.edit(space, insert('Setup', 'Of the space')));
    await contents.edit(space, write(index, '[space](setup.md#first)\n\nalpha\n\nbeta\n'));
    expect(await merged(path)).toBe('merge');
    expect(await linksOf(space, index)).toEqual({ space: theirs, request: ours });
    expect((await contents.page(space, index)).markdown).toContain('[space](setup.md#first)');
  });

  test('keeps both targets when only the space replaced the page', async () => {
    const space = await contents.aSpace();
    const [index = '', old = ''] = idsOf(
      await contents.edit(space, insert('Index', 'alpha\n\nbeta\n'), insert('Setup', 'Old')),
    );
    await contents.edit(space, write(index, '[there](setup.md)\n\nalpha\n\nbeta\n'));
    const path = await aRequest(space);
    await propose(path, write(index, '[there](setup.md)\n\nalpha\n\nbeta\n\n[request](setup.md)\n'));
    const [, replacement = ''] = idsOf(
      await contents.edit(space, { operation: 'update_page', page: old, slug: 'old' }, insert('Setup')),
    );
    await contents.edit(space, write(index, '[there](setup.md)\n\n[space](setup.md)\n\nalpha\n\nbeta\n'));
    expect(await merged(path)).toBe('merge');
    expect(await linksOf(space, index)).toEqual({ there: replacement, space: replacement, request: old });
  });

  test('resolves to the remaining page when the other was deleted', async () => {
    const space = await contents.aSpace();
    const [index = '', old] = idsOf(
      await contents.edit(space, insert('Index', 'alpha\n\nbeta\n'), insert('Setup', 'Old')),
    );
    const path = await aRequest(space);
    await propose(path, write(index, 'alpha\n\nbeta\n\n[request](setup.md)\n'));
    await contents.edit(space, { operation: 'delete_page', page: old });
    const [replacement] = idsOf(await contents.edit(space, insert('Setup')));
    await contents.edit(space, write(index, '[space](setup.md)\n\nalpha\n\nbeta\n'));
    expect(await merged(path)).toBe('merge');
    expect(await linksOf(space, index)).toEqual({ space: replacement, request: replacement });
  });
});

describe('a variable named like a member of Object.prototype', () => {
  test('is merged and resolved like any other', async () => {
    const space = await contents.aSpace();
    const set = (variables: object) => ({ operation: 'set_variables', variables });
    await contents.edit(space, set({ valueOf: '1' }));
    const path = await aRequest(space);
    await propose(path, set({ toString: 'proposed', valueOf: 'proposed' }));
    await contents.edit(space, set({ toString: 'primary', valueOf: null }));
    expect((await contents.call('POST', `${path}/update`)).body.result).toBe('conflicts');
    await contents.edit(space, set({ toString: 'primary again' }));
    expect((await contents.call('POST', `${path}/update`)).body.result).toBe('conflicts');
    const { items } = await contents.get(`${path}/conflicts`);
    expect(items.map(({ member }: Answer['body']) => member).toSorted()).toEqual(['toString', 'valueOf']);
    for (const { id } of items) {
      const { status, text } = await contents.call('POST', `${path}/conflicts/${id}`, { use: 'primary' });
      expect(status, text).toBe(200);
    }
    expect((await contents.get(`${path}/content`)).variables).toEqual({ toString: 'primary again' });
  });
});

describe('a page moved by both sides', () => {
  test('into the same parent occurs there once', async () => {
    const space = await contents.aSpace();
    const [group, page = ''] = idsOf(await contents.edit(space, insert('Parent'), insert('Page')));
    await contents.edit(space, insert('Child', '', { into: group }));
    const path = await aRequest(space);
    await propose(path, { operation: 'move_page', page, into: group, at: 0 }, insert('Other'));
    await contents.edit(space, { operation: 'move_page', page, into: group, at: 1 });
    expect(await merged(path)).toBe('merge');
    const [parent] = await contents.pages(space);
    const titles = parent.pages.map(({ title }: Answer['body']) => title);
    expect(titles.toSorted()).toEqual(['Child', 'Page']);
  });
});
