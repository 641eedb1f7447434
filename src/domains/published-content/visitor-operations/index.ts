import { describeEmbed } from '../../../content-engine/render/html/index.ts';
import { hrefOfDestination } from '../../../site/read/former-address.ts';
import { hasKey } from '../../../site/read/visitor.ts';
import type { Context } from '../../../platform/api/context.ts';
import { notFound } from '../../../platform/api/errors.ts';
import type { PageRequest } from '../../../platform/api/pagination.ts';
import { parseWebUrl } from '../../../platform/api/value-checks.ts';
import { accessOf, type VisitorAnswer } from '../../../platform/api/visitor-access.ts';
import { findRedirect, presentRedirect, sourceKey } from '../../redirects/index.ts';
import { tagsOf } from '../../revalidation/index.ts';
import type { SiteSearch } from '../../sites/index.ts';
import { openContent, openVisit, placeOf, type SiteVisit } from '../visit.ts';
import * as content from './content.ts';
import { searchSite } from './search.ts';
import { shownCustomizations } from './shown-customizations.ts';
import { siteFor, spaceFor, structureFor } from './structure.ts';

interface Content {
  readonly spaceId: string;
  readonly revisionId?: string;
}
interface OfSite {
  readonly organizationId: string;
  readonly siteId: string;
}
interface Asked<P, Q> {
  readonly ctx: Context;
  readonly visit: SiteVisit;
  readonly params: P;
  readonly query: Q;
  readonly page: PageRequest;
  readonly signal: AbortSignal;
}

const DAY = 24 * 60 * 60;

/**
 * Caching for programs: until one of the tags is announced, or for so many seconds. A revision does not change;
 * what leads to the published one does.
 */
const cachedFor = (visit: SiteVisit, spaceId: string | undefined, seconds: number) => ({
  'x-gitbook-cache-tag': tagsOf(visit.reader.site.id, spaceId).join(','),
  'x-gitbook-cache-control': `private, max-age=${seconds}`,
});

const ofContent = <P extends Content, Q>(
  handle: (asked: Asked<P, Q>, space: Awaited<ReturnType<typeof openContent>>) => Promise<unknown>,
): VisitorAnswer<SiteVisit> => ({
  handle: async (asked: Asked<P, Q>) => handle(asked, await openContent(asked.visit, asked.params)),
  headers: (visit, { spaceId, revisionId }: P) =>
    cachedFor(visit, spaceId, revisionId === undefined ? 60 : DAY),
});

/** 404 for all other sites: they do not exist for this visitor. */
const ofSite = <Q, B = undefined>(
  handle: (asked: Asked<OfSite, Q> & { readonly body: B }) => Promise<unknown>,
): VisitorAnswer<SiteVisit> => ({
  async handle(asked: Asked<OfSite, Q> & { readonly body: B }) {
    const { site } = asked.visit.reader;
    if (asked.params.organizationId !== site.organization_id) throw notFound('Organization');
    if (asked.params.siteId !== site.id) throw notFound('Site');
    return handle(asked);
  },
  headers: (visit) => cachedFor(visit, undefined, 60),
});

type Computed = { readonly computed?: boolean };
type PageQuery = Computed & { readonly format?: 'markdown' | 'document' };

const revision = ofContent(({ ctx, visit, query }: Asked<Content, Computed>, space) =>
  content.readRevision(ctx, visit, space, query),
);
const pages = ofContent(({ ctx, visit, query }: Asked<Content, Computed>, space) =>
  content.readPages(ctx, visit, space, query),
);
const files = ofContent(({ ctx, visit, page }: Asked<Content, unknown>, space) =>
  content.listFiles(ctx, visit, space, page),
);
const file = ofContent(
  ({ ctx, visit, params }: Asked<Content & { readonly fileId: string }, unknown>, space) =>
    content.readFile(ctx, visit, space, params.fileId),
);
const page = ofContent(
  ({ ctx, visit, params, query }: Asked<Content & { readonly pageId: string }, PageQuery>, space) =>
    content.readPage(ctx, visit, space, content.pageById(space, params.pageId), query),
);
const pageByPath = ofContent(
  ({ ctx, visit, params, query }: Asked<Content & { readonly pagePath: string }, PageQuery>, space) =>
    content.readPage(ctx, visit, space, content.pageByPath(space, params.pagePath), query),
);
const pageDocument = ofContent(
  ({ ctx, visit, params }: Asked<Content & { readonly pageId: string }, unknown>, space) =>
    content.readDocument(ctx, visit, space, content.pageById(space, params.pageId)),
);
const document = ofContent(
  ({ ctx, visit, params }: Asked<Content & { readonly documentId: string }, unknown>, space) =>
    content.readDocument(ctx, visit, space, content.pageOfDocument(ctx, space, params.documentId)),
);

