import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { partOf } from '../../../test/exhaustive.ts';
import { dice, placesOf, type Places } from '../../../test/places.ts';
import { aSide, type Side } from '../../../test/world.ts';
import { indexPages, type IndexedPage } from '../search-index/index.ts';

let app: TestApp;
let side: Side;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'budgets');
  places = placesOf(app, side);
});

/** The duration depends on the load of the machine, so this timeout is for hangs only. */
const HANGS_MS = 120_000;
const MEGABYTE = 1024 * 1024;

const publish = (spaceId: string, changed: readonly IndexedPage[]) =>
  app.app.installation.connection.db
    .transaction()
    .execute((db) => indexPages({ db, isFront: false }, spaceId, { changed, removed: [] }));

const search = (spaceId: string, query: string, limit = 50) =>
  app.call('GET', `/v1/spaces/${spaceId}/search`, { token: side.admin.token, query: { query, limit } });

const aPage = (
  id: string,
  sections: readonly { readonly title: string; readonly text: string }[],
): IndexedPage => ({
  id,
  title: `Page ${id}`,
  path: id,
  readSections: () => sections.map(({ title, text }, index) => ({ id: `s${index}`, title, level: 1, text })),
});

const roll = dice(7);
const aWord = () => Array.from({ length: 7 }, () => 'abcdefgh'[roll(8)]).join('');

describe('a space is indexed and searched', { timeout: HANGS_MS }, () => {
  const text = (unit: () => string): string => {
    const parts: string[] = [];
    for (let length = 0; length < 2 * MEGABYTE;)
      length += Buffer.byteLength(parts[parts.push(unit()) - 1] ?? '');
    return parts.join('');
  };

  const pages = [
    ['different words', () => [{ title: 'One', text: text(() => `${aWord()} `) }]],
    ['one word', () => [{ title: 'One', text: text(() => 'a ') }]],
    ['Chinese', () => [{ title: 'One', text: text(() => String.fromCharCode(0x4e00 + roll(20_000))) }]],
    ['identifiers', () => [{ title: 'One', text: text(() => `${aWord()}Xy2z${roll(99)} `) }]],
    ['headings', () => Array.from({ length: 200_000 }, (_each, n) => ({ title: `h${n}`, text: 'x' }))],
    [
      'one long heading',
      () => [{ title: text(() => 'word ').slice(0, MEGABYTE), text: text(() => 'a ').slice(0, MEGABYTE) }],
    ],
  ] as const;

  test.each(partOf(pages, 3, 2))('with a page of 2 MB: %s', async (_name, sectionsOf) => {
    const space = await places.aSpace();
    await publish(space, [aPage('p', sectionsOf())]);
    for (const query of ['a a a a', 'page p', 'xy2z word', '一二三']) {
      const { status, text: answer } = await search(space, query);
      expect(status).toBe(200);
      expect(answer.length).toBeLessThan(100_000);
    }
    expect((await search(space, 'page p')).body.count).toBe(1);
  });

  test('with a page of 2 MB of different words: each statement contains a part of it', async () => {
    const space = await places.aSpace();
    let word = 0;
    const page = aPage('p', [{ title: 'One', text: text(() => `w${(word++).toString(36)}q `) }]);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    await publish(space, [page]);
    const lengths = query.mock.calls.map(([sent]: unknown[]) => {
      const values = (sent as { values?: readonly unknown[] }).values ?? [];
      return values
        .filter((each) => typeof each === 'string' || Buffer.isBuffer(each))
        .reduce((sum, each) => sum + each.length, 0);
    });
    // The list of words is one value. Text and postings are split into several statements.
    expect(Math.max(...lengths)).toBeLessThan(2 * MEGABYTE);
    expect(lengths.reduce((sum, length) => sum + length)).toBeGreaterThan(5 * MEGABYTE);
  });

  test('with many misspelled words and a large vocabulary', async () => {
    const space = await places.aSpace();
    const vocabulary = Array.from({ length: 200_000 }, () => aWord());
    await publish(
      space,
      Array.from({ length: 20 }, (_each, n) =>
        aPage(`p${n}`, [{ title: '', text: vocabulary.slice(n * 10_000, (n + 1) * 10_000).join(' ') }]),
      ),
    );
    const mistyped = Array.from({ length: 60 }, () => `${aWord()}z`)
      .join(' ')
      .slice(0, 512);
    expect((await search(space, mistyped, 1000)).status).toBe(200);
    expect((await search(space, `${vocabulary[5]?.slice(0, 6)}z`)).body.count).toBeGreaterThan(0);
  });

  test('with a page that repeats words similar to all words of the query', async () => {
    const space = await places.aSpace();
    const similar = Array.from({ length: 60_000 }, (_each, n) => `docu${'abc'[n % 3]} `).join('');
    await publish(space, [aPage('p', [{ title: 'One', text: similar }])]);
    const mistyped = [...'pqrstuvw'].map((letter) => `docu${letter}`).join(' ');
    expect((await search(space, mistyped)).body.count).toBe(1);
  });

  test('with thousands of pages that match', async () => {
    const space = await places.aSpace();
    const words = Array.from({ length: 24 }, () => aWord());
    const pages = Array.from({ length: 3000 }, (_each, n) =>
      aPage(`p${n}`, [{ title: 'x', text: `${words.slice(n % 20).join(' x ')} `.repeat(1 + (n % 9)) }]),
    );
    await publish(space, pages);
    for (const query of [words.join(' '), `${words.join(' ')} nowhere`, words.slice(20).join(' ')])
      expect((await search(space, query, 1000)).status).toBe(200);
    expect((await search(space, words.slice(20).join(' '), 0)).body.count).toBe(3000);
  });
});
