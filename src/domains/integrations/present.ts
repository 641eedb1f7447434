import type { Addresses } from '../../platform/api/context.ts';
import { flags } from '../../platform/api/resource.ts';
import { presentOrganization, presentToOutsider, type OrganizationRow } from '../organizations/index.ts';
import { integrations, type IntegrationRow } from './policy.ts';

/** Publishers, as the caller may see them: `own` are those that the caller belongs to. */
export interface Owners {
  readonly own: ReadonlyMap<string, OrganizationRow>;
  readonly others: ReadonlyMap<string, OrganizationRow>;
}

interface Shown {
  readonly addresses: Addresses;
  readonly caller: { readonly id: string };
}

/** Below this path are the pages of an integration. */
const assetsOf = (addresses: Addresses, row: IntegrationRow): string =>
  addresses.of(`/~integrations/${row.integration_name}`);

export function presentIntegration({ addresses, caller }: Shown, row: IntegrationRow, owners: Owners) {
  const assets = assetsOf(addresses, row);
  return {
    object: 'integration' as const,
    name: row.integration_name,
    version: row.version,
    title: row.title,
    description: row.description,
    ...(row.summary !== null && { summary: row.summary }),
    previewImages: row.preview_ids.map((id) => `${assets}/images/${id}`),
    target: row.target,
    // This installation does not review integrations.
    verified: false,
    visibility: row.visibility,
    scopes: [...row.scopes],
    categories: [...row.categories] as 'other'[],
    blocks: [...row.blocks],
    contentSources: [...row.content_sources] as never[],
    configurations: row.configurations,
    externalLinks: [...row.external_links],
    owner: presentOwner(row.owner_id, owners, caller.id, addresses),
    urls: {
      location: addresses.of(`/v1/integrations/${row.integration_name}`),
      app: addresses.of(`/app/integrations/${row.integration_name}`),
      assets,
      ...publicEndpoints(`${assets}/endpoint`),
      ...(row.icon_id !== null && { icon: `${assets}/images/${row.icon_id}` }),
    },
    permissions: flags(integrations, ['admin', 'install'], row, caller.id),
    ...(row.content_security_policy !== null && {
      contentSecurityPolicy: row.content_security_policy as string,
    }),
  };
}

/** Newer clients ask for one without cookies. Here, none has any. */
export const publicEndpoints = (url: string) => ({ publicEndpoint: url, publicContentEndpoint: url });

function presentOwner(id: string, { own, others }: Owners, callerId: string, addresses: Addresses) {
  const mine = own.get(id);
  if (mine) return presentOrganization(mine, callerId, addresses);
  const other = others.get(id);
  if (!other) throw new Error(`the owner ${id} of an integration was not read`);
  return presentToOutsider(other, addresses);
}
