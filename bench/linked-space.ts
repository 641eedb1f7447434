import type { Api } from './api.ts';
import { shared } from './row.ts';
import { createSpace, type Space } from './space.ts';

const PAGES = 10_000;
const BATCH = 200;
/** Pages that many others link to: tables of contents, glossaries. */
const HUBS = 20;
/** Every so many pages, one link is broken. */
const BROKEN_EVERY = 50;

/**
 * The text of the n-th page, with five links: to a hub, to a heading of the page before, to two other pages, and to a URL.
 * Links to pages of later batches are written before their targets exist.
 */
function linkedText(n: number): string {
  const page = (index: number) => `/pages/page-${((index % PAGES) + PAGES) % PAGES}`;
  const missing = n % BROKEN_EVERY === 0 ? ` [missing](/pages/missing-${n})` : '';
  return `## Section

See [hub](${page(n % HUBS)}), [before](${page(n - 1)}#section), [next](${page(n + 1)}), [other](${page(n * 7919)})
and [site](https://example.com/${n % 1000}).${missing}
`;
}

async function createLinkedSpace(api: Api): Promise<Space> {
  const id = await createSpace(api);
  const pages: string[] = [];
  while (pages.length < PAGES) {
    const changes = Array.from({ length: BATCH }, (_each, i) => ({
      operation: 'insert_page',
      title: `Page ${pages.length + i}`,
      document: { markdown: linkedText(pages.length + i) },
    }));
    const { changes: done } = await api.send<{ changes: { page: { id: string } }[] }>({
      method: 'POST',
      path: `/v1/spaces/${id}/content`,
      body: { changes },
    });
    pages.push(...done.map(({ page }) => page.id));
  }
  return { id, pages };
}

/** A space of 10,000 short pages with 50,000 links. Read-only, so that it can be shared. */
export const linkedSpace = shared(createLinkedSpace);
