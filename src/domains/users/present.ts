import type { Addresses } from '../../platform/context.ts';
import { avatarPath } from './avatar.ts';
import type { TokenRow, UserRow } from './policy.ts';

export type UserColumns = Omit<UserRow, 'role' | 'version'>;

export const presentUser = (row: UserColumns, addresses: Addresses) => ({
  object: 'user' as const,
  id: row.user_id,
  displayName: row.display_name,
  email: row.email,
  photoURL: row.photo_url ?? addresses.of(avatarPath(row.user_id, row.display_name)),
  urls: { location: addresses.of(`/v1/users/${row.user_id}`) },
});

export const presentToken = (row: Omit<TokenRow, 'role'>) => ({
  object: 'user-token' as const,
  id: row.token_id,
  label: row.label,
  ...(row.scopes ? { scopes: row.scopes } : {}),
  createdAt: row.created_at.toISOString(),
  ...(row.expires_at ? { expiresAt: row.expires_at.toISOString() } : {}),
  ...(row.last_used_at ? { lastUsedAt: row.last_used_at.toISOString() } : {}),
});
