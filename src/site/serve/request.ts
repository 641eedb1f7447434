import type { PageAnswer, Visit } from '../../platform/http/pages/page.ts';
import { siteAddresses, type Preview, type SiteAddresses } from '../read/addresses.ts';
import type { CachedPage } from '../read/caches.ts';
import type { ServedSite } from '../read/find-site.ts';
import { siteReader, type SiteReader } from '../read/site-reader.ts';
import type { Visitor } from '../read/visitor.ts';
import { encodedFor } from './encode.ts';
import { policyFor } from './origin.ts';

/** A request to a site by a visitor who may read it. */
export interface SiteRequest extends ServedSite {
  readonly visit: Visit;
  readonly reader: SiteReader;
  readonly addresses: SiteAddresses;
}

export async function siteRequest(
  visit: Visit,
  served: ServedSite & { readonly preview?: Preview },
  visitor: Visitor,
): Promise<SiteRequest> {
  const reader = await siteReader(visit.ctx, served.site, visitor);
  return {
    ...served,
    visit,
    reader,
    addresses: siteAddresses(visit.ctx.addresses, reader, served.basePath, served.preview),
  };
}

/** Whether every visitor gets the same: then shared caches may keep it. */
export const isShared = ({
  site: { visibility, adaptive_content: isAdaptive },
}: Pick<ServedSite, 'site'>): boolean =>
  (visibility === 'public' || visibility === 'unlisted') && !isAdaptive;

/** Caches ask before they use a copy, so that a merge is visible to the next reader. */
export const cacheControlOf = (served: Pick<ServedSite, 'site'>): string =>
  isShared(served) ? 'public, max-age=0, must-revalidate' : 'private, no-cache';

/** Headers of everything that a site answers with. */
export const headersOf = (served: Pick<ServedSite, 'site'>): Record<string, string> => ({
  vary: isShared(served) ? 'Accept-Encoding, Accept' : 'Accept-Encoding, Accept, Cookie',
  ...(served.site.visibility === 'public' ? {} : { 'x-robots-tag': 'noindex' }),
});

/** A prepared response, in the encoding that the client accepts. */
export async function answerWith(
  { site, visit }: Pick<SiteRequest, 'site' | 'visit'>,
  page: CachedPage,
  status = 200,
): Promise<PageAnswer> {
  const { body, encoding } = await encodedFor(page, visit.headers['accept-encoding']);
  return {
    status,
    body,
    type: page.type,
    ...(status === 200 ? { etag: page.etag } : {}),
    cacheControl: status === 200 ? cacheControlOf({ site }) : 'no-cache',
    headers: {
      ...headersOf({ site }),
      'content-security-policy': policyFor(page.policy, visit.headers['host'], visit.ctx.addresses.of('/')),
      ...(encoding ? { 'content-encoding': encoding } : {}),
    },
  };
}

/** Not cached as moved for ever: the page may move back, and another may take its place. */
export const redirectTo = (href: string, status: 301 | 302 = 301): PageAnswer => ({
  status,
  location: href,
  body: '',
  cacheControl: 'no-cache',
});
