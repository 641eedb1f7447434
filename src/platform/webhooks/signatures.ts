import { createHmac, randomBytes } from 'node:crypto';

export const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** The signature covers the time, so that a receiver can refuse a request that was recorded and is sent again. */
export function signatureWithTime(secret: string, body: string, at: Date): string {
  const time = seconds(at);
  return `t=${time},v1=${hmac(secret, `${time}.${body}`)}`;
}

const PREFIX = 'whsec_';

/** A secret of Standard Webhooks: 256 random bits. */
export const newStandardSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** The headers of Standard Webhooks (https://www.standardwebhooks.com), with one signature for each secret. */
export function standardHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  at: Date,
): Readonly<Record<string, string>> {
  const time = seconds(at);
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${time}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}
