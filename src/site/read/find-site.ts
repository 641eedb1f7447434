import { decodeSegment } from '../../domains/redirects/index.ts';
import { isReservedHostname } from '../../domains/organizations/index.ts';
import type { ReadContext, PublishedSite } from './published-site.ts';
import { openSite } from './published-site.ts';
import { findHomeSite, findSiteByBasename, findSiteByHost, findSiteBySubdomain } from './store.ts';
import type { Database } from '../../platform/database/connection.ts';

/** A site, and where it is served. */
export interface ServedSite {
  readonly site: PublishedSite;
  /** Before every href: the base path of the service and the basename, or, at a hostname of its own, the path of its proxy. */
  readonly basePath: string;
  /** The path below the site, with a leading slash, as it was sent. */
  readonly path: string;
}

interface Found {
  readonly id: string;
  /** If a setting of the organization names the site. */
  readonly organizationId?: string;
}

/**
 * The id of the site of a request, if this process knows it: for limits, which count before the database is asked. A host
 * or basename without a site is never known, whatever the client sends.
 */
export function knownSite(
  { caches }: Pick<ReadContext, 'caches'>,
  { host, path }: { readonly host: string; readonly path: string },
): string | undefined {
  const { rows } = caches.sites;
  if (rows.begin() === undefined) return undefined;
  const basename = basenameIn(path);
  const found =
    rows.get(hostKey(host)) ?? (basename === undefined ? undefined : rows.get(basenameKey(basename)));
  return (found as Found | undefined)?.id;
}

const hostKey = (host: string): string => `host ${host}`;
const basenameKey = (basename: string): string => `basename ${basename}`;

type Find = (db: Database) => Promise<Found | undefined>;

/** A negative result is not cached: a site may get the name at any time. */
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
  if (subdomain !== undefined && isReservedHostname(subdomain)) return undefined;
  const site = await findBy(ctx, hostKey(host), (db) =>
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
  const basename = basenameIn(path);
  if (basename === undefined) return undefined;
  const site = await findBy(ctx, basenameKey(basename), (db) => findSiteByBasename(db, basename));
  return site && { site, basePath: basePathOf(ctx, site), path: path.slice(segmentOf(path).length + 1) };
}

const segmentOf = (path: string): string => /^\/([^/]+)/.exec(path)?.[1] ?? '';

function basenameIn(path: string): string | undefined {
  const basename = decodeSegment(segmentOf(path))?.toLowerCase();
  return basename && !basename.startsWith('~') && basename.length <= MAX_NAME ? basename : undefined;
}

/** The site that the address of the installation shows. */
export async function homeSite(ctx: ReadContext): Promise<ServedSite | undefined> {
  const site = await findBy(ctx, 'home', findHomeSite);
  return site?.published_at ? { site, basePath: basePathOf(ctx, site), path: '/' } : undefined;
}

/** Not the path of the proxy, which its owner chooses: it could be the path of another site, whose cookies have that path. */
const basePathOf = ({ addresses }: ReadContext, site: PublishedSite): string =>
  `${addresses.base}/${encodeURIComponent(site.basename)}`;

/** Readers behind a proxy see its path. It asks for the site at the hostname that the site has alone. */
function proxyPath({ proxy_origin: origin }: PublishedSite): string | undefined {
  if (origin === null) return undefined;
  const url = /^https?:/i.test(origin) ? origin : `https://${origin}`;
  return URL.canParse(url) ? new URL(url).pathname.replace(/(?<!\/)\/+$/, '') : undefined;
}
