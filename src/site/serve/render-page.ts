import type { DocumentPage } from '../../content-engine/tree/index.ts';
import { etagOf } from '../../platform/api/etag.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import { policyText, STRICT_POLICY } from '../../platform/api/content-security-policy.ts';
import { pagePolicy, renderPage } from '../index.ts';
import type { SiteAddresses } from '../read/addresses.ts';
import type { CachedPage } from '../read/caches.ts';
import type { OpenSpace } from '../read/pages/open-space.ts';
import { resolveInOtherSpaces } from '../read/pages/other-spaces.ts';
import { mayReadPdf } from '../read/pages/pdf.ts';
import { readPage } from '../read/pages/read-page.ts';
import { resolveRefs } from '../read/pages/resolve-refs.ts';
import type { SiteReader } from '../read/site-reader.ts';
import { findAlternates } from './view/alternates.ts';
import { ORIGIN } from './origin.ts';
import { pageView } from './view/page-view.ts';
import { renderBody } from './view/render-body.ts';
import { siteView } from './view/site-view.ts';
import { linkRefs } from './view/tree-view.ts';
import { settingRefs } from './view/setting-refs.ts';
import type { AssetCatalog } from '../assets/catalog.ts';
import { pageMarkdown } from '../feeds/markdown.ts';
import type { SiteRequest } from './request.ts';

export interface PageRequest {
  readonly reader: SiteReader;
  readonly addresses: SiteAddresses;
  readonly assets: AssetCatalog;
  readonly space: OpenSpace;
  readonly page: DocumentPage;
}

/** The complete HTML of a page for visitors of one class, and what it depends on. */
export async function renderSitePage(request: PageRequest): Promise<CachedPage> {
  const { reader, addresses, assets, space, page } = request;
  const { siteSpace } = space;
  const customization = await reader.customizationOf(siteSpace);
  const read = await readPage(reader, space, page);
  requireSmall(space, 'items', read.references.refs.length);
  const from = { space, pageId: page.id };
  const others = await resolveInOtherSpaces(reader, addresses, from, [
    ...read.references.refs,
    ...settingRefs(customization),
    ...linkRefs({ addresses, space, pageId: page.id }),
    ...[page.cover?.ref, page.cover?.refDark].filter((ref) => ref !== undefined),
  ]);
  const { alternates, revisions } = await findAlternates(reader, addresses, space, page);
  const refs = resolveRefs(reader, addresses, from, others.entries);
  const site = siteView({ reader, addresses, assets, customization, siteSpace, refs });
  const { facts, ...body } = await renderBody(read, { space, addresses, refs, site, page });
  // Its address has no place for a preview.
  const hasPdf = !addresses.preview && (await mayReadPdf(reader, space, page));
  const input = { reader, addresses, space, page, customization, refs, facts, body };
  const view = pageView({ ...input, alternates, hasPdf });
  const bytes = Buffer.from(renderPage(site, view));
  const policy = policyText(pagePolicy(site, ORIGIN, body.frames, body.connects));
  return {
    body: bytes,
    etag: `W/${etagOf(reader.site.version, bytes)}`,
    type: 'text/html; charset=utf-8',
    policy,
    revisions: new Map([...others.revisions, ...revisions, ...read.revisions]),
    files: refs.files,
    page: { spaceId: siteSpace.spaceId, pageId: page.id },
  };
}

export async function markdownPage(
  { reader, addresses, site }: SiteRequest,
  space: OpenSpace,
  page: DocumentPage,
): Promise<CachedPage> {
  const { text, revisions, files } = await pageMarkdown(reader, addresses, space, page);
  // Programs that read one page learn where the others are.
  const all = addresses.absolute(`${addresses.root}llms.txt`);
  const body = Buffer.from(`> All pages of this site: <${all}>\n\n${text}`);
  return {
    body,
    etag: `W/${etagOf(site.version, body)}`,
    type: 'text/markdown; charset=utf-8',
    policy: policyText(STRICT_POLICY),
    revisions,
    files,
    page: { spaceId: space.siteSpace.spaceId, pageId: page.id },
  };
}
