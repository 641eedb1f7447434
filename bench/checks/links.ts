import { atMost, type Check } from '../check.ts';
import { linkedSpace } from '../linked-space.ts';
import { median } from '../load.ts';

const WARM_UP = 20;
const TIMES = 30;

const firstPage = (name: string, query: string): Check => ({
  name: `links of a 10000-page space, first page of 50${name}`,
  aim: atMost(20, 'ms'),
  async measure({ api }) {
    const { id } = await linkedSpace(api);
    const times: number[] = [];
    for (let i = 0; i < WARM_UP + TIMES; i++) {
      const startedAt = performance.now();
      const bytes = await api.bytesOf({ path: `/v1/spaces/${id}/links${query}` });
      times.push(performance.now() - startedAt);
      // Several hundred kilobytes, which this process takes milliseconds to parse.
      const { items } = JSON.parse(bytes.toString('utf8')) as { items: unknown[] };
      if (items.length !== 50) throw new Error(`The list has ${items.length} links`);
    }
    return median(times.slice(WARM_UP));
  },
});

export const linkChecks: readonly Check[] = [firstPage('', ''), firstPage(', broken ones', '?status=broken')];
