import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, type Contents } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide } from '../../../test/world.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

const fill = (text: string, size: number): string =>
  text.repeat(Math.ceil(size / text.length)).slice(0, size);

const post = async (space: string, markdown: string, more: object = {}) => {
  const answer = await contents.call('POST', `${space}/comments`, { body: { markdown }, ...more });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

describe('comments as documents', () => {
  test('do not expand references without limit', async () => {
    const space = await contents.aSpace();
    const markdown = `[a]: http://${'x'.repeat(20_000)}\n\n${fill('[a] ', 78_000)}`;
    const { id } = await post(space, markdown);
    const answer = await contents.call('GET', `${space}/comments/${id}?format=document`);
    expect(answer.status).toBe(200);
    expect(answer.text.length).toBeLessThan(5 * markdown.length);
    expect((await contents.get(`${space}/comments/${id}`)).body.markdown).toBe(markdown);
  });

  test.each([
    ['cells', '*|*\n-|-\n*|*\n'],
    ['items', '- a\n'],
  ])('are one text block when they have too many %s', async (_name, text) => {
    const space = await contents.aSpace();
    const markdown = fill(text, 88_000);
    const { id } = await post(space, markdown);
    const { body } = await contents.get(`${space}/comments/${id}?format=document`);
    expect(body.document.nodes).toHaveLength(1);
    expect(body.document.nodes[0].nodes[0].leaves[0].text).toBe(markdown);
  });

  test('are rejected with 413 when a list of them exceeds the limit', async () => {
    const space = await contents.aSpace();
    const text = fill('a\n\n', 12_000);
    for (let n = 0; n < 12; n++) await post(space, `${n}\n\n${text}`);
    const all = await contents.call('GET', `${space}/comments?format=document&limit=1000`);
    expectError(all, 413, /Request fewer \(`limit`\)/);
    const some = await contents.call('GET', `${space}/comments?format=document&limit=1`);
    expect(some.body.items).toHaveLength(1);
    expect((await contents.get(`${space}/comments?limit=1000`)).items).toHaveLength(12);
  });
});

test('a document with too many blocks is rejected before it is converted', async () => {
  const space = await contents.aSpace();
  const paragraph = {
    object: 'block',
    type: 'paragraph',
    data: {},
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'a', marks: [] }] }],
  };
  const documentOf = (blocks: number) => ({
    body: {
      document: { object: 'document', data: {}, nodes: Array.from({ length: blocks }, () => paragraph) },
    },
  });
  expectError(await contents.call('POST', `${space}/comments`, documentOf(5000)), 413, /fewer blocks/);
  expect((await contents.call('POST', `${space}/comments`, documentOf(2000))).status).toBe(200);
});

test('a page of a list ends before the size limit, and the next one continues it', async () => {
  const space = await contents.aSpace();
  const posted: string[] = [];
  for (let n = 0; n < 60; n++) posted.push((await post(space, `${n} ${fill('y ', 98_000)}`)).id);
  const listed: string[] = [];
  let next: string | undefined = '';
  let pages = 0;
  while (next !== undefined) {
    const query = next === '' ? '' : `&page=${next}`;
    const answer = await contents.call('GET', `${space}/comments?limit=1000&order=asc${query}`);
    expect(answer.text.length).toBeLessThan(5_000_000);
    expect(answer.body.count).toBe(60);
    listed.push(...answer.body.items.map(({ id }: { id: string }) => id));
    next = answer.body.next?.page;
    pages++;
  }
  expect(listed).toEqual(posted);
  expect(pages).toBeGreaterThan(1);
});
