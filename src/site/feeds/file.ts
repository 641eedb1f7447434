import { findFile, findPage } from '../../content-engine/tree/index.ts';
import { answerFile } from '../../domains/content/index.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import { cachedOr } from '../serve/cached-page.ts';
import { renderSitePage } from '../serve/render-page.ts';
import { cacheControlOf, headersOf, type SiteRequest } from '../serve/request.ts';

/**
 * A file, for those who may read the page that shows it, and as long as it shows it: one that is hidden from a visitor by a
 * condition is not found. `rest` is site space, page, space of the file, file and name.
 */
export async function serveFile(request: SiteRequest, rest: string): Promise<PageAnswer | undefined> {
  const [siteSpaceId, pageId = '', spaceId = '', fileId = ''] = rest.split('/');
  const { reader, addresses, visit } = request;
  const siteSpace = reader.siteSpaces.find(({ id }) => id === siteSpaceId);
  if (!siteSpace) return undefined;
  const space = await reader.open(siteSpace);
  const page = findPage(space.tree, pageId);
  if (page?.type !== 'document' || !space.pages.mayRead(pageId)) return undefined;
  const path = addresses.page(space, pageId).slice(addresses.basePath.length);
  const shown = await cachedOr(request, `html ${path}`, () =>
    renderSitePage({ ...request, assets: visit.ctx.caches.sites.assets(), space, page }),
  );
  const owner = reader.placeOf(spaceId, space.siteSpace);
  if (!owner || !shown.files.has(`${spaceId}/${fileId}`)) return undefined;
  const file = findFile((await reader.open(owner)).tree, fileId);
  if (!file) return undefined;
  const isPinned = visit.query.get('v') === file.hash.slice(0, 8);
  const cacheControl = cacheControlOf(request);
  // The address changes with the bytes, so that public copies may be kept.
  const kept =
    cacheControl.startsWith('public') && isPinned ? 'public, max-age=31536000, immutable' : cacheControl;
  const answer = await answerFile(visit.ctx, { spaceId, ...file }, visit.headers, kept);
  return { ...answer, headers: { ...headersOf(request), ...answer.headers } };
}
