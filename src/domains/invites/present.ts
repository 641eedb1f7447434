import type { Addresses } from '../../platform/context.ts';
import type { InviteRow } from './policy.ts';

export const invitePath = (code: string): string => `/invite/${code}`;

export const presentInviteLink = (row: InviteRow, addresses: Addresses) => ({
  object: 'invite' as const,
  id: row.invite_id,
  role: row.invited_role,
  redundant: false,
  urls: {
    location: addresses.of(`/v1/orgs/${row.organization_id}/link-invites/${row.invite_id}`),
    join: addresses.of(invitePath(row.invite_id)),
  },
});

export const presentEmailInvite = (row: InviteRow) => ({
  object: 'email-invite' as const,
  id: row.invite_id,
  email: row.email ?? '',
  role: row.invited_role,
  createdAt: row.created_at.toISOString(),
  expiresAt: (row.expires_at ?? row.created_at).toISOString(),
});
