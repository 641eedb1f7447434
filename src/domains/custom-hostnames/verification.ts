import type { Keys } from '../../platform/keys.ts';

/** The DNS record that proves that a hostname may show a site. */
export interface Verification {
  readonly type: 'TXT';
  readonly name: string;
  readonly value: string;
}

/** The value is derived from both: it proves nothing for another hostname, and nothing for another site. */
export const verificationOf = (keys: Keys, hostname: string, siteId: string): Verification => ({
  type: 'TXT',
  name: `_octavo.${hostname}`,
  value: `octavo-site=${keys.sign('custom-hostname', `${hostname} ${siteId}`)}`,
});
