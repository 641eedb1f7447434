import type { Api } from './api.ts';
import { edited, pageAt, parentsIn, type PageText, type Shape } from './corpus.ts';
import { shared, type Ask } from './row.ts';

/** A space with content; `pages` are the ids, in the order of the corpus. */
export interface Space {
  readonly id: string;
  readonly pages: readonly string[];
}

interface Edited {
  readonly changes: readonly { readonly page: { readonly id: string } }[];
}

const BATCH = 50;

/** An empty space that may be written to, in an organization of its own: what it stores is its own too. */
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
export async function spaceOf(api: Api, count: number, shape: Shape = 'flat'): Promise<Space> {
  const id = await createSpace(api);
  const parents = parentsIn(shape, count);
  const pages: string[] = [];
  while (pages.length < count) {
    const start = pages.length;
    const changes = parents.slice(start, start + BATCH).map((parent, index) => ({
      ...insertion(pageAt(start + index)),
      ref: refOf(start + index),
      // A page of the same batch has no id yet.
      ...(parent === undefined ? {} : { into: pages[parent] ?? refOf(parent) }),
    }));
    const done = await api.send<Edited>(batch(id, changes));
    pages.push(...done.changes.map(({ page }) => page.id));
  }
  return { id, pages };
}

const refOf = (n: number): string => `page-${n}`;

const insertion = ({ title, markdown }: PageText) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
});

const batch = (spaceId: string, changes: readonly object[]): Ask => ({
  method: 'POST',
  path: `/v1/spaces/${spaceId}/content`,
  body: { changes },
});

export const insertPage = (spaceId: string, page: PageText): Ask => batch(spaceId, [insertion(page)]);

const ABREAST = 8;

/** So many edits, a request each, from the given one on. */
export async function makeEdits(api: Api, space: Space, from: number, count: number): Promise<void> {
  for (let done = 0; done < count; done += ABREAST) {
    const some = Math.min(ABREAST, count - done);
    await Promise.all(Array.from({ length: some }, (_each, i) => api.send(editPage(space, from + done + i))));
  }
}

/** A prime number: one edit after another is of a page far from the one before, and all get their turn. */
const STEP = 7919;

/** What the n-th edit of a space with so many pages is: which page, and the text it gets. No two are the same. */
export function editAt(pages: number, n: number): { readonly page: number; readonly markdown: string } {
  const page = (n * STEP) % pages;
  return { page, markdown: edited(pageAt(page).markdown, n) };
}

export function editPage({ id, pages }: Space, n: number): Ask {
  const { page, markdown } = editAt(pages.length, n);
  return batch(id, [{ operation: 'update_page', page: pages[page], document: { markdown } }]);
}

export const readPage = (spaceId: string, pageId = ''): Ask => ({
  path: `/v1/spaces/${spaceId}/content/page/${pageId}`,
});

/** To be read only: all that need no more than this share it. */
export const thousandPages = shared((api) => spaceOf(api, 1000));

/** Sizes that are compared with each other, each in both shapes; the same spaces for all that asks for them. */
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
