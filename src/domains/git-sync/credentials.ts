import type { Credential } from '../../platform/git/index.ts';
import type { Keys } from '../../platform/keys.ts';

const PURPOSE = 'git-credential';

export const sealCredential = (keys: Keys, credential: Credential | undefined): Buffer | undefined =>
  credential && keys.seal(PURPOSE, JSON.stringify(credential));

export const openCredential = (keys: Keys, sealed: Buffer | null): Credential | undefined =>
  sealed === null ? undefined : (JSON.parse(keys.open(PURPOSE, sealed)) as Credential);
