import type { FoundRedirect } from './store.ts';

export const presentRedirect = (row: FoundRedirect) => ({
  object: 'site-redirect' as const,
  id: row.site_redirect_id,
  source: row.source,
  destination: presentDestination(row),
});

function presentDestination({ section_id, site_space_id, page_id }: FoundRedirect) {
  if (section_id !== null) return { kind: 'site-section' as const, siteSectionId: section_id };
  const siteSpaceId = site_space_id ?? '';
  return page_id === null
    ? { kind: 'site-space' as const, siteSpaceId }
    : { kind: 'site-page' as const, siteSpaceId, pageId: page_id };
}
