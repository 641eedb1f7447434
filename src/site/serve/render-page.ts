import type { DocumentPage } from '../../content-engine/tree/index.ts';
import { etagOf } from '../../platform/api/etag.ts';
import { policyText } from '../../platform/api/content-security-policy.ts';
import { BODY, pagePolicy, renderPage } from '../index.ts';
import type { SiteAddresses } from '../read/addresses.ts';
import type { CachedPage } from '../read/caches.ts';
import type { OpenSpace } from '../read/open-space.ts';
import { resolveInOtherSpaces } from '../read/other-spaces.ts';
import { mayReadPdf } from '../read/pdf.ts';
import { readPage } from '../read/read-page.ts';
import { resolveRefs } from '../read/resolve-refs.ts';
import type { SiteReader } from '../read/site-reader.ts';
import { findAlternates } from './alternates.ts';
import { ORIGIN } from './origin.ts';
import { pageView } from './page-view.ts';
import { renderBody } from './render-body.ts';
import { siteView } from './site-view.ts';
import { linkRefs } from './tree-view.ts';
import { settingRefs } from './setting-refs.ts';
import type { AssetCatalog } from '../assets/catalog.ts';

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
  const { html, facts, ...body } = await renderBody(read, { space, addresses, refs, site });
  // Its address has no place for a preview.
  const hasPdf = !addresses.preview && (await mayReadPdf(reader, space, page));
  const shown = { ...body, html: typeof html === 'string' ? html : BODY };
  const input = { reader, addresses, space, page, customization, refs, facts, body: shown };
  const view = pageView({ ...input, alternates, hasPdf });
  const frame = renderPage(site, view);
  const bytes = typeof html === 'string' ? Buffer.from(frame) : withBody(frame, html);
  const policy = policyText(pagePolicy(site, ORIGIN, body.frames));
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

/** A large body stays bytes: as a string, it would be searched and copied several times. */
function withBody(frame: string, body: Uint8Array): Buffer {
  const at = frame.indexOf(BODY);
  return Buffer.concat([Buffer.from(frame.slice(0, at)), body, Buffer.from(frame.slice(at + BODY.length))]);
}
