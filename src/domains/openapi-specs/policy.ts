import { resource, type Authorised } from '../access/index.ts';
import { organizations } from '../organizations/index.ts';

export interface SpecRow extends Authorised {
  readonly organization_id: string;
  readonly spec_id: string;
  readonly spec_slug: string;
  readonly source_url: string | null;
  readonly visibility: 'private' | 'public';
  readonly processing_state: 'pending' | 'progress' | 'complete';
  readonly last_version_id: string | null;
  readonly last_processed_at: Date | null;
  readonly error_code: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR' | null;
  readonly errors: readonly { readonly message: string; readonly code?: string }[] | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Of the member, or of the installation. */
const ROLE = 'coalesce(mine.role, mine.specs_role)';
const MEMBER = `mine.user_id = caller.id and not mine.disabled and ${ROLE} is not null`;

/** Members view specifications; those who may create content edit them. */
export const openapiSpecs = resource<SpecRow>()({
  name: 'OpenAPI specification',
  key: 'spec_slug',
  // As ids are, but longer.
  alias: 'spec_slug',
  rows: `
    select s.organization_id, s.id as spec_id, s.slug as spec_slug, s.source_url, s.visibility, s.processing_state,
      (select v.id from openapi_spec_versions v where v.spec_id = s.id order by v.number desc limit 1) as last_version_id,
      s.last_processed_at, s.error_code, s.errors, s.version, s.created_at, s.updated_at,
      ${ROLE} as role
    from members mine join openapi_specs s on s.organization_id = mine.organization_id
    where ${MEMBER}`,
  match: 's.organization_id = :within and s.slug = any(:ids)',
  within: organizations,
  needs: { view: 'read', edit: 'create' },
});

export interface SpecVersionRow extends Authorised {
  readonly organization_id: string;
  readonly spec_slug: string;
  readonly visibility: 'private' | 'public';
  readonly openapi_version_id: string;
  readonly created_at: Date;
}

export const specVersions = resource<SpecVersionRow>()({
  name: 'Version of an OpenAPI specification',
  key: 'openapi_version_id',
  rows: `
    select s.organization_id, s.slug as spec_slug, s.visibility, v.id as openapi_version_id, v.created_at,
      ${ROLE} as role
    from members mine join openapi_specs s on s.organization_id = mine.organization_id
    join openapi_spec_versions v on v.spec_id = s.id
    where ${MEMBER}`,
  match: 'v.id = any(:ids)',
  needs: { view: 'read' },
});
