import type { Api } from '../api.ts';
import { atLeast, type Check } from '../check.ts';
import { knownItems, type KnownItem } from '../queries.ts';
import { thousandPages } from '../space.ts';

const QUERIES = 200;

interface Found {
  readonly items: readonly { readonly id: string; readonly title: string }[];
}

export async function firstHit(api: Api, spaceId: string, words: readonly string[]) {
  const query = encodeURIComponent(words.join(' '));
  const { items } = await api.send<Found>({ path: `/v1/spaces/${spaceId}/search?query=${query}` });
  return items[0];
}

const knownItem = (
  name: string,
  percent: number,
  wordsOf: (item: KnownItem) => readonly string[],
): Check => ({
  name: `correct first hit, ${QUERIES} queries of three words, ${name}`,
  aim: atLeast(percent, '%'),
  async measure({ api }) {
    const { id, pages } = await thousandPages(api);
    let right = 0;
    for (const item of knownItems(QUERIES)) {
      const hit = await firstHit(api, id, wordsOf(item));
      if (hit?.id === pages[item.page]) right++;
    }
    return (100 * right) / QUERIES;
  },
});

export const searchChecks: readonly Check[] = [
  knownItem('without typos', 90, ({ words }) => words),
  knownItem('one typo', 75, ({ withTypo }) => withTypo),
];
