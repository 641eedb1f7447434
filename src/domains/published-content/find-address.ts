import type { Context } from '../../platform/api/context.ts';
import { hostKindOf } from '../../platform/http/receive/host.ts';
import { decodeSegment } from '../redirects/index.ts';
import { homeSite, siteAtHost, siteAtPath, type ServedSite } from '../../site/read/find-site.ts';
import { hasKey } from '../../site/read/visitor.ts';

/** A URL of a site. */
export interface SiteAddress {
  /** Its `path` is without the key. */
  readonly served: ServedSite;
  readonly url: URL;
  /** The path of the site in the URL, with the key of a share link; ends with a slash. */
  readonly siteBasePath: string;
  readonly shareKey: string | undefined;
}

/** The path below the address of the service; undefined for another host. */
export function pathOnService({ addresses }: Pick<Context, 'addresses'>, url: URL): string | undefined {
  const service = new URL(addresses.of('/'));
  if (hostKindOf(url.hostname, service.hostname) === 'site') return undefined;
  const { base } = addresses;
  if (url.pathname === base) return '/';
  return url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : undefined;
}

/** The site at a URL: at its hostname, or at its path on the service, as its pages are found. */
export async function findAddress(ctx: Context, url: URL): Promise<SiteAddress | undefined> {
  const onService = pathOnService(ctx, url);
  const found =
    onService === undefined
      ? await siteAtHost(ctx, url.hostname, url.pathname)
      : onService === '/' && ctx.settings.home
        ? await homeSite(ctx)
        : await siteAtPath(ctx, onService);
  if (!found) return undefined;
  const sent = found.path || '/';
  const [, segment = '', rest = ''] = /^\/([^/]+)(\/.*)?$/s.exec(sent) ?? [];
  const key = decodeSegment(segment);
  const isKey = found.site.visibility === 'share-link' && hasKey(ctx, found.site, key);
  const path = isKey ? rest || '/' : sent;
  const whole = found.path === '' ? `${url.pathname}/` : url.pathname;
  const before = whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : whole;
  return {
    served: { ...found, path },
    url,
    siteBasePath: `${before.replace(/(?<!\/)\/+$/, '')}/`,
    shareKey: isKey ? key : undefined,
  };
}
