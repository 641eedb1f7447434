import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../../test/content.ts';
import { exportOf, importInto, type Folder } from '../../../../test/folder.ts';
import { aSide } from '../../../../test/world.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'labels'));
});

/** Both spellings of a label, each on a page with and without a heading. */
const FOLDER: Folder = {
  'README.md': '# Welcome\n\nHello.\n',
  'SUMMARY.md': [
    '# Table of contents',
    '',
    '- [Welcome](README.md)',
    '- [Install on Linux](linux.md)   <!-- first -->',
    '- [Prerequisites](mac.md "Install on macOS")',
    '- [Plain](plain.md)',
    "- [Named](named.md 'In navigation')",
    '',
  ].join('\n'),
  'linux.md': '# Prerequisites\n\nA kernel.\n',
  'mac.md': '---\ntitle: Prerequisites\n---\n\nAn apple.\n',
  'plain.md': 'No heading.\n',
  'named.md': 'No heading either.\n',
};

async function aSpaceOf(folder: Folder): Promise<string> {
  const space = await contents.aSpace();
  await importInto(app, space, folder);
  return space;
}

type Page = Answer['body'];
const titlesOf = async (space: string): Promise<[string, string, string | undefined][]> =>
  (await contents.pages(space)).map(({ path, title, linkTitle }: Page) => [path, title, linkTitle]);
const idAt = async (space: string, path: string): Promise<string> =>
  (await contents.pages(space)).find((page: Page) => page.path === path)?.id;
const update = async (space: string, path: string, fields: object) =>
  contents.edit(space, { operation: 'update_page', page: await idAt(space, path), ...fields });

/** The lines in which an export differs from the folder, by file: before, after. */
async function differences(space: string): Promise<Record<string, [string, string][]>> {
  const now = await exportOf(app, space);
  expect(Object.keys(now).toSorted()).toEqual(Object.keys(FOLDER).toSorted());
  const changed: Record<string, [string, string][]> = {};
  for (const [path, text] of Object.entries(FOLDER)) {
    const [before, after] = [text.split('\n'), (now[path] ?? '').split('\n')];
    if (text === now[path]) continue;
    const length = Math.max(before.length, after.length);
    changed[path] = Array.from({ length }, (_each, n): [string, string] => [
      before[n] ?? '',
      after[n] ?? '',
    ]).filter(([one, other]) => one !== other);
  }
  return changed;
}

