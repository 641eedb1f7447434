import type { Context } from '../../platform/api/context.ts';
import { hostKindOf } from '../../platform/http/host.ts';
import { badRequest } from '../../platform/api/errors.ts';
import { decoded, homeSite, siteAtHost, siteAtPath, type ServedSite } from '../../site/read/find-site.ts';
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

/** 400 for text that is no URL of the web. */
export function parseUrl(text: string, path: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  const rule = 'an absolute URL with http or https';
  throw badRequest(`The URL (${path}) is not valid: it must be ${rule}.`, [{ path, rule }]);
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
  const key = decoded(segment);
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
