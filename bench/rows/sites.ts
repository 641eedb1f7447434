import { publishSite, pageRequest } from '../published-site.ts';
import type { Row } from '../row.ts';
import { pagesOfBytes } from '../space.ts';

const PAGES = 100;
const PAGE_BYTES = 4000;

async function aPage(api: Parameters<Row['setup']>[0]) {
  const { pages } = await publishSite(api, await pagesOfBytes(api, PAGES, PAGE_BYTES));
  return pageRequest(pages[PAGES / 2] ?? '');
}

export const siteRows: readonly Row[] = [
  { name: 'published page, warm', setup: aPage, target: { ratio: 0.5 } },
  {
    name: 'published page, unchanged (304)',
    setup: async (api) => {
      const spec = await aPage(api);
      return { ...spec, headers: { ...spec.headers, 'if-none-match': await api.etagOf(spec) } };
    },
    status: 304,
  },
];
