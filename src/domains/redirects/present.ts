import type { FoundRedirect, PutRedirect } from './store.ts';

export const presentRedirect = (row: FoundRedirect) => ({
  object: 'site-redirect' as const,
  id: row.site_redirect_id,
  source: row.source,
  destination: presentDestination(row),
  draft: false as const,
  captureWildcard: false as const,
  permanent: true as const,
  createdAt: row.created_at.toISOString(),
});

/** Presents a result in the newer form of the public API, which has no `unchanged`. */
export const presentResult = ({ status, source, site_redirect_id: id }: PutRedirect) => ({
  status: status === 'created' ? status : ('updated' as const),
  source,
  draft: false as const,
  id,
});

function presentDestination({ section_id, site_space_id, page_id }: FoundRedirect) {
  if (section_id !== null) return { kind: 'site-section' as const, siteSectionId: section_id };
  const siteSpaceId = site_space_id ?? '';
  return page_id === null
    ? { kind: 'site-space' as const, siteSpaceId }
    : { kind: 'site-page' as const, siteSpaceId, pageId: page_id };
}
