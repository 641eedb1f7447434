import { hash } from 'node:crypto';
import type { Addresses } from '../../platform/context.ts';
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

/**
 * The picture of a person who has not chosen one. Its address says all there is to draw, so that serving it asks
 * nobody and reveals nobody.
 */
function avatarPath(userId: string, displayName: string): string {
  const words = displayName.trim().split(/\s+/);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
  const hue = Number.parseInt(hash('sha1', userId, 'hex').slice(0, 4), 16) % 360;
  return `/avatars/${hue}-${encodeURIComponent(initials || '?')}.svg`;
}
