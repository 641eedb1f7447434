import type { Addresses } from '../../platform/api/context.ts';
import { atLeast } from '../access/index.ts';
import { presentCollection, type CollectionRow } from '../collections/index.ts';
import { presentSpace, type SpaceRow } from '../spaces/index.ts';
import type { InviteRow } from './policy.ts';

/** The page for browsers. */
export const invitePath = (code: string): string => `/invite/${code}`;

/** Where an account joins with its own token. */
export const joinPath = (organizationId: string, inviteId: string): string =>
  `/v1/orgs/${organizationId}/invites/${inviteId}`;

/** Whether the invitation is to a space or collection, not to the organization itself. */
export const leadsInside = (row: Pick<InviteRow, 'space_id' | 'collection_id'>): boolean =>
  row.space_id !== null || row.collection_id !== null;

/** The target of the link, as the caller may see it. */
export interface Inside {
  readonly space?: SpaceRow | undefined;
  readonly collection?: CollectionRow | undefined;
}

const presentInside = ({ space, collection }: Inside, callerId: string, addresses: Addresses) => ({
  space: space && presentSpace(space, callerId, addresses),
  collection: collection && presentCollection(collection, callerId, addresses),
});

export function presentInviteLink(row: InviteRow, inside: Inside, callerId: string, addresses: Addresses) {
  const { space, collection } = inside;
  const standard = (space ?? collection)?.default_level;
  return {
    object: 'invite' as const,
    id: row.invite_id,
    ...(leadsInside(row) ? { level: row.invited_role } : { role: row.invited_role }),
    redundant: standard !== undefined && (row.invited_role === null || atLeast(standard, row.invited_role)),
    ...presentInside(inside, callerId, addresses),
    expiresAt: row.expires_at.toISOString(),
    active: row.is_active,
    urls: {
      location: addresses.of(`/v1/orgs/${row.organization_id}/link-invites/${row.invite_id}`),
      join: addresses.of(invitePath(row.invite_id)),
    },
  };
}

/** Every link of a list has a role in the organization: null for a link to a space or collection. */
export const presentListedLink = (...link: Parameters<typeof presentInviteLink>) => {
  const presented = presentInviteLink(...link);
  return 'role' in presented ? presented : { ...presented, role: null };
};

export const presentEmailInvite = (
  row: InviteRow,
  inside: Inside,
  callerId: string,
  addresses: Addresses,
) => ({
  object: 'email-invite' as const,
  id: row.invite_id,
  email: row.email ?? '',
  // Invited to a space or collection: a guest of the organization.
  ...(leadsInside(row) ? { role: null, level: row.invited_role } : { role: row.invited_role }),
  ...presentInside(inside, callerId, addresses),
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  active: row.is_active,
});
