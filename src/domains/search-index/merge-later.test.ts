import { expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import { contentsOf, insert } from '../../../test/content.ts';
import { jobContext } from '../../../test/import-runs.ts';
import { aSide } from '../../../test/world.ts';
import { mergeSegments } from './jobs.ts';

test('an edit in the front leaves a large merge of segments to a job; searches find the same', async () => {
  const app = await startApp({ hasHeavy: true });
  const contents = contentsOf(app, await aSide(app, 'alpha'));
  const space = await contents.aSpace();
  const spaceId = space.split('/').at(-1) ?? '';
  const segments = async () =>
    Number(
      (await app.sql('select count(*) from search_segments where space_id = $1', [spaceId]))[0]?.['count'],
    );
  const found = async () =>
    (await contents.get(`${space}/search?query=common`)).items
      .map(({ title }: { title: string }) => title)
      .toSorted();
  const text = (page: number) =>
    Array.from({ length: 4_000 }, (_each, n) => `word${page}x${n}`)
      .join(' ')
      .concat(' common');
  for (let page = 0; page < 16; page++) await contents.edit(space, insert(`Page ${page}`, text(page)));
  expect(app.forwarded()).toBe(0);
  const [before, titles] = [await segments(), await found()];
  expect(before).toBe(16);
  expect(titles).toHaveLength(16);
  const { rows } = await app.app.installation.connection.pool.query(
    `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'search.merge'`,
  );
  expect(rows).toEqual([{ payload: { spaceId } }]);
  await mergeSegments.run(jobContext(app), { spaceId });
  expect(await segments()).toBe(1);
  expect(await found()).toEqual(titles);
  await contents.edit(space, insert('Page 16', text(16)));
  expect(await found()).toHaveLength(17);
});
