import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Compares a secret with a given value in constant time. Both are hashed first, so that they have one length.
 */
export const equalsSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(digest(given), digest(secret));

/** Everything derived from the installation's master key, one key per purpose. */
export interface Keys {
  /** Identifies the master key without revealing it. */
  readonly fingerprint: string;
  sign(purpose: string, text: string): string;
  seal(purpose: string, text: string): Buffer;
  open(purpose: string, sealed: Buffer): string;
}

export function deriveKeys(masterKey: string): Keys {
  const derived = new Map<string, Buffer>();
  const keyFor = (purpose: string): Buffer => {
    let key = derived.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', masterKey, 'octavo', purpose, 32));
      derived.set(purpose, key);
    }
    return key;
  };
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', keyFor(purpose)).update(text).digest('base64url');

  return {
    fingerprint: sign('fingerprint', 'octavo').slice(0, 22),
    sign,
    seal(purpose, text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(purpose, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}
