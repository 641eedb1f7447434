import type { Addresses } from '../../platform/api/context.ts';
import { flags } from '../../platform/api/resource.ts';
import { collections, type CollectionRow } from './policy.ts';

export const presentCollection = (row: CollectionRow, callerId: string, addresses: Addresses) => ({
  object: 'collection' as const,
  id: row.collection_id,
  title: row.title,
  description: row.description ?? undefined,
  organization: row.organization_id,
  parent: row.parent_id ?? undefined,
  defaultLevel: row.default_level,
  urls: {
    location: addresses.of(`/v1/collections/${row.collection_id}`),
    app: addresses.of(`/app/collections/${row.collection_id}`),
  },
  permissions: flags(collections, ['view', 'admin', 'viewInviteLinks', 'create'], row, callerId),
});
