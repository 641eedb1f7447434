import type { Row } from '../row.ts';
import { thousandPages } from '../space.ts';
import { vocabulary } from '../vocabulary.ts';

const DISTINCT = 1000;

/** The most common words are on every page, the rarest on about a dozen. */
const COMMON = vocabulary.slice(0, DISTINCT);
const RARE = vocabulary.slice(-DISTINCT);

const searchFor =
  (words: readonly string[]): Row['setup'] =>
  async (api) => {
    const { id } = await thousandPages(api);
    return (n) => ({ path: `/v1/spaces/${id}/search?query=${words[n % words.length]}` });
  };

export const searchRows: readonly Row[] = [
  {
    name: 'search 1000 pages, one of the 1000 most common words',
    setup: searchFor(COMMON),
    target: { perSecond: 300 },
  },
  {
    name: 'search 1000 pages, one of the 1000 rarest words',
    setup: searchFor(RARE),
    target: { perSecond: 600 },
  },
];
