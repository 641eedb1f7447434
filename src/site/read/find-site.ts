import type { ReadContext, PublishedSite } from './published-site.ts';
import { openSite } from './published-site.ts';
import { findHomeSite, findSiteByBasename, findSiteByHost, findSiteBySubdomain } from './store.ts';
import type { Database } from '../../platform/database/connection.ts';

/** A site, and where it is served. */
export interface ServedSite {
  readonly site: PublishedSite;
  /** Before every href: the base path of the service and the basename, or empty at a hostname of its own. */
  readonly basePath: string;
  /** The path below the site, with a leading slash, as it was sent. */
  readonly path: string;
}

interface Found {
  readonly id: string;
  /** If a setting of the organization names the site. */
  readonly organizationId?: string;
}

type Find = (db: Database) => Promise<Found | undefined>;

/** What is not found is not cached: a site may get the name at any time. */
async function findBy(ctx: ReadContext, key: string, find: Find): Promise<PublishedSite | undefined> {
  const { rows } = ctx.caches.sites;
  const begun = rows.begin();
  const known = begun === undefined ? undefined : (rows.get(key) as Found | undefined);
  const found = known ?? (await find(ctx.db));
  if (!found) return undefined;
  const { id, organizationId } = found;
  const tags = [`site:${id}`, ...(organizationId === undefined ? [] : [`organization:${organizationId}`])];
  if (!known && begun !== undefined) rows.put(key, begun, tags, found);
  return openSite(ctx, id);
}

/** The longest host name and basename that rows can have. */
const MAX_NAME = 253;

export async function siteAtHost(
  ctx: ReadContext,
  host: string,
  path: string,
): Promise<ServedSite | undefined> {
  if (host.length > MAX_NAME || !/^[a-z0-9.-]+$/.test(host)) return undefined;
  const subdomain = subdomainOf(ctx, host);
  const site = await findBy(ctx, `host ${host}`, (db) =>
    subdomain === undefined ? findSiteByHost(db, host) : findSiteBySubdomain(db, subdomain),
  );
  return site && { site, basePath: proxyPath(site) ?? '', path };
}

/** `company` of `company.docs.example`, if the service is at `docs.example`. No custom hostname is below the service. */
function subdomainOf({ addresses }: ReadContext, host: string): string | undefined {
  const service = `.${new URL(addresses.of('/')).hostname}`;
  return host.endsWith(service) ? host.slice(0, -service.length) : undefined;
}

/** The site whose basename is the first segment of the path. */
export async function siteAtPath(ctx: ReadContext, path: string): Promise<ServedSite | undefined> {
  const [, segment = '', rest = ''] = /^\/([^/]+)(\/.*)?$/s.exec(path) ?? [];
  const basename = decoded(segment)?.toLowerCase();
  if (!basename || basename.startsWith('~') || basename.length > MAX_NAME) return undefined;
  const site = await findBy(ctx, `basename ${basename}`, (db) => findSiteByBasename(db, basename));
  return site && { site, basePath: basePathOf(ctx, site), path: rest };
}

/** The site that the address of the installation shows. */
export async function homeSite(ctx: ReadContext): Promise<ServedSite | undefined> {
  const site = await findBy(ctx, 'home', findHomeSite);
  return site?.published_at ? { site, basePath: basePathOf(ctx, site), path: '/' } : undefined;
}

const basePathOf = ({ addresses }: ReadContext, site: PublishedSite): string =>
  proxyPath(site) ?? `${addresses.base}/${encodeURIComponent(site.basename)}`;

/** Readers behind a proxy see its path, whichever address the proxy asks. */
function proxyPath({ proxy_origin: origin }: PublishedSite): string | undefined {
  if (origin === null) return undefined;
  const url = /^https?:/i.test(origin) ? origin : `https://${origin}`;
  return URL.canParse(url) ? new URL(url).pathname.replace(/(?<!\/)\/+$/, '') : undefined;
}

/** Undefined for text that is no segment of an address: not UTF-8, or with control characters. */
export function decoded(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    // oxlint-disable-next-line no-control-regex -- they are what is refused
    return /[\u0000-\u001f\u007f/\\]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