describe('a label in SUMMARY.md that differs from the title', () => {
  test('is the linkTitle of the page in every response', async () => {
    const space = await aSpaceOf(FOLDER);
    expect(await titlesOf(space)).toEqual([
      ['readme', 'Welcome', undefined],
      ['linux', 'Prerequisites', 'Install on Linux'],
      ['mac', 'Prerequisites', 'Install on macOS'],
      ['plain', 'Plain', undefined],
      ['named', 'Named', 'In navigation'],
    ]);
    const id = await idAt(space, 'linux');
    for (const path of [`/content/page/${id}`, '/content/path/linux']) {
      expect(await contents.get(space + path)).toMatchObject({ linkTitle: 'Install on Linux' });
    }
    expect(await differences(space)).toEqual({});
  });

  test('is found by search, and ranks first when the query equals it', async () => {
    const space = await aSpaceOf(FOLDER);
    const { items } = await contents.get(`${space}/search?query=install+on+macos`);
    expect(items).toMatchObject([{ path: 'mac', title: 'Prerequisites', linkTitle: 'Install on macOS' }]);
    await update(space, 'mac', { linkTitle: 'Set up a laptop' });
    expect((await contents.get(`${space}/search?query=laptop`)).items).toMatchObject([{ path: 'mac' }]);
    expect((await contents.get(`${space}/search?query=%22install+on+macos%22`)).items[0]?.path).toBe('linux');
  });

  test('is kept when the page is renamed or moved', async () => {
    const space = await aSpaceOf(FOLDER);
    await update(space, 'linux', { title: 'Requirements' });
    await update(space, 'named', { title: 'Renamed' });
    expect(await titlesOf(space)).toEqual(
      expect.arrayContaining([
        ['linux', 'Requirements', 'Install on Linux'],
        ['named', 'Renamed', 'In navigation'],
      ]),
    );
    expect(await differences(space)).toEqual({
      'linux.md': [['# Prerequisites', '# Requirements']],
      // The title of this page occurs only in SUMMARY.md.
      'SUMMARY.md': [["- [Named](named.md 'In navigation')", "- [Renamed](named.md 'In navigation')"]],
    });
    await contents.edit(space, { operation: 'move_page', page: await idAt(space, 'linux'), at: 4 });
    expect((await titlesOf(space)).at(-1)).toEqual(['linux', 'Requirements', 'Install on Linux']);
  });

  test('is changed by linkTitle, in its line only', async () => {
    const space = await aSpaceOf(FOLDER);
    await update(space, 'linux', { linkTitle: 'On "Linux"' });
    await update(space, 'mac', { linkTitle: 'On macOS' });
    await update(space, 'plain', { linkTitle: 'Not so plain' });
    expect(await differences(space)).toEqual({
      'SUMMARY.md': [
        ['- [Install on Linux](linux.md)   <!-- first -->', '- [On "Linux"](linux.md)   <!-- first -->'],
        ['- [Prerequisites](mac.md "Install on macOS")', '- [Prerequisites](mac.md "On macOS")'],
        ['- [Plain](plain.md)', '- [Plain](plain.md "Not so plain")'],
      ],
    });
    const before = await titlesOf(space);
    await importInto(app, space, await exportOf(app, space));
    expect(await titlesOf(space)).toEqual(before);
  });

  test('is removed by null, or when it equals the title', async () => {
    const space = await aSpaceOf(FOLDER);
    await update(space, 'linux', { linkTitle: null });
    await update(space, 'mac', { linkTitle: null });
    await update(space, 'named', { title: 'In navigation' });
    expect(await titlesOf(space)).toEqual([
      ['readme', 'Welcome', undefined],
      ['linux', 'Prerequisites', undefined],
      ['mac', 'Prerequisites', undefined],
      ['plain', 'Plain', undefined],
      ['named', 'In navigation', undefined],
    ]);
    expect(await differences(space)).toEqual({
      'SUMMARY.md': [
        ['- [Install on Linux](linux.md)   <!-- first -->', '- [Prerequisites](linux.md)   <!-- first -->'],
        ['- [Prerequisites](mac.md "Install on macOS")', '- [Prerequisites](mac.md)'],
        ["- [Named](named.md 'In navigation')", "- [In navigation](named.md 'In navigation')"],
      ],
    });
  });
});

describe('the linkTitle of a page', () => {
  test('is set by an insertion and exported in SUMMARY.md', async () => {
    const space = await contents.aSpace();
    await contents.edit(space, insert('Start', 'Text'), insert('Prerequisites', 'x', { linkTitle: 'Linux' }));
    expect((await titlesOf(space))[1]).toEqual(['prerequisites', 'Prerequisites', 'Linux']);
    const folder = await exportOf(app, space);
    expect(folder['SUMMARY.md']).toContain('* [Prerequisites](prerequisites.md "Linux")\n');
    const copy = await aSpaceOf(folder);
    expect((await titlesOf(copy))[1]).toEqual(['prerequisites', 'Prerequisites', 'Linux']);
  });

  test('is rejected on a group, and without visible characters', async () => {
    const space = await contents.aSpace();
    const group = { operation: 'insert_page', type: 'group', title: 'Group', linkTitle: 'Label' };
    const refused = await contents.send(space, [group]);
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain('A page of type group cannot have linkTitle');
    const invisible = await contents.send(space, [insert('A', '', { linkTitle: '\u200b' })]);
    expect(invisible.status).toBe(400);
    expect(invisible.body.error.message).toContain('linkTitle');
  });

  test('is part of the changes and conflicts of a change request', async () => {
    const space = await contents.aSpace();
    const [id] = idsOf(await contents.edit(space, insert('Page', 'Text', { linkTitle: 'Old' })));
    const { body: request } = await contents.call('POST', `${space}/change-requests`, { subject: 'Label' });
    const path = `${space}/change-requests/${request.id}`;
    const change = (linkTitle: string) => ({ operation: 'update_page', page: id, linkTitle });
    await contents.edit(path, change('New'));
    expect((await contents.get(`${path}/changes`)).changes).toMatchObject([
      { type: 'page_edited', attributes: { linkTitle: { before: 'Old', after: 'New' } } },
    ]);
    await contents.edit(space, change('Other'));
    await contents.call('POST', `${path}/update`);
    expect((await contents.get(`${path}/conflicts`)).items).toMatchObject([
      { kind: 'field', field: 'linkTitle', ancestor: 'Old', primary: 'Other', proposed: 'New' },
    ]);
  });
});
