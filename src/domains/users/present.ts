import { hash } from 'node:crypto';
import type { Addresses, Caller } from '../../platform/api/context.ts';
import type { TokenRow, UserColumns } from './policy.ts';

/** A deleted user. Ids are never empty: all deleted users have this one, and no other user has it. */
export const DELETED_USER: UserColumns = {
  user_id: 'somebody',
  display_name: 'Somebody',
  email: '',
  photo_url: null,
};

/** The caller as others see them. */
export const asUser = (caller: Caller): UserColumns => ({
  user_id: caller.id,
  display_name: caller.displayName,
  email: caller.emailProven ? caller.email : '',
  photo_url: caller.photoUrl,
});

export const presentUser = (given: UserColumns | null, addresses: Addresses) => {
  const user = given ?? DELETED_USER;
  const { user_id: id, display_name: displayName, email, photo_url: photo } = user;
  return {
    object: 'user' as const,
    id,
    displayName,
    email,
    photoURL: photo ?? addresses.of(avatarPathOf(user)),
    urls: { location: addresses.of(`/v1/users/${id}`) },
  };
};

export const presentToken = (row: Omit<TokenRow, 'role'>) => ({
  object: 'user-token' as const,
  id: row.token_id,
  label: row.label,
  ...(row.scopes ? { scopes: row.scopes } : {}),
  createdAt: row.created_at.toISOString(),
  ...(row.expires_at ? { expiresAt: row.expires_at.toISOString() } : {}),
  ...(row.last_used_at ? { lastUsedAt: row.last_used_at.toISOString() } : {}),
});

/** One person wrote most comments of many lists: their avatar is derived once. */
const avatarPaths = new WeakMap<UserColumns, string>();

function avatarPathOf(user: UserColumns): string {
  let known = avatarPaths.get(user);
  if (known === undefined) avatarPaths.set(user, (known = avatarPath(user.user_id, user.display_name)));
  return known;
}

/**
 * The picture of a user without one of their own. Its address contains all that is drawn, so that serving it needs no
 * query and reveals nothing.
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
