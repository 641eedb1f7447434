import type { Keys } from '../../platform/keys.ts';

const PURPOSE = 'integration';

/** The name is sealed with the secret, so that a row that was copied to another integration does not open. */
export const sealIntegrationSecret = (keys: Keys, name: string, text: string): Buffer =>
  keys.seal(PURPOSE, `${name} ${text}`);

export function openIntegrationSecret(keys: Keys, name: string, sealed: Buffer): string {
  const opened = keys.open(PURPOSE, sealed);
  if (!opened.startsWith(`${name} `))
    throw new Error(`the sealed secret of the integration ${name} belongs to another one`);
  return opened.slice(name.length + 1);
}
