import type { Api } from '../api.ts';
import { atMost, type Check } from '../check.ts';
import { median } from '../load.ts';
import { pageRequest, publishSite } from '../published-site.ts';
import { editPage, pagesOfBytes, sizedSpace } from '../space.ts';

const PAGES = 200;
const PAGE_BYTES = 4000;
/** In the space of 10,000 pages, which other checks edit too. */
const FIRST_EDIT = 70_000_000;
const EDITS = 20;

const timeOf = async (api: Api, path: string): Promise<number> => {
  const startedAt = performance.now();
  await api.bytesOf(pageRequest(path));
  return performance.now() - startedAt;
};

/** Each page once, with its compression: nothing of it was rendered before. */
async function timesOf(api: Api, paths: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const path of paths) times.push(await timeOf(api, path));
  return median(times);
}

const cold: Check = {
  name: 'published page, cold, 4 kB Markdown',
  aim: atMost(15, 'ms'),
  async measure({ api }) {
    return timesOf(api, (await publishSite(api, await pagesOfBytes(api, PAGES, PAGE_BYTES))).pages);
  },
};

const coldInLargeSite: Check = {
  name: 'published page, cold, in a site of 10000 pages',
  aim: atMost(15, 'ms'),
  async measure({ api }) {
    const { pages } = await publishSite(api, await sizedSpace(api, 10_000, '8 deep'));
    return timesOf(
      api,
      pages.filter((_page, n) => n % (pages.length / PAGES) === 0),
    );
  },
};

/** The reader after an edit: the tree of the new revision is read, and the page rendered. */
const afterEdit: Check = {
  name: 'published page, first after an edit, in a site of 10000 pages',
  aim: atMost(100, 'ms'),
  async measure({ api }) {
    const space = await sizedSpace(api, 10_000, '8 deep');
    const { pages } = await publishSite(api, space);
    const times: number[] = [];
    for (let n = 0; n < EDITS; n++) {
      await api.send(editPage(space, FIRST_EDIT + n));
      times.push(await timeOf(api, pages[n * EDITS] ?? ''));
    }
    return median(times);
  },
};

export const siteChecks: readonly Check[] = [cold, coldInLargeSite, afterEdit];
