import type { Context } from '../../platform/api/context.ts';
import { deriveToken } from '../users/index.ts';

/** What a program needs to show content. */
const READ_SCOPES = ['organization:read', 'space:read', 'site:read', 'site:search'] as const;

const HOUR_MS = 60 * 60 * 1000;

/**
 * A token of the caller that can only read. It is the same for an hour, so that resolving many URLs stores one row. Its
 * scopes are among those of the caller's token, and it ends with that token.
 */
export async function issueReadToken({ db, keys, caller, now }: Context): Promise<string> {
  const { scopes: granted, tokenId } = caller;
  const scopes = READ_SCOPES.filter((scope) => granted?.includes(scope) ?? true);
  const hour = Math.floor(now().getTime() / HOUR_MS);
  const token = `ov_${keys.sign('read-token', `${tokenId} ${scopes.join()} ${hour}`)}`;
  const expiresAt = new Date((hour + 2) * HOUR_MS);
  await deriveToken(db, { parentId: tokenId, token, label: 'Published content', scopes, expiresAt });
  return token;
}
