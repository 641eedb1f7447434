import type { DocumentPage } from '../../content-engine/tree/index.ts';
import { pauseBetweenSlices } from '../../platform/threads/slices.ts';
import type { OpenSpace } from '../read/open-space.ts';
import type { SiteReader } from '../read/site-reader.ts';

export interface SitePage {
  readonly space: OpenSpace;
  readonly page: DocumentPage;
}

/** The spaces of a site for a visitor, in the order of the site. A space that the site shows twice comes once. */
export async function* siteSpaces(reader: SiteReader): AsyncGenerator<OpenSpace> {
  const seen = new Set<string>();
  for (const siteSpace of reader.siteSpaces) {
    if (seen.has(siteSpace.spaceId)) continue;
    seen.add(siteSpace.spaceId);
    yield reader.open(siteSpace);
  }
}

/** Their listed pages. */
export async function* sitePages(reader: SiteReader): AsyncGenerator<SitePage> {
  // Content in the cache is read without waiting for anything.
  const pause = pauseBetweenSlices();
  for await (const space of siteSpaces(reader)) {
    for (const page of space.pages.documents) {
      await pause();
      yield { space, page };
    }
  }
}
