import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, insert, type Contents } from '../../../test/content.ts';
import { dice } from '../../../test/places.ts';
import { aSide } from '../../../test/world.ts';
import { TooLargeHere } from '../../platform/api/too-large-here.ts';
import { indexPages, type IndexedPage } from '../search-index/index.ts';
import { searchSpace } from './search.ts';

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

test('the pages of a large segment are found', async () => {
  const space = await contents.aSpace();
  await contents.edit(space, ...TEXTS.map((text, n) => insert(`Large ${n}`, text)));
  for (const n of [0, 49]) {
    const query = (TEXTS[n] ?? '').split(' ').slice(300, 303).join(' ');
    const { body } = await app.call('GET', `/v1/spaces/${idOf(space)}/search`, { token, query: { query } });
    expect(body.items[0].title).toBe(`Large ${n}`);
  }
});

test('the front leaves it to the heavy process to search large segments for common words', async () => {
  const { db } = app.app.installation.connection;
  const space = idOf(await contents.aSpace());
  const publish = (pages: readonly IndexedPage[], isFront: boolean) =>
    db
      .transaction()
      .execute((trx) => indexPages({ db: trx, isFront }, space, { changed: pages, removed: [] }));
  const text = `common ${TEXTS[0]} `.repeat(100);
  const page = (id: string): IndexedPage => ({
    id,
    title: id,
    path: id,
    readSections: () => [{ id: undefined, title: '', level: 0, text }],
  });
  const search = async (query: string, isFront: boolean) => {
    const request = { limit: 10, after: undefined, cursor: () => '' };
    return (await searchSpace({ db, isFront }, space, query, request)).count;
  };
  // The sixteenth page is merged with the others, but not in the front.
  for (let n = 1; n <= 16; n++) await publish([page(`p${n}`)], true);
  await publish([page('p16')], false);
  expect(await search('p16', true)).toBe(1);
  const words = TEXTS[0]?.split(' ').slice(0, 8).join(' ') ?? '';
  await expect(search(`common ${words}`, true)).rejects.toThrow(TooLargeHere);
  expect(await search(`common ${words}`, false)).toBe(16);
});
