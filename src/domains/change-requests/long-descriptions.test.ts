import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, insert, type Contents } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';

let app: TestApp;
let contents: Contents;
let organization: string;

beforeAll(async () => {
  app = await startApp();
  const side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
  organization = side.organizationId;
});

const COUNT = 6;
const MAX_ANSWER = 2_700_000;

/** Compressible: PostgreSQL stores it in much less than its size. */
const description = {
  object: 'document',
  data: {},
  nodes: Array.from({ length: 200 }, () => ({
    object: 'block',
    type: 'paragraph',
    data: {},
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'word '.repeat(500), marks: [] }] }],
  })),
};

/** The ids of a list, and the number of its pages. */
async function readList(path: string): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let pages = 0;
  for (let next: string | undefined = ''; next !== undefined; pages++) {
    const answer = await contents.call('GET', `${path}limit=1000${next && `&page=${next}`}`);
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(answer.text.length).toBeLessThan(MAX_ANSWER);
    ids.push(...answer.body.items.map(({ id }: { id: string }) => id));
    next = answer.body.next?.page;
  }
  return { ids, pages };
}

test('a page of change requests with long descriptions ends before the size limit', async () => {
  const space = await contents.aSpace();
  const created: string[] = [];
  for (let n = 0; n < COUNT; n++) {
    const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Long' });
    await contents.call('PATCH', `${space}/change-requests/${body.id}`, { status: 'open', description });
    created.unshift(body.id);
  }
  expect(await readList(`${space}/change-requests?`)).toEqual({ ids: created, pages: 2 });
  expect(await readList(`/v1/orgs/${organization}/change-requests?`)).toEqual({ ids: created, pages: 2 });
});

test('so does a page of revisions that merged them', async () => {
  const space = await contents.aSpace();
  const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Long' });
  const path = `${space}/change-requests/${body.id}`;
  await contents.call('PATCH', path, { status: 'open', description });
  await contents.call('POST', `${path}/content`, { changes: [insert('Page')] });
  expect((await contents.call('POST', `${path}/merge`)).body.result).toBe('merge');
  for (let n = 1; n < COUNT; n++) await contents.edit(space, insert(`Page ${n}`));
  const { ids } = await readList(`${space}/revisions?`);
  await app.sql(
    `update revisions set merged_from = merge.merged_from
     from (select merged_from from revisions where id = any($1) and type = 'merge') merge where id = any($1)`,
    [ids],
  );
  expect(await readList(`${space}/revisions?`)).toEqual({ ids, pages: 2 });
});
