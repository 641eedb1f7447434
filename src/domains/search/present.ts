import { countTerms, excerptOf, occurrencesOf, type Term } from '../../content-engine/search/index.ts';
import type { Addresses } from '../../platform/api/context.ts';
import type { ShownRow } from './query-store.ts';

/** A matching page, with a row for each section that is shown. */
export interface Hit {
  readonly rows: readonly ShownRow[];
  readonly terms: readonly Term[];
}

/** Yields between pages: a long list has thousands of excerpts. */
export function* presentPages(hits: readonly Hit[], addresses: Addresses) {
  const pages: ReturnType<typeof presentPage>[] = [];
  for (const hit of hits) {
    pages.push(presentPage(hit, addresses));
    yield;
  }
  return pages;
}

function presentPage({ rows, terms }: Hit, addresses: Addresses) {
  const [page] = rows;
  if (!page) throw new Error('a found page has no row');
  const app = `/app/spaces/${page.space_id}/pages/${page.page_id}`;
  return {
    id: page.page_id,
    title: page.title,
    linkTitle: page.label || undefined,
    path: page.path,
    sections: sectionsIn(rows, terms).map(({ anchor, title, body, places }) => {
      const fragment = anchor === null ? '' : `#${encodeURIComponent(anchor)}`;
      return {
        id: anchor ?? page.page_id,
        title: title || page.title,
        path: page.path + fragment,
        body: excerptOf(body, places),
        urls: { app: addresses.of(app + fragment) },
      };
    }),
    urls: { app: addresses.of(app) },
  };
}

/** Of a long section that is stored in pieces, the one with most of the terms. */
export function sectionsIn(rows: readonly ShownRow[], terms: readonly Term[]) {
  const pieces = rows.flatMap(({ anchor, section_title: title, body }) =>
    body === null ? [] : [{ anchor, title, body, places: occurrencesOf(body, terms) }],
  );
  return pieces.filter((piece, index) =>
    pieces.every((other, at) => {
      if (at === index || other.anchor !== piece.anchor) return true;
      const difference = countTerms(piece.places) - countTerms(other.places);
      return difference > 0 || (difference === 0 && index < at);
    }),
  );
}
