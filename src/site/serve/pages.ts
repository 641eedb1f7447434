import { homePage } from '../../domains/system/web-page.ts';
import { noSuchOperation } from '../../platform/api/errors.ts';
import { html, plainPage } from '../../platform/http/html.ts';
import { page, type Page, type PageAnswer, type PageLimit, type Visit } from '../../platform/http/page.ts';
import { serveAsset } from '../index.ts';
import { serveMcp } from '../feeds/mcp.ts';
import { homeSite, siteAtHost, siteAtPath, type ServedSite } from '../read/find-site.ts';
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
  key: ({ host, address }) => `${host} ${address}`,
};

const facts = { method: 'GET', limit: READER_LIMIT, isUncompressed: true } as const;

/** Programs get the common error format. */
function answerUnknown(visit: Visit, method = 'GET'): PageAnswer {
  if (!acceptsHtml(visit.headers['accept'])) throw noSuchOperation(method, visit.path);
  return {
    status: 404,
    body: plainPage(
      'Not found',
      html`<h1>There is nothing here</h1>
        <p>No site is published at this address. Check the address.</p>`,
    ),
  };
}

/** The address of the installation: the site that it shows, or a page that says how to begin. */
const home = page({
  ...facts,
  path: '/',
  host: 'service',
  handle: async (visit) => {
    const served = visit.ctx.settings.home ? await homeSite(visit.ctx) : undefined;
    return served ? serveSite(visit, served) : homePage.handle(visit);
  },
  answerOtherMethod: async (visit, method) => refuseMethod(visit, method, READING),
});

const servicePages = page({
  ...facts,
  path: '/*',
  host: 'service',
  handle: async (visit) => {
    const served = await siteAtPath(visit.ctx, visit.path);
    if (!served) return answerUnknown(visit);
    // The address of a site ends with a slash.
    return served.path === ''
      ? { status: 301, location: `${served.basePath}/`, body: '', cacheControl: 'no-cache' }
      : serveSite(visit, served);
  },
  answerOtherMethod: async (visit, method) => {
    const served = await siteAtPath(visit.ctx, visit.path);
    return served ? answerOtherMethod(visit, served, method) : answerUnknown(visit, method);
  },
});

const hostPages = (path: string): Page =>
  page({
    ...facts,
    path,
    host: 'site',
    handle: async (visit) => {
      const served = await siteAtHost(visit.ctx, visit.host, visit.path);
      if (served) return serveSite(visit, served);
      return visit.path === '/' ? homePage.handle(visit) : answerUnknown(visit);
    },
    answerOtherMethod: async (visit, method) => {
      const served = await siteAtHost(visit.ctx, visit.host, visit.path);
      return served ? answerOtherMethod(visit, served, method) : answerUnknown(visit, method);
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
const PDF_LIMIT: PageLimit = { ...READER_LIMIT, name: 'site pdf', perMinute: 20 };

const PDF_PATH = '/~octavo/pdf/{siteSpace}/{page}';
const pdfPages: readonly Page[] = [
  { ...hostPages(PDF_PATH), limit: PDF_LIMIT },
  { ...servicePages, path: `/{basename}${PDF_PATH}`, limit: PDF_LIMIT },
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

/** A POST to every site, at hostnames and below the default address. */
const postPages = (
  path: string,
  declared: { readonly limit: PageLimit; readonly isReadOnly?: boolean },
  handle: (visit: Visit, served: ServedSite) => Promise<PageAnswer>,
): readonly Page[] => [
  page({
    ...declared,
    method: 'POST',
    path,
    host: 'site',
    handle: async (visit) => {
      const served = await siteAtHost(visit.ctx, visit.host, visit.path);
      return served ? handle(visit, served) : answerUnknown(visit);
    },
  }),
  page({
    ...declared,
    method: 'POST',
    path: `/{basename}${path}`,
    host: 'service',
    handle: async (visit) => {
      const served = await siteAtPath(visit.ctx, visit.path);
      return served ? handle(visit, served) : answerUnknown(visit);
    },
  }),
];

/** A search costs more than a cached page, and one agent reads a few pages at a time. */
const AGENT_LIMIT: PageLimit = { ...READER_LIMIT, name: 'agent', perMinute: 600 };
const AGENT = { limit: AGENT_LIMIT, isReadOnly: true };

/** What crawlers read of the installation itself. Sites at hostnames have their own. */
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
  hostPages('/*'),
  ...assetPages,
  ...pdfPages,
  ...textPages,
  ...postPages('/~octavo/feedback', { limit: FEEDBACK_LIMIT }, takeFeedback),
  ...postPages('/~octavo/mcp', AGENT, serveMcp),
  // Behind the key of a share link.
  ...postPages('/{key}/~octavo/mcp', AGENT, serveMcp),
];
