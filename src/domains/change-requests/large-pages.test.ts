import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { longestTurn } from '../../../test/longest-turn.ts';
import { aSide } from '../../../test/world.ts';
import { BODY_BUDGET } from '../../content-engine/diff/index.ts';
import { bodyTasks } from '../../content-engine/merge/index.ts';
import { sizeOfCharacters } from '../../content-engine/size-of-text.ts';
import { buildTree, type PageRecord } from '../../content-engine/tree/index.ts';
import { createThreads, type Threads } from '../../platform/threads/index.ts';
import { DeferredWork } from '../../platform/api/deferred-work.ts';
import { bodyTasksFor } from './run-body-tasks.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

/** Too long to be merged on the event loop. */
const LINES = 4000;
const page = (change: (line: string, at: number) => string = (line) => line) =>
  Array.from({ length: LINES }, (_, at) => change(`Paragraph ${at} of the page.`, at)).join('\n\n');

async function aRequest(space: string): Promise<string> {
  const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Better' });
  return `${space}/change-requests/${body.id}`;
}

const written = (page: string | undefined, markdown: string) => ({
  operation: 'update_page',
  page,
  document: { markdown },
});

describe('a large page', () => {
  test('is merged while its space is edited', async () => {
    const space = await contents.aSpace();
    const [id = ''] = idsOf(await contents.edit(space, insert('Large', page())));
    const path = await aRequest(space);
    const proposed = page((line, at) => (at === 3990 ? 'The proposed end.' : line));
    await contents.call('POST', `${path}/content`, { changes: [written(id, proposed)] });
    await contents.edit(
      space,
      written(
        id,
        page((line, at) => (at === 10 ? 'The new beginning.' : line)),
      ),
    );
    const order: string[] = [];
    const [merged, edited] = await Promise.all([
      contents.call('POST', `${path}/merge`).finally(() => order.push('merged')),
      contents.send(space, [insert('Meanwhile')]).finally(() => order.push('edited')),
    ]);
    // The merge computes outside the lock and the queue of the space.
    expect(order).toEqual(['edited', 'merged']);
    expect(merged.body).toMatchObject({ result: 'merge' });
    expect(edited.status).toBe(200);
    const { markdown } = await contents.page(space, id, '?format=markdown');
    expect(markdown).toContain('The new beginning.');
    expect(markdown).toContain('The proposed end.');
    expect((await contents.pages(space)).map(({ title }) => title)).toContain('Meanwhile');
  });

  test('with a conflict in every paragraph does not block the event loop', async () => {
    const space = await contents.aSpace();
    const [id] = idsOf(await contents.edit(space, insert('Large', page())));
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, {
      changes: [
        written(
          id,
          page((_, at) => `Proposed ${at}.`),
        ),
      ],
    });
    await contents.edit(
      space,
      written(
        id,
        page((_, at) => `Primary ${at}.`),
      ),
    );
    const start = performance.now();
    const turn = await longestTurn(async () => {
      const { body } = await contents.call('POST', `${path}/merge`);
      expect(body).toMatchObject({ result: 'conflicts' });
    });
    const took = performance.now() - start;
    // On the event loop, the turn would take the whole duration.
    expect(turn).toBeLessThan(took / 2);

    expect((await contents.call('POST', `${path}/update`)).body).toMatchObject({ result: 'conflicts' });
    const { count, items } = await contents.get(`${path}/conflicts?limit=1`);
    expect(count).toBe(LINES);
    const resolved = await contents.call('POST', `${path}/conflicts/${items[0].id}`, { use: 'primary' });
    expect(resolved.status, resolved.text).toBe(200);
    expect((await contents.get(`${path}/conflicts?limit=1`)).count).toBe(LINES - 1);
  });
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
  const opened: Threads[] = [];
  const threadsWith = (timeoutMs: number) => {
    const tasks = new URL('../../content-engine/tasks.ts', import.meta.url);
    const threads = createThreads({ tasks, timeoutMs });
    opened.push(threads);
    return threads;
  };
  afterAll(() => Promise.all(opened.map((threads) => threads.close())));

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
  const versionsOf = (text: string, primary: string, proposed: string) => ({
    ancestor: { text, links: {} },
    primary: { text: primary, links: {} },
    proposed: { text: proposed, links: {} },
  });
  const task = (characters: number) => ({
    input: {
      versions: versionsOf('a\n\nb', 'A\n\nb', 'a\n\nB'),
      present: new Set<string>(),
      budget: BODY_BUDGET,
    },
    key: `of ${characters}`,
    entry: 'p1',
    size: sizeOfCharacters(characters),
  });

  test('above the size limit run outside the transaction', async () => {
    const threads = threadsWith(60_000);
    const tasks = [task(100), task(100_000)];
    const inTransaction = bodyTasksFor({ threads, finishedWork: new Map() }, 'o1', tree);
    const error: unknown = await inTransaction('mergeDocument', tasks).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DeferredWork);
    const finishedWork = await (error as DeferredWork).work();
    expect(finishedWork.size).toBe(1);
    const again = bodyTasksFor({ threads, finishedWork }, 'o1', tree);
    const expected = bodyTasks.mergeDocument(task(1).input);
    expect(expected.text).toBe('A\n\nB');
    expect(await again('mergeDocument', tasks)).toEqual([expected, expected]);
  });

  test('above the time limit are rejected with the title of the page', async () => {
    const run = bodyTasksFor({ threads: threadsWith(1) }, 'o1', tree);
    await expect(run('mergeDocument', [task(100_000)])).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('The page "Large page" (p1) exceeds the time limit'),
    });
  });
});
