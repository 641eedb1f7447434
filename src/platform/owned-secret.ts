import type { Keys } from './keys.ts';

/** The owner is sealed with its secret, so that a row that was copied to another owner does not open. */
export const sealOwned = (keys: Keys, purpose: string, ownerId: string, secret: string): Buffer =>
  keys.seal(purpose, `${ownerId} ${secret}`);

export function openOwned(keys: Keys, purpose: string, ownerId: string, sealed: Buffer): string {
  const opened = keys.open(purpose, sealed);
  const owner = `${ownerId} `;
  if (!opened.startsWith(owner)) throw new Error(`the sealed secret of ${ownerId} belongs to another owner`);
  return opened.slice(owner.length);
}
