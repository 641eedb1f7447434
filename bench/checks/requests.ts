import type { Api } from '../api.ts';
import { atLeast, atMost, type Bench, type Check } from '../check.ts';
import { median } from '../load.ts';
import { proposeEdit, timed } from '../request.ts';
import { editPage, sizedSpace, spaceOf, type Size, type Space } from '../space.ts';

/** Far behind the edits of others in the same spaces: one that was there already would change nothing. */
const FIRST_EDIT = 30_000_000;
const ABREAST = 16;
/** As before every row: what has run before runs faster. */
const WARM_UP = 200;
const MERGES = 600;
const MERGES_OF_EACH = 96;
const BEHIND = 1000;
const UPDATES = 10;

const propose = async (api: Api, space: Space, count: number, from: number): Promise<string[]> => {
  const paths: string[] = [];
  const numbers = Array.from({ length: count }, (_each, index) => from + index);
  await timed(numbers, ABREAST, async (n) => paths.push(await proposeEdit(api, space, n)));
  return paths;
};

const merge = (api: Api) => (path: string) => api.send({ method: 'POST', path: `${path}/merge` });

const mergesPerSecond: Check = {
  name: 'merge of a one-page change, all into one space',
  aim: atLeast(150, '/s'),
  async measure({ api }) {
    const requests = await propose(api, await spaceOf(api, 500), WARM_UP + MERGES, FIRST_EDIT);
    await timed(requests.slice(0, WARM_UP), ABREAST, merge(api));
    return MERGES / (await timed(requests.slice(WARM_UP), ABREAST, merge(api)));
  },
};

const mergeInBothSizes: Check = {
  name: 'merge of a one-page change in 10000 pages, of that in 100, flat',
  aim: atMost(1.5, 'x'),
  async measure({ api }) {
    const inSize = async (size: Size) => {
      const requests = await propose(api, await sizedSpace(api, size, 'flat'), MERGES_OF_EACH, FIRST_EDIT);
      return timed(requests, ABREAST, merge(api));
    };
    return (await inSize(10_000)) / (await inSize(100));
  },
};

/** The median time that requests take to be updated after so many edits of one page that they do not touch. */
async function updateBehind(api: Api, behind: number): Promise<number> {
  const space = await spaceOf(api, 20);
  // The page that is edited behind their backs is not among those that they edit.
  const others = { ...space, pages: space.pages.slice(1) };
  const edited = { ...space, pages: space.pages.slice(0, 1) };
  const requests = await propose(api, others, UPDATES, FIRST_EDIT);
  const edits = Array.from({ length: behind }, (_each, n) => FIRST_EDIT + n);
  await timed(edits, ABREAST, (n) => api.send(editPage(edited, n)));
  const times: number[] = [];
  for (const path of requests) {
    const begun = performance.now();
    await api.send({ method: 'POST', path: `${path}/update` });
    times.push(performance.now() - begun);
  }
  return median(times);
}

const updateFarBehind: Check = {
  name: `update of a request behind by ${BEHIND} revisions, of that behind by one`,
  aim: atMost(1.5, 'x'),
  measure: async ({ api }) => {
    // Once for nothing: what runs for the first time is slower.
    await updateBehind(api, 1);
    return (await updateBehind(api, BEHIND)) / (await updateBehind(api, 1));
  },
};

const PDF_PAGES = 50;

async function pdfSeconds({ api }: Bench, spaceId: string): Promise<number> {
  const begun = performance.now();
  await api.send({ path: `/v1/spaces/${spaceId}/pdf` });
  return (performance.now() - begun) / 1000;
}

const pdfFirst: Check = {
  name: `PDF of ${PDF_PAGES} pages, the first time`,
  aim: atMost(3, 's'),
  measure: async (bench) => pdfSeconds(bench, (await spaceOf(bench.api, PDF_PAGES)).id),
};

const pdfAgain: Check = {
  name: `PDF of ${PDF_PAGES} pages, from the cache`,
  aim: atMost(0.05, 's'),
  async measure(bench) {
    const { id } = await spaceOf(bench.api, PDF_PAGES);
    await pdfSeconds(bench, id);
    return median([await pdfSeconds(bench, id), await pdfSeconds(bench, id), await pdfSeconds(bench, id)]);
  },
};

export const requestChecks: readonly Check[] = [
  mergesPerSecond,
  mergeInBothSizes,
  updateFarBehind,
  pdfFirst,
  pdfAgain,
];
