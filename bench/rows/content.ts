import { apiReference } from '../api-reference.ts';
import type { Api } from '../api.ts';
import { makePage, pageAt, type Shape } from '../corpus.ts';
import type { RequestSpec, Row } from '../row.ts';
import {
  createSpace,
  editPage,
  insertPage,
  readPage,
  SHAPES,
  sizedSpace,
  thousandPages,
  type Size,
  type Space,
} from '../space.ts';

async function onePage(api: Api): Promise<RequestSpec> {
  const spaceId = await createSpace(api);
  const { changes } = await api.send<{ changes: { page: { id: string } }[] }>(
    insertPage(spaceId, makePage(0, 4000)),
  );
  return readPage(spaceId, changes[0]?.page.id);
}

async function unchangedPage(api: Api): Promise<RequestSpec> {
  const spec = await onePage(api);
  return { ...spec, headers: { 'if-none-match': await api.etagOf(spec) } };
}

const UNCHANGED = { name: 'page by id, unchanged (304)', setup: unchangedPage, status: 304 };

/** In every space the same number of pages: a hundred, evenly spread. */
const READ_PAGES = 100;
const readSome = ({ id, pages }: Space, n: number): RequestSpec =>
  readPage(id, pages[(n % READ_PAGES) * (pages.length / READ_PAGES)]);

/** The same in a small and in a large space: the cost must not depend on the size. */
function rowsBySize(what: string, shape: Shape, spec: (space: Space, n: number) => RequestSpec): Row[] {
  const nameOf = (size: Size) => `${what} in ${size} pages, ${shape}`;
  const rowFor = (size: Size): Row => ({
    name: nameOf(size),
    setup: async (api) => {
      const space = await sizedSpace(api, size, shape);
      return (n) => spec(space, n);
    },
  });
  return [rowFor(100), { ...rowFor(10_000), target: { relativeTo: [nameOf(100), 1.5] } }];
}

export const contentRows: readonly Row[] = [
  { name: 'page by id, 4 kB', setup: onePage, cache: 'on', target: { ratio: 0.3 } },
  { name: 'page by id, 4 kB', setup: onePage, cache: 'off' },
  { ...UNCHANGED, cache: 'on', target: { ratio: 0.35 } },
  { ...UNCHANGED, cache: 'off', target: { ratio: 0.15 } },
  {
    name: 'content/pages of 1000 pages',
    setup: async (api) => ({ path: `/v1/spaces/${(await thousandPages(api)).id}/content/pages` }),
    target: { ratio: 0.4 },
  },
  {
    name: 'content/pages of 1,000 computed pages',
    setup: async (api) => ({ path: `/v1/spaces/${(await apiReference(api)).id}/content/pages` }),
    target: { ratio: 0.3 },
  },
  ...SHAPES.flatMap((shape) => rowsBySize('read page', shape, readSome)),
  ...SHAPES.flatMap((shape) => rowsBySize('edit page', shape, editPage)),
  {
    name: 'insert page, 3.3 kB, all into one space',
    setup: async (api) => {
      const spaceId = await createSpace(api);
      return (n) => insertPage(spaceId, pageAt(n));
    },
    target: { perSecond: 300 },
  },
];
