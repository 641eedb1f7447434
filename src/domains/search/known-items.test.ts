import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { dice, placesOf } from '../../../test/places.ts';
import { aSide, type Side } from '../../../test/world.ts';
import { indexPages, type IndexedPage } from '../search-index/index.ts';

const PAGES = 300;
const QUERIES = 100;
const WORDS = 4000;
/** Queries do not use words that occur on a tenth of the pages. */
const COMMON = PAGES / 10;

const roll = dice(20_261_115);
const SYLLABLES = 'ba co di fu ga le mi no pe ra so ti va wo ze ster plan tion ment in'.split(' ');
const vocabulary = [
  ...new Set(
    Array.from({ length: WORDS }, () =>
      Array.from({ length: 2 + roll(3) }, () => SYLLABLES[roll(SYLLABLES.length)]).join(''),
    ),
  ),
];

/** A word by Zipf’s law: the n-th is 1/n as frequent as the first. */
const aWord = () => vocabulary[Math.floor(vocabulary.length ** (roll(100_000) / 100_000)) - 1] ?? 'in';
const words = (count: number) => Array.from({ length: count }, aWord);

const pages = Array.from({ length: PAGES }, (_page, n) => ({
  id: `page${n}`,
  title: words(3).join(' '),
  path: `page-${n}`,
  sections: Array.from({ length: 5 }, (_section, at) => ({
    id: `s${at}`,
    title: words(2).join(' '),
    level: 2,
    text: words(100).join(' '),
  })),
}));
const indexed = pages.map(({ sections, ...page }): IndexedPage => ({
  ...page,
  readSections: () => sections,
}));
const bodyOf = ({ sections }: (typeof pages)[number]) => [
  ...new Set(sections.flatMap(({ text }) => text.split(' '))),
];
const pagesWith = new Map<string, number>();
for (const word of pages.flatMap(bodyOf)) pagesWith.set(word, (pagesWith.get(word) ?? 0) + 1);

function mistyped(word: string): string {
  const at = roll(word.length - 1);
  const [before, letter = '', next = '', after] = [
    word.slice(0, at),
    word[at],
    word[at + 1],
    word.slice(at + 2),
  ];
  return [
    before + next + after,
    `${before}${letter}q${next}${after}`,
    `${before}q${next}${after}`,
    before + next + letter + after,
  ][roll(4)] as string;
}

let app: TestApp;
let side: Side;
let space: string;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'known');
  space = await placesOf(app, side).aSpace();
  const { db } = app.app.installation.connection;
  await db
    .transaction()
    .execute((trx) => indexPages({ db: trx, isFront: false }, space, { changed: indexed, removed: [] }));
});

async function isFirst(id: string, query: readonly string[]): Promise<boolean> {
  const { body } = await app.call('GET', `/v1/spaces/${space}/search`, {
    token: side.admin.token,
    query: { query: query.join(' '), limit: 1 },
  });
  return body.items[0]?.id === id;
}

test('three words of a page find it first, even with a typo in one of them', async () => {
  let found = 0;
  let foundWithTypo = 0;
  for (let n = 0; n < QUERIES; n++) {
    const page = pages[roll(PAGES)] as (typeof pages)[number];
    const candidates = bodyOf(page).filter(
      (word) => !page.title.split(' ').includes(word) && (pagesWith.get(word) ?? 0) <= COMMON,
    );
    const query = Array.from({ length: 3 }, () => candidates.splice(roll(candidates.length), 1)[0] ?? '');
    const typoAt = roll(3);
    if (await isFirst(page.id, query)) found++;
    if (
      await isFirst(
        page.id,
        query.map((word, at) => (at === typoAt ? mistyped(word) : word)),
      )
    )
      foundWithTypo++;
  }
  expect(found).toBeGreaterThanOrEqual(0.9 * QUERIES);
  expect(foundWithTypo).toBeGreaterThanOrEqual(0.75 * QUERIES);
});
