import type { Api } from '../api.ts';
import { makePage, pageAt, type Shape } from '../corpus.ts';
import type { Ask, Row } from '../row.ts';
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

async function onePage(api: Api): Promise<Ask> {
  const spaceId = await createSpace(api);
  const { changes } = await api.send<{ changes: { page: { id: string } }[] }>(
    insertPage(spaceId, makePage(0, 4000)),
  );
  return readPage(spaceId, changes[0]?.page.id);
}

async function unchangedPage(api: Api): Promise<Ask> {
  const ask = await onePage(api);
  return { ...ask, headers: { 'if-none-match': await api.etagOf(ask) } };
}

const UNCHANGED = { name: 'page by id, unchanged (304)', setup: unchangedPage, status: 304 };

/** In every space as many different pages: a hundred, evenly spread. */
const READ = 100;
const readSome = ({ id, pages }: Space, n: number): Ask =>
  readPage(id, pages[(n % READ) * (pages.length / READ)]);

/** The same in a small and in a large space: what it costs may not depend on how much there is. */
function inBothSizes(what: string, shape: Shape, ask: (space: Space, n: number) => Ask): Row[] {
  const nameOf = (size: Size) => `${what} in ${size} pages, ${shape}`;
  const rowFor = (size: Size): Row => ({
    name: nameOf(size),
    setup: async (api) => {
      const space = await sizedSpace(api, size, shape);
      return (n) => ask(space, n);
    },
  });
  return [rowFor(100), { ...rowFor(10_000), target: { timesThatOf: [nameOf(100), 1.5] } }];
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
  ...SHAPES.flatMap((shape) => inBothSizes('read page', shape, readSome)),
  ...SHAPES.flatMap((shape) => inBothSizes('edit page', shape, editPage)),
  {
    name: 'insert page, 3.3 kB, all into one space',
    setup: async (api) => {
      const spaceId = await createSpace(api);
      return (n) => insertPage(spaceId, pageAt(n));
    },
    target: { perSecond: 300 },
  },
];
