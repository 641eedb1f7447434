import { randomBytes } from 'node:crypto';
import type { Keys } from '../../platform/keys.ts';

const PURPOSE = 'publishing-auth';

/** 256 random bits, as text: signing programs take the key as they find it. */
export const newPrivateKey = (): string => randomBytes(32).toString('base64url');

/** The site is sealed with its key, so that a row that was copied to another site does not open. */
export const sealPrivateKey = (keys: Keys, siteId: string, privateKey: string): Buffer =>
  keys.seal(PURPOSE, `${siteId} ${privateKey}`);

export function openPrivateKey(keys: Keys, siteId: string, sealed: Buffer): string {
  const [owner, privateKey = ''] = keys.open(PURPOSE, sealed).split(' ');
  if (owner !== siteId) throw new Error(`the sealed key of site ${siteId} belongs to another site`);
  return privateKey;
}
