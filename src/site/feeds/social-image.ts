import { findPage, type DocumentPage } from '../../content-engine/tree/index.ts';
import { policyText, STRICT_POLICY } from '../../platform/api/content-security-policy.ts';
import { etagOf } from '../../platform/api/etag.ts';
import type { PageAnswer } from '../../platform/http/page.ts';
import type { Card } from '../../platform/social-image/legible-parts.ts';
import type { OpenSpace } from '../read/open-space.ts';
import { cachedOr } from '../serve/cached-page.ts';
import { cacheControlOf, headersOf, type SiteRequest } from '../serve/request.ts';
import { cardOf, versionOfCard } from '../serve/social-card.ts';

/** The picture of a page for links to it elsewhere. `rest` is the page, perhaps behind its site space. */
export async function serveSocialImage(request: SiteRequest, rest: string): Promise<PageAnswer | undefined> {
  const { reader, site, visit } = request;
  const [pageId = '', siteSpaceId] = rest.split('/').toReversed();
  const found = await findReadable(request, siteSpaceId, pageId);
  if (!found) return undefined;
  const { space, page } = found;
  const card = cardOf(reader.site, await reader.customizationOf(space.siteSpace), page);
  const { body, etag } = await cachedOr(request, `image ${space.siteSpace.id} ${page.id}`, async () => {
    const png = await visit.ctx.caches.sites.drawings.run(() => draw(card));
    return {
      body: png,
      etag: etagOf(site.version, png),
      type: 'image/png',
      policy: policyText(STRICT_POLICY),
      revisions: new Map([[space.siteSpace.spaceId, space.siteSpace.revisionId]]),
      files: new Set<string>(),
      page: undefined,
    };
  });
  const cacheControl = cacheControlOf(request);
  const isPinned = visit.query.get('v') === versionOfCard(card);
  return {
    status: 200,
    type: 'image/png',
    body,
    etag,
    headers: headersOf(request),
    // The address in pages changes with the picture, so that public copies may be kept.
    cacheControl:
      cacheControl.startsWith('public') && isPinned ? 'public, max-age=31536000, immutable' : cacheControl,
  };
}

/** Loaded with the first picture: the program starts without fonts and image library. */
async function draw(card: Card): Promise<Buffer> {
  const { drawCard } = await import('../../platform/social-image/draw.ts');
  return drawCard(card);
}

async function findReadable(
  { reader }: SiteRequest,
  siteSpaceId: string | undefined,
  pageId: string,
): Promise<{ readonly space: OpenSpace; readonly page: DocumentPage } | undefined> {
  for (const siteSpace of reader.siteSpaces) {
    if (siteSpaceId !== undefined && siteSpace.id !== siteSpaceId) continue;
    const space = await reader.open(siteSpace);
    const page = findPage(space.tree, pageId);
    if (page?.type === 'document' && space.pages.mayRead(pageId)) return { space, page };
  }
  return undefined;
}
