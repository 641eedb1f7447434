import type { Row } from '../row.ts';
import { linkedSpace } from '../linked-space.ts';

/** A prime number: consecutive requests are for pages far apart. */
const STEP = 7919;

const ofPage =
  (what: string): Row['setup'] =>
  async (api) => {
    const { id, pages } = await linkedSpace(api);
    return (n) => ({ path: `/v1/spaces/${id}/content/page/${pages[(n * STEP) % pages.length]}/${what}` });
  };

export const linkRows: readonly Row[] = [
  { name: 'links of a page', setup: ofPage('links'), target: { ratio: 0.05 } },
  { name: 'backlinks of a page', setup: ofPage('backlinks') },
];
