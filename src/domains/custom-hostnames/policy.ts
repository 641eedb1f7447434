import { resource, type Authorised } from '../access/index.ts';
import { organizations } from '../organizations/index.ts';
import { rowsInsideSite } from '../sites/index.ts';

export interface CustomHostnameRow extends Authorised {
  readonly organization_id: string;
  readonly site_id: string;
  readonly custom_hostname_id: string;
  readonly hostname: string;
  /** Null: not active. */
  readonly proven_by: 'dns' | 'operator' | null;
  readonly status: string;
  readonly version: number;
}

/** Requested hostnames of the sites that the caller may view. Of several sites that ask for one name, the active one first. */
export const customHostnames = resource<CustomHostnameRow>()({
  name: 'Custom hostname',
  key: 'custom_hostname_id',
  rows: rowsInsideSite(
    'h.id as custom_hostname_id, h.hostname, h.proven_by, h.status, h.version',
    'join custom_hostnames h on h.site_id = t.id',
  ),
  match: `h.hostname = any(array(select lower(id) from unnest(:ids::text[]) id))
    order by h.proven_by is null, h.created_at, h.id`,
  alias: 'hostname',
  needs: { view: 'read', admin: 'admin' },
});

export interface SubdomainRow extends Authorised {
  readonly organization_id: string;
  readonly subdomain: string;
  readonly is_active: boolean;
  /** The version of the organization. */
  readonly version: number;
}

/** The hostnames of the organizations that the caller belongs to. */
export const subdomains = resource<SubdomainRow>()({
  name: 'Subdomain',
  key: 'subdomain',
  rows: `
    select o.organization_id, o.hostname as subdomain, o.version, o.role, exists (
      select from sites t
      where t.id = o.default_content ->> 'site' and t.published_at is not null) as is_active
    from (${organizations.rows}) o where o.hostname is not null`,
  match: 'o.hostname = any(:ids)',
  needs: { view: 'guest' },
});
