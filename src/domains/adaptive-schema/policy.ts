import { resource, type Authorised } from '../access/index.ts';
import { rowsInsideSite } from '../sites/index.ts';

export interface AdaptiveSiteRow extends Authorised {
  readonly organization_id: string;
  readonly site_id: string;
  readonly created_at: Date;
  /** Null: it declares no claims. */
  readonly json_schema: object | null;
  readonly schema_updated_at: Date | null;
  readonly schema_version: number;
}

/** Sites, with the claims that they declare. */
export const adaptiveSites = resource<AdaptiveSiteRow>()({
  name: 'Site',
  key: 'site_id',
  rows: rowsInsideSite(
    `t.created_at, ad.json_schema, ad.updated_at as schema_updated_at, coalesce(ad.version, 0) as schema_version`,
    'left join site_adaptive_schemas ad on ad.site_id = t.id',
  ),
  match: 't.id = any(:ids)',
  needs: { view: 'read', admin: 'admin' },
});
