import { recordView } from '../../domains/insights/index.ts';
import type { PageAnswer, Visit } from '../../platform/http/pages/page.ts';
import { servesFeed, serveFeed } from '../feeds/index.ts';
import type { CachedPage } from '../read/caches.ts';
import type { ServedSite } from '../read/find-site.ts';
import { canonicalPath, locate } from '../read/locate.ts';
import { currentVisitor, openPreview } from '../read/preview.ts';
import { answerAccess, answerFailure, answerNotFound } from './answer-page.ts';
import { cachedOr, findCached } from './cached-page.ts';
import { keepAnswer } from './ready-answers.ts';
import { prefersMarkdown } from './negotiate.ts';
import { markdownPage, renderSitePage } from './render-page.ts';
import { answerWith, redirectTo, siteRequest, type SiteRequest } from './request.ts';
import { takeTokens } from './tokens.ts';

/** Answers a request of a visitor to a path of a site. Undefined: for this visitor, there is no site. */
export async function serveSite(visit: Visit, served: ServedSite): Promise<PageAnswer | undefined> {
  const { ctx } = visit;
  const { site, path } = served;
  // One entry for all spellings of a path.
  const entry = canonicalPath(path);
  const taken = await takeTokens(visit, served);
  if (taken) return taken;
  const visitor = await currentVisitor(ctx, site, visit.cookies);
  const previewed = visitor.previewer === undefined ? served : await openPreview(ctx, served, visitor);
  if (!previewed || visitor.refusal === 'not-published') return undefined;
  const request = await siteRequest(visit, previewed, visitor);
  // The conditions of a site may take long for a new class of visitors.
  visit.signal.throwIfAborted();
  if (visitor.refusal) return answerAccess(request, visitor.refusal);
  if (servesFeed(path)) return (await serveFeed(request)) ?? answerNotFound(request, undefined);
  const wantsMarkdown = prefersMarkdown(visit.headers['accept']);
  // Only paths of pages have an entry, so this needs no tree.
  const warm = findCached(request, `${wantsMarkdown ? 'markdown' : 'html'} ${entry}`);
  if (warm) return answerView(request, warm);
  const located = await locate(ctx, request.reader, request.addresses, path);
  if (located.kind === 'missing') return answerNotFound(request, located.siteSpace);
  if (located.kind === 'redirect') {
    const search = visit.query.toString();
    return redirectTo(located.href + (search === '' ? '' : `?${search}`));
  }
  const { space, page } = located;
  if (located.format === 'markdown' || wantsMarkdown)
    return answerView(
      request,
      await cachedOr(request, `markdown ${entry}`, () => markdownPage(request, space, page)),
    );
  const render = () => renderSitePage({ ...request, assets: ctx.caches.sites.assets(), space, page });
  let rendered: CachedPage;
  try {
    rendered = await cachedOr(request, `html ${entry}`, render);
  } catch (error) {
    return answerFailure(request, space.siteSpace, error);
  }
  return answerView(request, rendered);
}

/** Counts the view. Nothing of the visitor is kept. */
async function answerView(request: SiteRequest, prepared: CachedPage): Promise<PageAnswer> {
  const { ctx } = request.visit;
  if (prepared.page && !request.addresses.preview)
    recordView(ctx.caches.insights, { siteId: request.site.id, ...prepared.page }, ctx.now());
  const answer = await answerWith(request, prepared);
  keepAnswer(request, prepared.page, answer);
  return answer;
}
