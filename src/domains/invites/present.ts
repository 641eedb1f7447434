import type { Addresses } from '../../platform/context.ts';
import { atLeast } from '../../platform/roles.ts';
import { presentCollection, type CollectionRow } from '../collections/index.ts';
import { presentSpace, type SpaceRow } from '../spaces/index.ts';
import type { InviteRow } from './policy.ts';

export const invitePath = (code: string): string => `/invite/${code}`;

/** What the link leads into, as the caller may see it. */
export interface Inside {
  readonly space?: SpaceRow | undefined;
  readonly collection?: CollectionRow | undefined;
}

export function presentInviteLink(row: InviteRow, inside: Inside, callerId: string, addresses: Addresses) {
  const { space, collection } = inside;
  const standard = (space ?? collection)?.default_level;
  return {
    object: 'invite' as const,
    id: row.invite_id,
    ...(space || collection ? { level: row.invited_role } : { role: row.invited_role }),
    redundant: standard !== undefined && (row.invited_role === null || atLeast(standard, row.invited_role)),
    space: space && presentSpace(space, callerId, addresses),
    collection: collection && presentCollection(collection, callerId, addresses),
    urls: {
      location: addresses.of(`/v1/orgs/${row.organization_id}/link-invites/${row.invite_id}`),
      join: addresses.of(invitePath(row.invite_id)),
    },
  };
}

export const presentEmailInvite = (row: InviteRow) => ({
  object: 'email-invite' as const,
  id: row.invite_id,
  email: row.email ?? '',
  // Into a space or collection: a guest of the organization.
  role: row.space_id === null && row.collection_id === null ? row.invited_role : null,
  createdAt: row.created_at.toISOString(),
  expiresAt: (row.expires_at ?? row.created_at).toISOString(),
});
