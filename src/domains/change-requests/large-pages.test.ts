import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';
import { sizeOfCharacters } from '../../content-engine/size-of-text.ts';
import { buildTree, type PageRecord } from '../../content-engine/tree/index.ts';
import { TooLargeHere } from '../../platform/api/too-large-here.ts';
import { bodyTasksFor } from './merge/run-body-tasks.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

async function aRequest(space: string): Promise<string> {
  const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Better' });
  return `${space}/change-requests/${body.id}`;
}

const written = (page: string | undefined, markdown: string) => ({
  operation: 'update_page',
  page,
  document: { markdown },
});

describe('a large table', () => {
  /** Two of these on one page exceed the maximum number of nodes of a document. */
  const ROWS = 5000;
  const table = (change: (row: string, at: number) => string = (row) => row) => {
    const rows = Array.from({ length: ROWS }, (_, at) => change(`| ${at} | name ${at} | value |`, at));
    return ['| id | name | value |', '| --- | --- | --- |', ...rows, ''].join('\n');
  };
  const withRows = (rows: Readonly<Record<number, string>>) => table((row, at) => rows[at] ?? row);

  test('has a conflict per row', async () => {
    const space = await contents.aSpace();
    const [id = ''] = idsOf(await contents.edit(space, insert('Large', table())));
    const path = await aRequest(space);
    const proposed = { 10: '| 10 | name 10 | proposed |', 20: '| 20 | new | value |' };
    await contents.call('POST', `${path}/content`, { changes: [written(id, withRows(proposed))] });
    const primary = { 10: '| 10 | name 10 | primary |', 21: '| 21 | other | value |' };
    await contents.edit(space, written(id, withRows(primary)));
    for (const action of ['merge', 'update'])
      expect((await contents.call('POST', `${path}/${action}`)).body).toMatchObject({ result: 'conflicts' });
    const shown = async () => (await contents.get(`${path}/content/page/${id}?format=markdown`)).markdown;
    const both = `${primary[10]}\n${proposed[10]}`;
    expect(await shown()).toBe(withRows({ ...primary, ...proposed, 10: both }));
    const { items } = await contents.get(`${path}/conflicts`);
    expect(items).toMatchObject([
      { ancestor: '| 10 | name 10 | value |', primary: primary[10], proposed: proposed[10] },
    ]);
    // The conflict offers the current version of the space.
    const later = { ...primary, 10: '| 10 | name 10 | later |' };
    await contents.edit(space, written(id, withRows(later)));
    expect((await contents.call('POST', `${path}/update`)).body).toMatchObject({ result: 'conflicts' });
    await contents.call('POST', `${path}/conflicts/${items[0].id}`, { use: 'primary' });
    expect(await shown()).toBe(withRows({ ...proposed, ...later }));
    expect((await contents.call('POST', `${path}/merge`)).body).toMatchObject({ result: 'merge' });
  });
});

describe('tasks on bodies', () => {
  const record = {
    id: 'p1',
    kind: 'page',
    type: 'document',
    title: 'Large page',
    slug: 'p1',
    position: 'a1',
    document: 'none',
    updatedAt: 1,
  };
  const tree = buildTree([record as PageRecord]);
  const task = (characters: number) => ({
    entry: 'p1',
    size: sizeOfCharacters(characters),
    perform: () => characters,
  });

  test('that are large together are left to the heavy process', () => {
    const tasks = [task(30_000), task(30_000)];
    const inFront = bodyTasksFor({ isFront: true }, tree);
    expect(inFront([task(30_000)])).toEqual([30_000]);
    expect(() => inFront(tasks)).toThrow(TooLargeHere);
    expect(bodyTasksFor({ isFront: false }, tree)(tasks)).toEqual([30_000, 30_000]);
  });
});
