import { resource, type Authorised } from '../access/index.ts';
import { rowsInsideSite, sites, VIEWABLE_SITE_SPACES } from '../sites/index.ts';

export interface SiteRedirectRow extends Authorised {
  readonly organization_id: string;
  readonly site_id: string;
  readonly site_redirect_id: string;
  readonly source: string;
  readonly source_key: string;
  readonly section_id: string | null;
  readonly site_space_id: string | null;
  readonly page_id: string | null;
  readonly version: number;
  readonly created_at: Date;
}

/** Redirects into a space that the caller may not view do not exist for them. */
export const siteRedirects = resource<SiteRedirectRow>()({
  name: 'Site redirect',
  key: 'site_redirect_id',
  rows: rowsInsideSite(
    `rd.id as site_redirect_id, rd.source, rd.source_key, rd.section_id, rd.site_space_id, rd.page_id, rd.version,
    rd.created_at`,
    `${VIEWABLE_SITE_SPACES} join site_redirects rd on rd.site_id = t.id`,
    '(rd.site_space_id is null or rd.site_space_id = any(viewable.ids))',
  ),
  match: 't.id = :within and rd.id = any(:ids)',
  within: sites,
  needs: { view: 'read', admin: 'admin' },
});