const metaLinks = ofContent(
  async ({ params }: Asked<Content & { readonly pageId: string }, unknown>, space) => {
    content.pageById(space, params.pageId);
    return {};
  },
);

const embed: VisitorAnswer<SiteVisit> = {
  handle: async ({ visit, params, query }: Asked<Content, { readonly url: string }>) => {
    placeOf(visit, params.spaceId);
    return describeEmbed(parseWebUrl(query.url, 'query.url'));
  },
  headers: (visit, { spaceId }: Content) => cachedFor(visit, spaceId, DAY),
};

const space: VisitorAnswer<SiteVisit> = {
  handle: async ({ ctx, visit, params, query }: Asked<Content, { readonly shareKey?: string }>) =>
    spaceFor(ctx, visit, placeOf(visit, params.spaceId), query.shareKey),
  headers: (visit, { spaceId }: Content) => cachedFor(visit, spaceId, 60),
};

const publishedSite = ofSite(async ({ ctx, visit, query }: Asked<OfSite, { readonly shareKey?: string }>) => {
  return {
    object: 'published-content-site',
    site: siteFor(ctx, visit),
    structure: structureFor(ctx, visit, query.shareKey),
    customizations: await shownCustomizations(ctx, visit),
    scripts: [],
  };
});

const structure = ofSite(async ({ ctx, visit, query }: Asked<OfSite, { readonly shareKey?: string }>) =>
  structureFor(ctx, visit, query.shareKey),
);

const redirect = ofSite(
  async ({
    ctx,
    visit: { reader, addresses },
    query: { source, shareKey },
  }: Asked<OfSite, { readonly source: string; readonly shareKey?: string }>) => {
    const key = sourceKey(source);
    const found = key === undefined ? undefined : await findRedirect(ctx.db, reader.site.id, key);
    const href = found && (await hrefOfDestination(reader, addresses, found));
    if (!found || href === undefined) throw notFound(`Site redirect from "${source}"`);
    const before = shareKey !== undefined && hasKey(ctx, reader.site, shareKey) ? `/${shareKey}` : '';
    return { redirect: presentRedirect(found), target: addresses.absolute(before + href) };
  },
);

const search = ofSite(
  async ({ ctx, visit, body, signal }: Asked<OfSite, unknown> & { readonly body: SiteSearch }) =>
    searchSite(ctx, visit, body, signal),
);

/** All that visitors may call. What an operation returns to a user is no measure of what it may return here. */
export const visitorAccess = accessOf<SiteVisit>({
  open: openVisit,
  answers: {
    getPublishedContentSite: publishedSite,
    getSiteStructure: structure,
    getSiteRedirectBySource: redirect,
    searchSiteContent: search,
    getSpaceById: space,
    getEmbedByUrlInSpace: embed,
    getCurrentRevision: revision,
    listPages: pages,
    listFiles: files,
    getFileById: file,
    getPageById: page,
    getPageByPath: pageByPath,
    getPageDocumentById: pageDocument,
    listSpacePageMetaLinks: metaLinks,
    getDocumentById: document,
    getRevisionById: revision,
    listPagesInRevisionById: pages,
    listFilesInRevisionById: files,
    getFileInRevisionById: file,
    getPageInRevisionById: page,
    getPageInRevisionByPath: pageByPath,
    getPageDocumentInRevisionById: pageDocument,
    listRevisionPageMetaLinks: metaLinks,
  },
});
