import { apiReference } from '../api-reference.ts';
import { atMost, type Check } from '../check.ts';
import { median } from '../load.ts';
import { pageRequest, publishSite } from '../published-site.ts';

const COLD_PAGES = 200;

export const apiReferenceChecks: readonly Check[] = [
  {
    name: 'OpenAPI specification of 1,000 operations: processed and searchable',
    aim: atMost(8, 's'),
    measure: async ({ api }) => (await apiReference(api)).seconds,
  },
  {
    name: 'page of an operation, cold',
    aim: atMost(30, 'ms'),
    async measure({ api }) {
      const { pages } = await publishSite(api, await apiReference(api));
      const times: number[] = [];
      for (const path of pages.slice(0, COLD_PAGES)) {
        const startedAt = performance.now();
        await api.bytesOf(pageRequest(path));
        times.push(performance.now() - startedAt);
      }
      return median(times);
    },
  },
];
