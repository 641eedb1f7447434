import { homePage } from '../../domains/system/web-page.ts';
import { ApiError, noSuchOperation } from '../../platform/api/errors.ts';
import { html, plainPage } from '../../platform/http/pages/html.ts';
import {
  page,
  type Page,
  type PageAnswer,
  type PageLimit,
  type Visit,
} from '../../platform/http/pages/page.ts';
import { serveAsset } from '../index.ts';
import { serveMcp } from '../feeds/mcp/mcp.ts';
import { homeSite, knownSite, siteAtHost, siteAtPath, type ServedSite } from '../read/find-site.ts';
import { isShownTo } from '../read/visitor.ts';
import { takeFeedback } from './feedback.ts';
import { answerOtherMethod, READING, refuseMethod } from './other-methods.ts';
import { acceptsHtml } from './negotiate.ts';
import { serveSite } from './serve-site.ts';

declare module '../../platform/api/context.ts' {
  interface Settings {
    /** Whether the address of the installation shows a site. */
    readonly home: boolean;
  }
}

/** Offices share an address, and a page may show many pictures; crawlers that ignore it get 429. */
const READER_LIMIT: PageLimit = {
  name: 'site',
  perMinute: 3000,
  // Not by the host, which a client may invent.
  key: (request, ctx) => `${knownSite(ctx, request) ?? 'service'} ${request.address}`,
};

const facts = { method: 'GET', limit: READER_LIMIT, isUncompressed: true } as const;

/** Sites that are not published, and names that no site has, get the same answer. Programs get the common error format. */
function answerUnknown({ path, headers }: Visit, method = 'GET'): PageAnswer {
  if (!acceptsHtml(headers['accept'])) throw noSuchOperation(method, path);
  return nothingHere('No site is published at this address. Check the address.');
}

/** Hosts of sites that are not published, and all others, get the same answer. */
function answerUnknownHost({ headers }: Visit): PageAnswer {
  const message =
    'No site is published at this host name. If it is the address of this installation, its operator must set OCTAVO_URL to it.';
  if (!acceptsHtml(headers['accept'])) throw new ApiError(404, message);
  return nothingHere(message);
}

const nothingHere = (message: string): PageAnswer => ({
  status: 404,
  body: plainPage(
    'Not found',
    html`<h1>There is nothing here</h1>
      <p>${message}</p>`,
  ),
});

/** Undefined: for this visitor, there is no site. */
type Serve = (visit: Visit, served: ServedSite) => Promise<PageAnswer | undefined>;

/** The one entry to sites: whatever a request to a site costs, organizations and sites take turns. */
async function inTurn(
  visit: Visit,
  served: ServedSite | undefined,
  serve: Serve,
): Promise<PageAnswer | undefined> {
  if (!served) return undefined;
  await visit.turn.take(served.site.organization_id, served.site.id);
  return serve(visit, served);
}

/** The address of the installation: the site that it shows, or a page that says how to begin. */
const home = page({
  ...facts,
  path: '/',
  host: 'service',
  handle: async (visit) => {
    const served = visit.ctx.settings.home ? await homeSite(visit.ctx) : undefined;
    return (await inTurn(visit, served, serveSite)) ?? homePage.handle(visit);
  },
  answerOtherMethod: async (visit, method) => refuseMethod(visit, method, READING),
});

const servicePages = page({
  ...facts,
  path: '/*',
  host: 'service',
  handle: async (visit) => {
    const served = await siteAtPath(visit.ctx, visit.path);
    // The address of a site ends with a slash.
    if (served?.path === '' && isShownTo(visit.ctx, served.site, visit.cookies))
      return { status: 301, location: `${served.basePath}/`, body: '', cacheControl: 'no-cache' };
    return (await inTurn(visit, served, serveSite)) ?? answerUnknown(visit);
  },
  answerOtherMethod: async (visit, method) => {
    const served = await siteAtPath(visit.ctx, visit.path);
    const answer = await inTurn(visit, served, (...given) => answerOtherMethod(...given, method));
    return answer ?? answerUnknown(visit, method);
  },
});

