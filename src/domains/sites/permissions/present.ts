import type { Addresses } from '../../../platform/api/context.ts';
import { presentUser } from '../../users/index.ts';
import type { SitePermissionRow } from './store.ts';

export const presentSitePermission = (
  row: SitePermissionRow,
  organizationId: string,
  addresses: Addresses,
) => ({
  permission: row.permission,
  user: presentUser(row, addresses),
  disabled: row.disabled,
  origin: row.space_id
    ? { type: 'space' as const, space: row.space_id }
    : { type: 'organization' as const, organization: organizationId },
});
