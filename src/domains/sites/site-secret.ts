import { randomBytes } from 'node:crypto';
import type { Keys } from '../../platform/keys.ts';

/** The purpose of a secret: each has a key of its own. */
type Purpose = 'publishing-auth' | 'site-revalidation';

/** 256 random bits, as text: programs take the secret as they find it. */
export const newSiteSecret = (): string => randomBytes(32).toString('base64url');

/** The site is sealed with its secret, so that a row that was copied to another site does not open. */
export const sealSiteSecret = (keys: Keys, purpose: Purpose, siteId: string, secret: string): Buffer =>
  keys.seal(purpose, `${siteId} ${secret}`);

export function openSiteSecret(keys: Keys, purpose: Purpose, siteId: string, sealed: Buffer): string {
  const opened = keys.open(purpose, sealed);
  const owner = `${siteId} `;
  if (!opened.startsWith(owner))
    throw new Error(`the sealed secret of site ${siteId} belongs to another site`);
  return opened.slice(owner.length);
}
