import { createSharedWork } from '../../platform/shared-work.ts';
import type { CachedPage } from '../read/caches.ts';
import { SPECIFICATIONS } from '../read/published-site.ts';
import type { SiteRequest } from './request.ts';

/** Covers all inputs of a response besides the revisions, which it records itself. */
const keyOf = ({ site, reader, basePath }: SiteRequest, what: string): string =>
  `${site.id} ${site.version} ${reader.visitor.class} ${basePath} ${what}`;

/** A response that was made before, if its spaces still show the same revisions. */
export function findCached(request: SiteRequest, what: string): CachedPage | undefined {
  const { pages } = request.visit.ctx.caches.sites;
  const key = keyOf(request, what);
  const cached = pages.get(key);
  if (!cached) return undefined;
  const shown = new Map(request.site.site_spaces.map(({ spaceId, revisionId }) => [spaceId, revisionId]));
  shown.set(SPECIFICATIONS, request.site.specifications);
  const isCurrent = [...cached.revisions].every(([spaceId, revisionId]) => shown.get(spaceId) === revisionId);
  if (isCurrent) return cached;
  pages.delete(key);
  return undefined;
}

/**
 * Requests that come while a response is being made wait for it: a page that is expensive is made once. When the last of their
 * clients has left, the signal of `make` is aborted.
 */
export async function cachedOr(
  request: SiteRequest,
  what: string,
  make: (signal: AbortSignal) => Promise<CachedPage>,
): Promise<CachedPage> {
  const cached = findCached(request, what);
  if (cached) return cached;
  const { pages, making } = request.visit.ctx.caches.sites;
  const key = keyOf(request, what);
  // Shared by the row of the site: work that began before a change is not shared with requests after it.
  const shared = making.get(request.site) ?? createSharedWork<CachedPage>();
  making.set(request.site, shared);
  return shared(key, request.visit.signal, async (signal) => {
    const page = await make(signal);
    pages.set(key, page);
    return page;
  });
}
