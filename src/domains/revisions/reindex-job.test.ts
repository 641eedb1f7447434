import { beforeAll, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { contentsOf, insert, type Contents } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';
import { reindexSpaces } from './reindex-job.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'reindex'));
});

const idOf = (space: string) => space.split('/').at(-1) ?? '';

/** Writes the index format of an older version: no parts, titles or labels, at most 16 positions per word. */
async function writeForm1(space: string): Promise<void> {
  const pages = await app.sql(
    `select p.number, p.title, s.body from search_pages p join search_sections s on (s.space_id, s.page) = (p.space_id, p.number)
    where p.space_id = $1 order by number`,
    [idOf(space)],
  );
  const words = new Map<string, string[]>();
  for (const { number, title, body } of pages as { number: number; title: string; body: string }[]) {
    const uses = new Map<string, { field: number; positions: number[] }>();
    const read = (text: string, field: number, first: number) =>
      Array.from(text.toLowerCase().matchAll(/[a-z0-9]+/g), ([word]) => word).forEach((word, index) => {
        const use = uses.get(word) ?? { field, positions: [] };
        use.positions.push(first + Math.min(index, 990));
        uses.set(word, use);
      });
    read(title, 2, 0);
    read(body, 0, 1024 + 32);
    for (const [word, { field, positions }] of uses) {
      const posting = [number, positions.length * 3 + field, ...positions.slice(0, 16)].join(',');
      words.set(word, [...(words.get(word) ?? []), posting]);
    }
  }
  const sorted = [...words].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const entries = sorted.map(([word, postings]) => `${word} ${postings.join(',')}\n`).join('');
  const parameters = [idOf(space), sorted[0]?.[0], entries, ` ${[...words.keys()].join(' ')} `];
  await app.sql('delete from search_blocks where space_id = $1', parameters.slice(0, 1));
  await app.sql(
    'insert into search_blocks (space_id, first_page, first_word, entries) values ($1, 1, $2, $3)',
    parameters.slice(0, 3),
  );
  await app.sql(`update search_segments set form = 1, words = $2 where space_id = $1`, [
    parameters[0],
    parameters[3],
  ]);
  await app.sql(`update search_pages set label = '' where space_id = $1`, parameters.slice(0, 1));
}

const search = async (space: string, query: string, more = ''): Promise<Answer['body']> =>
  contents.get(`${space}/search?query=${encodeURIComponent(query)}${more}`);
const titles = async (space: string, query: string): Promise<string[]> =>
  (await search(space, query)).items.map(({ title }: { title: string }) => title);

async function aSpace(): Promise<string> {
  const space = await contents.aSpace();
  await contents.edit(
    space,
    insert('Kubernetes Deployment', 'deployment '.repeat(30)),
    insert('Deployment', 'The WorkflowInstanceManager.', { linkTitle: 'Ship it' }),
    insert('Words', `${'alpha x beta '.repeat(40)} alpha beta`),
    insert('Apart', 'beta alpha'),
  );
  await writeForm1(space);
  return space;
}

const reindex = () => reindexSpaces({ ...app.app.context, db: app.app.installation.connection.db });

test('an index in the older format can be searched and edited, and is rewritten', async () => {
  const space = await aSpace();
  expect(await titles(space, 'deployment')).toHaveLength(2);
  expect(await titles(space, 'WorkflowInstanceManager')).toEqual(['Deployment']);
  expect(await titles(space, 'alpha beta')).toHaveLength(2);
  expect(await titles(space, 'workflwoinstancemanager')).toEqual(['Deployment']);
  expect(await titles(space, 'instance manager')).toEqual([]);

  for (let n = 0; n < 20; n++)
    await contents.edit(space, insert(`New ${n}`, 'deployment of InstanceManager'));
  expect(await titles(space, 'deployment')).toHaveLength(22);
  const firstPage = await search(space, 'deployment', '&limit=5');

  await reindex();
  const forms = await app.sql('select distinct form from search_segments where space_id = $1', [idOf(space)]);
  expect(forms).toEqual([{ form: 2 }]);
  expect((await titles(space, 'deployment'))[0]).toBe('Deployment');
  expect(await titles(space, 'ship it')).toEqual(['Deployment']);
  expect(await titles(space, 'alpha beta')).toEqual(['Words', 'Apart']);
  expect(await titles(space, 'workflow instance')).toEqual(['Deployment']);
  // A list that was begun before continues, although the scores have changed.
  const next = await search(space, 'deployment', `&limit=50&page=${firstPage.next.page}`);
  expect(next.count).toBe(22);
  await contents.edit(space, insert('After', 'deployment'));
  expect(await titles(space, 'deployment')).toHaveLength(23);
});

test('a segment without pages is rewritten, too; a deleted space once it is restored', async () => {
  const [space, deleted] = [await aSpace(), await aSpace()];
  for (const { id } of await contents.pages(space))
    await contents.edit(space, { operation: 'delete_page', page: id });
  await contents.call('DELETE', deleted);
  await reindex();
  expect(await titles(space, 'deployment')).toEqual([]);
  await contents.edit(space, insert('Again', 'deployment'));
  expect(await titles(space, 'deployment')).toEqual(['Again']);
  await contents.call('POST', `${deleted}/restore`);
  await reindex();
  expect((await titles(deleted, 'deployment'))[0]).toBe('Deployment');
});
