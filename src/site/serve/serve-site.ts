import { recordView } from '../../domains/insights/index.ts';
import type { PageAnswer, Visit } from '../../platform/http/page.ts';
import { servesFeed, serveFeed } from '../feeds/index.ts';
import type { CachedPage } from '../read/caches.ts';
import type { ServedSite } from '../read/find-site.ts';
import { locate } from '../read/locate.ts';
import { currentVisitor, openPreview } from '../read/preview.ts';
import { UNADMITTED } from '../read/visitor.ts';
import { answerAccess, answerFailure, answerNotFound } from './answer-page.ts';
import { cachedOr, findCached } from './cached-page.ts';
import { keepAnswer } from './ready-answers.ts';
import { markdownPage } from './markdown-page.ts';
import { prefersMarkdown } from './negotiate.ts';
import { renderSitePage } from './render-page.ts';
import { answerWith, redirectTo, siteRequest, type SiteRequest } from './request.ts';
import { takeTokens } from './tokens.ts';

/** From a path of a site and its visitor to a response. */
export async function serveSite(visit: Visit, served: ServedSite): Promise<PageAnswer> {
  const { ctx } = visit;
  const { site, path } = served;
  const taken = await takeTokens(visit, served);
  if (taken) return taken;
  const visitor = await currentVisitor(ctx, site, visit.cookies);
  const previewed = visitor.previewer === undefined ? served : await openPreview(ctx, served, visitor);
  if (!previewed) return answerAccess(await siteRequest(visit, served, UNADMITTED), 'not-published');
  const request = await siteRequest(visit, previewed, visitor);
  if (visitor.refusal) return answerAccess(request, visitor.refusal);
  if (servesFeed(path)) return (await serveFeed(request)) ?? answerNotFound(request, undefined);
  const wantsMarkdown = prefersMarkdown(visit.headers['accept']);
  // Only canonical paths have an entry, so this needs no tree.
  const warm = findCached(request, `${wantsMarkdown ? 'markdown' : 'html'} ${path}`);
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
      await cachedOr(request, `markdown ${path}`, () => markdownPage(request, space, page)),
    );
  const render = () => renderSitePage({ ...request, assets: ctx.caches.sites.assets(), space, page });
  let rendered: CachedPage;
  try {
    rendered = await cachedOr(request, `html ${path}`, render);
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
