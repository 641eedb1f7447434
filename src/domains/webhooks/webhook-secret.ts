import type { Keys } from '../../platform/keys.ts';
import { openOwned, sealOwned } from '../../platform/owned-secret.ts';

const PURPOSE = 'webhook';

export const sealWebhookSecret = (keys: Keys, webhookId: string, secret: string): Buffer =>
  sealOwned(keys, PURPOSE, webhookId, secret);

export const openWebhookSecret = (keys: Keys, webhookId: string, sealed: Buffer): string =>
  openOwned(keys, PURPOSE, webhookId, sealed);
