import type { Api } from '../api.ts';
import { atLeast, atMost, type Bench, type Check } from '../check.ts';
import { median } from '../load.ts';
import { proposeEdit, runConcurrently } from '../change-request.ts';
import { editPage, sizedSpace, spaceOf, type Size, type Space } from '../space.ts';

/** Disjoint from other edits of the same spaces: a repeated edit would change nothing. */
const FIRST_EDIT = 30_000_000;
const CONCURRENCY = 16;
/** Warm-up, as before every row. */
const WARM_UP = 200;
const MERGES = 600;
const MERGES_OF_EACH = 96;
const BEHIND = 1000;
const UPDATES = 10;

const propose = async (api: Api, space: Space, count: number, from: number): Promise<string[]> => {
  const paths: string[] = [];
  const numbers = Array.from({ length: count }, (_each, index) => from + index);
  await runConcurrently(numbers, CONCURRENCY, async (n) => paths.push(await proposeEdit(api, space, n)));
  return paths;
};

const merge = (api: Api) => (path: string) => api.send({ method: 'POST', path: `${path}/merge` });

const mergesPerSecond: Check = {
  name: 'merge of a one-page change, all into one space',
  aim: atLeast(150, '/s'),
  async measure({ api }) {
    const requests = await propose(api, await spaceOf(api, 500), WARM_UP + MERGES, FIRST_EDIT);
    await runConcurrently(requests.slice(0, WARM_UP), CONCURRENCY, merge(api));
    return MERGES / (await runConcurrently(requests.slice(WARM_UP), CONCURRENCY, merge(api)));
  },
};

const mergeBySize: Check = {
  name: 'merge of a one-page change, 10000 pages relative to 100, flat',
  aim: atMost(1.5, 'x'),
  async measure({ api }) {
    const inSize = async (size: Size) => {
      const requests = await propose(api, await sizedSpace(api, size, 'flat'), MERGES_OF_EACH, FIRST_EDIT);
      return runConcurrently(requests, CONCURRENCY, merge(api));
    };
    return (await inSize(10_000)) / (await inSize(100));
  },
};

/** The median time to update change requests after so many edits of one page that they do not touch. */
async function updateBehind(api: Api, behind: number): Promise<number> {
  const space = await spaceOf(api, 20);
  // The page that is edited in the space is not one of those that the requests edit.
  const unedited = { ...space, pages: space.pages.slice(1) };
  const edited = { ...space, pages: space.pages.slice(0, 1) };
  const requests = await propose(api, unedited, UPDATES, FIRST_EDIT);
  const edits = Array.from({ length: behind }, (_each, n) => FIRST_EDIT + n);
  await runConcurrently(edits, CONCURRENCY, (n) => api.send(editPage(edited, n)));
  const times: number[] = [];
  for (const path of requests) {
    const startedAt = performance.now();
    await api.send({ method: 'POST', path: `${path}/update` });
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const updateFarBehind: Check = {
  name: `update of a request ${BEHIND} revisions behind, relative to one behind`,
  aim: atMost(1.5, 'x'),
  measure: async ({ api }) => {
    // Warm-up.
    await updateBehind(api, 1);
    return (await updateBehind(api, BEHIND)) / (await updateBehind(api, 1));
  },
};

const PDF_PAGES = 50;

async function pdfSeconds({ api }: Bench, spaceId: string): Promise<number> {
  const startedAt = performance.now();
  await api.send({ path: `/v1/spaces/${spaceId}/pdf` });
  return (performance.now() - startedAt) / 1000;
}

const pdfFirst: Check = {
  name: `PDF of ${PDF_PAGES} pages, uncached`,
  aim: atMost(3, 's'),
  measure: async (bench) => pdfSeconds(bench, (await spaceOf(bench.api, PDF_PAGES)).id),
};

const pdfAgain: Check = {
  name: `PDF of ${PDF_PAGES} pages, cached`,
  aim: atMost(0.05, 's'),
  async measure(bench) {
    const { id } = await spaceOf(bench.api, PDF_PAGES);
    await pdfSeconds(bench, id);
    return median([await pdfSeconds(bench, id), await pdfSeconds(bench, id), await pdfSeconds(bench, id)]);
  },
};

export const requestChecks: readonly Check[] = [
  mergesPerSecond,
  mergeBySize,
  updateFarBehind,
  pdfFirst,
  pdfAgain,
];
