import { findPage } from '../../content-engine/tree/index.ts';
import { RATINGS, recordFeedback } from '../../domains/insights/index.ts';
import { forbidden } from '../../platform/api/errors.ts';
import { hostOf } from '../../platform/http/receive/host.ts';
import type { PageAnswer, Visit } from '../../platform/http/pages/page.ts';
import { renderFeedbackReceived } from '../index.ts';
import type { ServedSite } from '../read/find-site.ts';
import { identifyVisitor } from '../read/visitor.ts';
import { answerAccess, answerHtml, answerNotFound, framedView } from './answer-page.ts';
import { siteRequest } from './request.ts';

/** "Was this page helpful": of a page that the visitor may read. Nothing of the visitor is stored. */
export async function takeFeedback(visit: Visit, served: ServedSite): Promise<PageAnswer | undefined> {
  const { ctx } = visit;
  requireSameOrigin(visit.headers);
  const form = visit.form();
  const visitor = await identifyVisitor(ctx, served.site, visit.cookies);
  // A preview shows what may not be published, and is not rated.
  if (visitor.previewer !== undefined || visitor.refusal === 'not-published') return undefined;
  const request = await siteRequest(visit, served, visitor);
  if (visitor.refusal) return answerAccess(request, visitor.refusal);
  const { reader, addresses, site } = request;
  const siteSpace = reader.siteSpaces.find(({ id }) => id === form.get('space'));
  const space = siteSpace && (await reader.open(siteSpace));
  const page = space && findPage(space.tree, form.get('page') ?? '');
  const isOpen = (await reader.customizationOf(siteSpace)).feedback.enabled;
  if (!space || !page || !space.pages.mayRead(page.id) || !isOpen) return answerNotFound(request, siteSpace);
  const rating = RATINGS.find((each) => each === form.get('rating'));
  const { view } = await framedView(request, siteSpace);
  if (!rating)
    return answerHtml(request, view, renderFeedbackReceived(view, addresses.page(space, page.id)), 400);
  const place = { siteId: site.id, spaceId: space.siteSpace.spaceId, pageId: page.id };
  recordFeedback(
    ctx.caches.insights,
    { ...place, rating, comment: form.get('comment') ?? undefined },
    ctx.now(),
  );
  return answerHtml(request, view, renderFeedbackReceived(view, addresses.page(space, page.id)), 200);
}

/**
 * A form of another site would rate in the name of its readers. Browsers say where a request comes from; older ones send its
 * origin, which is `null` for a form of a page without referrer, as ours are.
 */
function requireSameOrigin(headers: Visit['headers']): void {
  const { origin, 'sec-fetch-site': from } = headers;
  const isOwn =
    from === undefined
      ? origin === undefined || origin === 'null' || hostOf({ host: hostIn(origin) }) === hostOf(headers)
      : from === 'same-origin' || from === 'none';
  if (!isOwn) throw forbidden('Feedback is accepted from the pages of this site alone.');
}

const hostIn = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : '');
