import { randomBytes } from 'node:crypto';
import type { Keys } from '../../platform/keys.ts';
import { openOwned, sealOwned } from '../../platform/owned-secret.ts';

/** The purpose of a secret: each has a key of its own. */
type Purpose = 'publishing-auth' | 'site-revalidation';

/** 256 random bits, as text: programs take the secret as they find it. */
export const newSiteSecret = (): string => randomBytes(32).toString('base64url');

export const sealSiteSecret = (keys: Keys, purpose: Purpose, siteId: string, secret: string): Buffer =>
  sealOwned(keys, purpose, siteId, secret);

export const openSiteSecret = (keys: Keys, purpose: Purpose, siteId: string, sealed: Buffer): string =>
  openOwned(keys, purpose, siteId, sealed);
