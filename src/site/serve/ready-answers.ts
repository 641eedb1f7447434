import { recordView } from '../../domains/insights/index.ts';
import { preferredEncoding, refusesPlain } from '../../platform/http/answer/accept-encoding.ts';
import type { PageAnswer, RawRequest } from '../../platform/http/pages/page.ts';
import type { Recall } from '../../platform/http/pages/ready-answers.ts';
import { isShared, type SiteRequest } from './request.ts';
import type { CachedPage } from '../read/caches.ts';
import { canonicalPath } from '../read/locate.ts';
import { siteKey } from '../read/published-site.ts';
import { COOKIE_PREFIX } from '../read/visitor.ts';
import { prefersMarkdown } from './negotiate.ts';

/** Undefined for requests that bring something about their visitor, or ask for another form. */
function keyOf({ url, headers }: RawRequest): string | undefined {
  if (url.includes('?') || headers['cookie']?.includes(COOKIE_PREFIX)) return undefined;
  if (prefersMarkdown(headers['accept'])) return undefined;
  const accepted = headers['accept-encoding'];
  // The answer to others may be a plain body.
  if (refusesPlain(accepted)) return undefined;
  const encoding = preferredEncoding(accepted);
  return `${headers['host']} ${encoding} ${url}`;
}

/** Most readers of a public site get the same bytes: they need neither its rows nor its tree. */
export const recallAnswer: Recall = (ctx, request, age) => {
  const { rows, ready } = ctx.caches.sites;
  const key = keyOf(request);
  const found = key === undefined ? undefined : ready.get(key);
  if (!found || (age === 'current' && rows.begin() === undefined)) return undefined;
  const { site, page, answer } = found;
  if (rows.get(siteKey(site.id)) !== site) return undefined;
  if (page) recordView(ctx.caches.insights, { siteId: site.id, ...page }, ctx.now());
  return answer;
};

export function keepAnswer(
  { site, visit, reader, path }: SiteRequest,
  page: CachedPage['page'],
  answer: PageAnswer,
): void {
  if (!isShared({ site }) || reader.visitor.previewer !== undefined) return;
  // A path has one spelling here, too.
  const canonical = canonicalPath(path);
  if (visit.path !== canonical && visit.path !== `/${encodeURIComponent(site.basename)}${canonical}`) return;
  const key = keyOf(visit);
  if (key !== undefined) visit.ctx.caches.sites.ready.set(key, { site, page, answer });
}
