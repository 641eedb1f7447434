import type { DocumentPage } from '../../content-engine/tree/index.ts';
import { policyText, STRICT_POLICY } from '../../platform/api/content-security-policy.ts';
import { etagOf } from '../../platform/api/etag.ts';
import { pageMarkdown } from '../feeds/markdown.ts';
import type { CachedPage } from '../read/caches.ts';
import type { OpenSpace } from '../read/open-space.ts';
import type { SiteRequest } from './request.ts';

export async function markdownPage(
  { reader, addresses, site }: SiteRequest,
  space: OpenSpace,
  page: DocumentPage,
): Promise<CachedPage> {
  const { text, revisions, files } = await pageMarkdown(reader, addresses, space, page);
  const body = Buffer.from(text);
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
