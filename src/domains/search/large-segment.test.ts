import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, insert, type Contents } from '../../../test/content.ts';
import { dice } from '../../../test/places.ts';
import { aSide } from '../../../test/world.ts';
import { buildSegment } from '../../content-engine/search/index.ts';
import { runToEnd } from '../../content-engine/run-to-end.ts';
import { indexPages, type IndexedPage } from './index.ts';

let app: TestApp;
let contents: Contents;
let token: string;

beforeAll(async () => {
  app = await startApp();
  const side = await aSide(app, 'large-segment');
  token = side.admin.token;
  contents = contentsOf(app, side);
});

const roll = dice(11);
const words = (count: number) =>
  Array.from({ length: count }, () => Array.from({ length: 6 }, () => 'abcdefg'[roll(7)]).join('')).join(' ');
const TEXTS = Array.from({ length: 50 }, () => words(700));

const idOf = (space: string) => space.split('/').at(-1) ?? '';

test('pages of more text than is indexed on the event loop are found', async () => {
  const space = await contents.aSpace();
  await contents.edit(space, ...TEXTS.map((text, n) => insert(`Large ${n}`, text)));
  for (const n of [0, 49]) {
    const query = (TEXTS[n] ?? '').split(' ').slice(300, 303).join(' ');
    const { body } = await app.call('GET', `/v1/spaces/${idOf(space)}/search`, { token, query: { query } });
    expect(body.items[0].title).toBe(`Large ${n}`);
  }
});

test('a thread builds the same index as the event loop, which builds it if no thread is free', async () => {
  const pages = TEXTS.map((text, n): IndexedPage => ({
    id: `p${n}`,
    title: `Page ${n}`,
    path: `p${n}`,
    readSections: () => [{ id: undefined, title: '', level: 0, text }],
  }));
  const sizes: number[] = [];
  const indexOf = async (build: Parameters<typeof indexPages>[3]) => {
    const id = idOf(await contents.aSpace());
    const changes = { changed: pages, removed: [] };
    await app.app.installation.connection.db
      .transaction()
      .execute((db) => indexPages(db, id, changes, build));
    return app.sql('select first_word, entries from search_blocks where space_id = $1 order by 1', [id]);
  };
  const here = await indexOf(undefined);
  const inThread = await indexOf(async (input, size) => {
    sizes.push(size);
    return runToEnd(buildSegment(structuredClone(input)));
  });
  const withoutFree = await indexOf((_input, size) => void sizes.push(size));
  expect(here.length).toBeGreaterThan(100);
  expect(inThread).toEqual(here);
  expect(withoutFree).toEqual(here);
  expect(sizes).toEqual(Array(2).fill(TEXTS.join('').length));
});
