import { findPage, type DocumentPage } from '../../content-engine/tree/index.ts';
import { policyText, STRICT_POLICY } from '../../platform/api/content-security-policy.ts';
import { unavailable } from '../../platform/api/errors.ts';
import { etagOf } from '../../platform/api/etag.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import type { Card } from '../../platform/social-image/legible-parts.ts';
import type { FairQueue } from '../../platform/threads/fair-queue.ts';
import { ThreadError } from '../../platform/threads/index.ts';
import type { OpenSpace } from '../read/pages/open-space.ts';
import { cachedOr } from '../serve/cached-page.ts';
import { cacheControlOf, headersOf, type SiteRequest } from '../serve/request.ts';
import { cardOf, versionOfCard } from '../serve/view/social-card.ts';

/** The picture of a page for links to it elsewhere. `rest` is the page, perhaps behind its site space. */
export async function serveSocialImage(request: SiteRequest, rest: string): Promise<PageAnswer | undefined> {
  const { reader, site, visit } = request;
  const [pageId = '', siteSpaceId] = rest.split('/').toReversed();
  const found = await findReadable(request, siteSpaceId, pageId);
  if (!found) return undefined;
  const { space, page } = found;
  const card = cardOf(reader.site, await reader.customizationOf(space.siteSpace), page);
  // Pictures have a queue of their own: pages do not wait for them.
  visit.turn.end();
  const { body, etag } = await cachedOr(request, `image ${space.siteSpace.id} ${page.id}`, async (signal) => {
    const png = await drawInTurn(request, card, signal);
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

/** Fonts and the image library are loaded with the first picture: the program starts without them. */
async function drawInTurn({ site, visit }: SiteRequest, card: Card, signal: AbortSignal): Promise<Buffer> {
  const release = await acquire(visit.ctx.caches.sites.drawings, site.organization_id, signal);
  try {
    const { drawCard } = await import('../../platform/social-image/draw.ts');
    return await drawCard(card);
  } finally {
    release();
  }
}

async function acquire(drawings: FairQueue, owner: string, signal: AbortSignal): Promise<() => void> {
  try {
    return await drawings.acquire(owner, signal);
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    throw unavailable('Too many pictures of this organization are being drawn. Retry later.', error);
  }
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
