import { resource, type Authorised } from '../access/index.ts';
import { rowsInsideSite, type SiteRow } from '../sites/index.ts';

export interface PublishingRow
  extends
    Authorised,
    Pick<SiteRow, 'organization_id' | 'site_id' | 'basename' | 'hostname' | 'proxy_origin'> {
  /** Null: it has no key yet. */
  readonly key_sealed: Buffer | null;
  readonly backend: 'custom' | 'integration';
  readonly fallback_url: string | null;
  readonly auth_version: number;
}

/** Sites, with their authentication of visitors. */
export const publishedSites = resource<PublishingRow>()({
  name: 'Site',
  key: 'site_id',
  rows: rowsInsideSite(
    `t.basename, t.hostname, t.proxy_origin, pa.key_sealed, coalesce(pa.backend, 'custom') as backend, pa.fallback_url,
    coalesce(pa.version, 0) as auth_version`,
    'left join site_publishing_auth pa on pa.site_id = t.id',
  ),
  match: 't.id = any(:ids)',
  needs: { view: 'read', preview: 'read', admin: 'admin' },
  // A preview shows the content of spaces.
  scope: (_site, action) => (action === 'preview' ? 'space:read' : undefined),
});
