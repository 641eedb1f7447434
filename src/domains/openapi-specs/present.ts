import type { Addresses } from '../../platform/api/context.ts';
import { flags } from '../../platform/api/resource.ts';
import type { Keys } from '../../platform/keys.ts';
import { openapiSpecs, type SpecRow, type SpecVersionRow } from './policy.ts';

type Shown = { readonly addresses: Addresses; readonly keys: Keys; readonly caller: { readonly id: string } };

const pathOf = (row: Pick<SpecRow, 'organization_id' | 'spec_slug'>): string =>
  `/v1/orgs/${row.organization_id}/openapi/${row.spec_slug}`;

/** The address of the latest version of a public specification. */
export const publicUrl = (
  { addresses }: Pick<Shown, 'addresses'>,
  row: Pick<SpecRow, 'organization_id' | 'spec_slug' | 'visibility'>,
): string | undefined =>
  row.visibility === 'public'
    ? addresses.of(`/~openapi/${row.organization_id}/${row.spec_slug}/openapi.json`)
    : undefined;

export const signVersion = (keys: Keys, versionId: string): string =>
  keys.sign('openapi', versionId).slice(0, 32);

export const presentSpec = ({ addresses, caller }: Shown, row: SpecRow) => ({
  object: 'openapi-spec' as const,
  id: row.spec_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  slug: row.spec_slug,
  ...(row.source_url !== null && { sourceURL: row.source_url }),
  processingState: row.processing_state,
  visibility: row.visibility,
  ...(row.last_version_id !== null && { lastVersion: row.last_version_id }),
  ...(row.last_processed_at && { lastProcessedAt: row.last_processed_at.toISOString() }),
  ...(row.error_code && { lastProcessErrorCode: row.error_code }),
  ...(row.errors && { lastProcessedErrors: [...row.errors] }),
  lastProcessedErrorCount: row.errors?.length ?? 0,
  permissions: flags(openapiSpecs, ['view', 'edit'], row, caller.id),
  urls: {
    location: addresses.of(pathOf(row)),
    app: addresses.of(`/app/orgs/${row.organization_id}/openapi/${row.spec_slug}`),
    ...(row.visibility === 'public' && { published: publicUrl({ addresses }, row) }),
  },
});

export const presentVersion = ({ addresses, keys }: Shown, row: SpecVersionRow) => ({
  object: 'openapi-spec-version' as const,
  id: row.openapi_version_id,
  createdAt: row.created_at.toISOString(),
  url: versionUrl({ addresses, keys }, row.openapi_version_id),
  urls: { location: addresses.of(`${pathOf(row)}/versions/${row.openapi_version_id}`) },
});

/** The address is the permission, as that of a file is. */
export const versionUrl = (
  { addresses, keys }: Pick<Shown, 'addresses' | 'keys'>,
  versionId: string,
): string => addresses.of(`/~openapi/versions/${versionId}/${signVersion(keys, versionId)}/openapi.json`);
