import { pathOf, type DocumentPage } from '../../../content-engine/tree/index.ts';
import type { HeadView } from '../../model.ts';
import type { SiteAddresses } from '../../read/addresses.ts';
import { pageAt } from '../../read/locate.ts';
import type { OpenSpace } from '../../read/pages/open-space.ts';
import type { Revisions } from '../../read/pages/other-spaces.ts';
import type { SiteReader } from '../../read/site-reader.ts';

interface Alternates {
  readonly alternates: HeadView['alternates'];
  readonly revisions: Revisions;
}

/**
 * Finds the same page in the variants of its section that have a language. One variant after another, and only the addresses
 * are kept: the trees of all variants do not fit into memory together.
 */
export async function findAlternates(
  reader: SiteReader,
  addresses: SiteAddresses,
  space: OpenSpace,
  page: DocumentPage,
): Promise<Alternates> {
  const variants = reader
    .spacesOf(reader.site.sectionOf(space.siteSpace))
    .filter(({ language }) => language !== null);
  if (variants.length < 2) return { alternates: [], revisions: new Map() };
  const segments = (pathOf(space.tree, page.id) ?? '').split('/');
  const alternates: { language: string; href: string }[] = [];
  for (const siteSpace of variants) {
    const variant = await reader.open(siteSpace);
    const same = pageAt(variant, segments);
    if (same && siteSpace.language !== null)
      alternates.push({
        language: siteSpace.language,
        href: addresses.absolute(addresses.page(variant, same.id)),
      });
  }
  return {
    alternates: alternates.length > 1 ? alternates : [],
    revisions: new Map(variants.map(({ spaceId, revisionId }) => [spaceId, revisionId])),
  };
}
