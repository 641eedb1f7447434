import type { Addresses } from '../../../platform/api/context.ts';
import { publicEndpoints } from '../present.ts';
import type { ContentInstallationRow, InstallationRow } from './policy.ts';
import { isComplete } from './schema.ts';

type Shown = { readonly addresses: Addresses };
type Status = 'active' | 'pending' | 'paused';

const statusOf = (isPaused: boolean, ...[schema, values]: Parameters<typeof isComplete>): Status =>
  isPaused ? 'paused' : isComplete(schema, values) ? 'active' : 'pending';

export const statusOfInstallation = (row: InstallationRow): Status =>
  statusOf(row.is_paused, row.configurations.account, row.configuration);

export const statusOfContent = (kind: 'space' | 'site', row: ContentInstallationRow): Status =>
  statusOf(row.is_paused, row.configurations[kind], row.configuration);

export const presentInstallation = ({ addresses }: Shown, row: InstallationRow) => ({
  id: row.installation_id,
  status: statusOfInstallation(row),
  space_selection: row.space_selection,
  site_selection: row.site_selection,
  spaces: row.spaces,
  scopes: [...row.scopes],
  configuration: row.configuration,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  urls: {
    ...urlsOf(addresses, row, ''),
    app: addresses.of(`/app/orgs/${row.organization_id}/integrations/${row.integration_name}`),
  },
  externalIds: [...row.external_ids],
  target: { organization: row.organization_id },
});

/** Without the space or site. */
export const presentContentInstallation = (
  { addresses }: Shown,
  kind: 'space' | 'site',
  row: ContentInstallationRow,
) => ({
  integration: row.integration_name,
  installation: row.installation_id,
  status: statusOfContent(kind, row),
  configuration: row.configuration,
  externalIds: [...row.external_ids],
  urls: urlsOf(addresses, row, `/${kind}s/${row.content_id}`),
});

const urlsOf = (
  addresses: Addresses,
  row: Pick<InstallationRow, 'integration_name' | 'installation_id'>,
  below: string,
) => {
  const path = `/installations/${row.installation_id}${below}`;
  return {
    location: addresses.of(`/v1/integrations/${row.integration_name}${path}`),
    ...publicEndpoints(addresses.of(`/~integrations/${row.integration_name}/endpoint${path}`)),
  };
};
