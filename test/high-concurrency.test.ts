import { beforeAll, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from './app.ts';
import { contentsOf, idsOf, insert, type Contents } from './content.ts';
import { aSide, type Side } from './world.ts';

/** Highly concurrent requests to two processes of one installation: nothing is lost or duplicated. */

let processes: readonly [TestApp, TestApp];
let side: Side;
let contents: Contents;

beforeAll(async () => {
  const app = await startApp();
  processes = [app, await startApp({ beside: app })];
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

const range = (count: number) => Array.from({ length: count }, (_each, n) => n);

/** The n-th request goes to one of the processes. */
const post = (n: number, path: string, body?: object): Promise<Answer> =>
  processes[n % 2 === 0 ? 0 : 1].call('POST', path, {
    token: side.admin.token,
    ...(body === undefined ? {} : { body }),
  });

const statuses = (answers: readonly Answer[]) => {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries(counts);
};

test('1,000 concurrent comments are all stored and counted', async () => {
  const space = await contents.aSpace();
  const texts = range(1000).map((n) => `Comment ${n}`);
  const answers = await Promise.all(
    texts.map((markdown, n) => post(n, `${space}/comments`, { body: { markdown } })),
  );
  expect(statuses(answers)).toEqual({ 200: 1000 });
  const { items, count } = await contents.get(`${space}/comments?limit=1000`);
  expect(count).toBe(1000);
  const stored = items.map((each: Answer['body']) => each.body.markdown as string);
  expect(new Set(stored)).toEqual(new Set(texts));
  expect((await contents.get(space)).comments).toBe(1000);
});

test('1,000 concurrent change requests get the numbers 1 to 1,000', async () => {
  const space = await contents.aSpace();
  const answers = await Promise.all(range(1000).map((n) => post(n, `${space}/change-requests`, {})));
  expect(statuses(answers)).toEqual({ 201: 1000 });
  const numbers = answers.map(({ body }) => body.number as number).toSorted((a, b) => a - b);
  expect(numbers).toEqual(range(1000).map((n) => n + 1));
  expect(await contents.get(space)).toMatchObject({ changeRequests: 1000, changeRequestsDraft: 1000 });
});

/** The path of a new change request with this content. */
async function propose(space: string, changes: readonly object[]): Promise<string> {
  const { body } = await contents.call('POST', `${space}/change-requests`, {});
  const path = `${space}/change-requests/${body.id}`;
  const { status, text } = await contents.call('POST', `${path}/content`, { changes });
  expect(status, text).toBe(200);
  return path;
}

test('one of 200 concurrent merges of one request succeeds', async () => {
  const space = await contents.aSpace();
  const path = await propose(space, [insert('Once')]);
  const answers = await Promise.all(range(200).map((n) => post(n, `${path}/merge`)));
  expect(statuses(answers)).toEqual({ 200: 1, 409: 199 });
  expect(await contents.pages(space)).toHaveLength(1);
  // The first, empty revision, and the merge.
  expect((await contents.get(`${space}/revisions?limit=0`)).count).toBe(2);
});

test('100 concurrent merges into one space are all in its history, and no edit is lost', async () => {
  const space = await contents.aSpace();
  // Ten pages of ten paragraphs: every request edits another paragraph.
  const paragraphs = (edited: ReadonlySet<number>) =>
    range(10)
      .map((n) => `Paragraph ${n}${edited.has(n) ? ' was edited' : ''}.`)
      .join('\n\n');
  const pages = idsOf(
    await contents.edit(space, ...range(10).map((n) => insert(`Page ${n}`, paragraphs(new Set())))),
  );
  const paths: string[] = [];
  for (const n of range(100)) {
    const page = pages[n % 10];
    const markdown = paragraphs(new Set([Math.floor(n / 10)]));
    paths.push(await propose(space, [{ operation: 'update_page', page, document: { markdown } }]));
  }
  const answers = await Promise.all(paths.map((path, n) => post(n, `${path}/merge`)));
  expect(statuses(answers)).toEqual({ 200: 100 });
  expect(new Set(answers.map(({ body }) => body.result))).toEqual(new Set(['merge']));

  expect(await contents.get(space)).toMatchObject({
    changeRequests: 100,
    changeRequestsDraft: 0,
    changeRequestsOpen: 0,
  });
  const { items } = await contents.get(`${space}/revisions?limit=1000`);
  const merges = items.filter((each: Answer['body']) => each.type === 'merge');
  expect(new Set(merges.map((each: Answer['body']) => each.mergedFrom.id))).toEqual(
    new Set(paths.map((path) => path.split('/').at(-1))),
  );
  const parents = items.slice(0, -1).map((each: Answer['body']) => each.parents[0]);
  expect(parents).toEqual(items.slice(1).map((each: Answer['body']) => each.id));
  for (const id of pages) {
    expect((await contents.page(space, id)).markdown).toBe(paragraphs(new Set(range(10))));
  }
});
