import type { DocumentPage } from '../../content-engine/tree/index.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import type { OpenSpace } from '../read/pages/open-space.ts';
import type { SiteReader } from '../read/site-reader.ts';

export interface SitePage {
  readonly space: OpenSpace;
  readonly page: DocumentPage;
}

/** The spaces of a site for a visitor, in the order of the site. A space that the site shows twice comes once. */
export async function* siteSpaces(reader: SiteReader): AsyncGenerator<OpenSpace> {
  const seen = new Set<string>();
  let pages = 0;
  for (const siteSpace of reader.siteSpaces) {
    if (seen.has(siteSpace.spaceId)) continue;
    seen.add(siteSpace.spaceId);
    const space = await reader.open(siteSpace);
    requireSmall(space, 'items', (pages += space.pages.documents.length));
    yield space;
  }
}

/** Their listed pages, until the clients have left that wait for them. */
export async function* sitePages(reader: SiteReader, signal: AbortSignal): AsyncGenerator<SitePage> {
  for await (const space of siteSpaces(reader)) {
    for (const page of space.pages.documents) {
      signal.throwIfAborted();
      yield { space, page };
    }
  }
}
