import type { Api } from './api.ts';
import { edited, makePage, pageAt, parentsIn, type PageText, type Shape } from './corpus.ts';
import { shared, type RequestSpec } from './row.ts';

/** A space with content; `pages` are the ids, in the order of the corpus. */
export interface Space {
  readonly id: string;
  readonly pages: readonly string[];
}

interface Edited {
  readonly changes: readonly { readonly page: { readonly id: string } }[];
}

const BATCH = 50;

/** An empty, editable space in a new organization, which shares no storage with others. */
export async function createSpace(api: Api): Promise<string> {
  const path = `/v1/orgs/${await api.createOrganization()}/spaces`;
  const { id } = await api.send<{ id: string }>({
    method: 'POST',
    path,
    body: { title: 'Measured', editMode: 'live' },
  });
  return id;
}

/** A space with the first pages of the corpus. */
export const spaceOf = (api: Api, count: number, shape: Shape = 'flat'): Promise<Space> =>
  spaceWith(api, parentsIn(shape, count), pageAt);

/** A space with pages of this length on one level. */
export const pagesOfBytes = (api: Api, count: number, bytes: number): Promise<Space> =>
  spaceWith(api, parentsIn('flat', count), (n) => makePage(n, bytes));

async function spaceWith(
  api: Api,
  parents: readonly (number | undefined)[],
  textAt: (n: number) => PageText,
): Promise<Space> {
  const count = parents.length;
  const id = await createSpace(api);
  const pages: string[] = [];
  while (pages.length < count) {
    const start = pages.length;
    const changes = parents.slice(start, start + BATCH).map((parent, index) => ({
      ...insertion(textAt(start + index)),
      ref: refOf(start + index),
      // A page of the same batch has no id yet.
      ...(parent === undefined ? {} : { into: pages[parent] ?? refOf(parent) }),
    }));
    const created = await api.send<Edited>(batch(id, changes));
    pages.push(...created.changes.map(({ page }) => page.id));
  }
  return { id, pages };
}

const refOf = (n: number): string => `page-${n}`;

const insertion = ({ title, markdown }: PageText) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
});

const batch = (spaceId: string, changes: readonly object[]): RequestSpec => ({
  method: 'POST',
  path: `/v1/spaces/${spaceId}/content`,
  body: { changes },
});

export const insertPage = (spaceId: string, page: PageText): RequestSpec => batch(spaceId, [insertion(page)]);

const CONCURRENCY = 8;

/** Makes so many edits, one request each, starting at `from`. */
export async function makeEdits(api: Api, space: Space, from: number, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += CONCURRENCY) {
    const batchSize = Math.min(CONCURRENCY, count - sent);
    await Promise.all(
      Array.from({ length: batchSize }, (_each, i) => api.send(editPage(space, from + sent + i))),
    );
  }
}

/** A prime number: consecutive edits are far apart, and every page is edited in turn. */
const STEP = 7919;

/** The n-th edit of a space with so many pages: the page and its new text. No two are the same. */
export function editAt(pages: number, n: number): { readonly page: number; readonly markdown: string } {
  const page = (n * STEP) % pages;
  return { page, markdown: edited(pageAt(page).markdown, n) };
}

export function editPage({ id, pages }: Space, n: number): RequestSpec {
  const { page, markdown } = editAt(pages.length, n);
  return batch(id, [{ operation: 'update_page', page: pages[page], document: { markdown } }]);
}

export const readPage = (spaceId: string, pageId = ''): RequestSpec => ({
  path: `/v1/spaces/${spaceId}/content/page/${pageId}`,
});

/** Read-only, so that it can be shared. */
export const thousandPages = shared((api) => spaceOf(api, 1000));

/** Sizes that are compared with each other, each in both shapes; the spaces are shared. */
export const SIZES = [100, 10_000] as const;
export const SHAPES: readonly Shape[] = ['flat', '8 deep'];
export type Size = (typeof SIZES)[number];

const sized = new Map(
  SHAPES.flatMap((shape) =>
    SIZES.map((size) => [`${size} ${shape}`, shared((api) => spaceOf(api, size, shape))] as const),
  ),
);

export const sizedSpace = (api: Api, size: Size, shape: Shape): Promise<Space> =>
  (sized.get(`${size} ${shape}`) as (api: Api) => Promise<Space>)(api);
