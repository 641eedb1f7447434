import { resource, type Authorised } from '../access/index.ts';
import { rowsInsideSite } from '../sites/index.ts';

export interface RevalidatedSiteRow extends Authorised {
  readonly organization_id: string;
  readonly site_id: string;
  readonly hook_version: number;
}

/** Sites, with the version of their hook. */
export const revalidatedSites = resource<RevalidatedSiteRow>()({
  name: 'Site',
  key: 'site_id',
  rows: rowsInsideSite(
    'coalesce(rv.version, 0) as hook_version',
    'left join site_revalidations rv on rv.site_id = t.id',
  ),
  match: 't.id = any(:ids)',
  needs: { view: 'read', admin: 'admin' },
});