const hostPages = (path: string): Page =>
  page({
    ...facts,
    path,
    host: 'site',
    handle: async (visit) => {
      const served = await siteAtHost(visit.ctx, visit.host, visit.path);
      return (await inTurn(visit, served, serveSite)) ?? answerUnknownHost(visit);
    },
    answerOtherMethod: async (visit, method) => {
      const served = await siteAtHost(visit.ctx, visit.host, visit.path);
      const answer = await inTurn(visit, served, (...given) => answerOtherMethod(...given, method));
      return answer ?? answerUnknownHost(visit);
    },
  });

/** Files of the build: the same on every site, and without any secret. */
const assetPages = ['/~octavo/assets/{name}', '/{basename}/~octavo/assets/{name}'].map((path) =>
  page({
    method: 'GET',
    path,
    limit: 'none',
    isUncompressed: true,
    handle: async ({ ctx, params, headers }) =>
      serveAsset(ctx.caches.sites.assets(), params['name'] ?? '', headers['accept-encoding']),
  }),
);

/** Typesetting a page takes a second of a core; the result is kept for a day. */
const PDF = { limit: { ...READER_LIMIT, name: 'site pdf', perMinute: 20 }, isHeavy: true } as const;

const PDF_PATH = '/~octavo/pdf/{siteSpace}/{page}';
const pdfPages: readonly Page[] = [
  { ...hostPages(PDF_PATH), ...PDF },
  { ...servicePages, path: `/{basename}${PDF_PATH}`, ...PDF },
];

/** The text of all pages may take seconds of a core for each class of visitors, who choose their unsigned claims. */
const TEXT_LIMIT: PageLimit = { ...READER_LIMIT, name: 'site text', perMinute: 30 };

const TEXT_PATH = '/llms-full.txt';
const textPages: readonly Page[] = [
  { ...hostPages(TEXT_PATH), limit: TEXT_LIMIT },
  { ...servicePages, path: `/{basename}${TEXT_PATH}`, limit: TEXT_LIMIT },
];

/** A reader rates a few pages; a program that rates thousands is stopped. */
const FEEDBACK_LIMIT: PageLimit = { ...READER_LIMIT, name: 'feedback', perMinute: 30 };

/** A POST to every site, at hostnames and below the default address. None writes: insights are collected in memory. */
const postPages = (path: string, limit: PageLimit, serve: Serve): readonly Page[] => [
  page({
    method: 'POST',
    isReadOnly: true,
    limit,
    path,
    host: 'site',
    handle: async (visit) => {
      const served = await siteAtHost(visit.ctx, visit.host, visit.path);
      return (await inTurn(visit, served, serve)) ?? answerUnknownHost(visit);
    },
  }),
  page({
    method: 'POST',
    isReadOnly: true,
    limit,
    path: `/{basename}${path}`,
    host: 'service',
    handle: async (visit) => {
      const served = await siteAtPath(visit.ctx, visit.path);
      return (await inTurn(visit, served, serve)) ?? answerUnknown(visit);
    },
  }),
];

/** A search costs more than a cached page, and one agent reads a few pages at a time. */
const AGENT_LIMIT: PageLimit = { ...READER_LIMIT, name: 'agent', perMinute: 600 };

/** The `robots.txt` of the installation itself. Sites at hostnames have their own. */
const robots = page({
  ...facts,
  path: '/robots.txt',
  host: 'service',
  handle: async ({ ctx }) => ({
    status: 200,
    type: 'text/plain; charset=utf-8',
    cacheControl: 'public, max-age=3600',
    body: `User-agent: *\nDisallow: ${ctx.addresses.base}/v1/\nDisallow: ${ctx.addresses.base}/app/\n`,
  }),
});

export const sitePages: readonly Page[] = [
  home,
  servicePages,
  robots,
  hostPages('/'),
  // Version 1 of a site, instead of the version of the API.
  hostPages('/v1/'),
  hostPages('/*'),
  ...assetPages,
  ...pdfPages,
  ...textPages,
  ...postPages('/~octavo/feedback', FEEDBACK_LIMIT, takeFeedback),
  ...postPages('/~octavo/mcp', AGENT_LIMIT, serveMcp),
  // Behind the key of a share link.
  ...postPages('/{key}/~octavo/mcp', AGENT_LIMIT, serveMcp),
];
