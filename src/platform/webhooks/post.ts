import { createHmac } from 'node:crypto';
import { OutboundError, type Outbound } from '../outbound/index.ts';

/** A request that tells another server what happened. It is repeated after a failure: its receiver must be idempotent. */
export interface Webhook {
  readonly url: string;
  readonly secret: string;
  /** JSON text. */
  readonly body: string;
  /** Besides the signature with the time. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status of the response, or why there was none. */
export type WebhookResult =
  | { readonly ok: boolean; readonly status: number; readonly error?: undefined }
  | { readonly ok: false; readonly status?: undefined; readonly error: string };

const TIMEOUT_MS = 5_000;
const MAX_RESPONSE = 1024 * 1024;

export const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

/** The signature covers the time, so that a receiver can refuse a request that was recorded and is sent again. */
const signature = (secret: string, body: string, at: Date): string => {
  const time = Math.floor(at.getTime() / 1000);
  return `t=${time},v1=${hmac(secret, `${time}.${body}`)}`;
};

/** One attempt. Redirects are not followed, and the body of the response is not read. */
export async function postWebhook(
  outbound: Outbound,
  { url, secret, body, headers }: Webhook,
  at: Date,
): Promise<WebhookResult> {
  try {
    const { status, body: answer } = await outbound.stream(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-octavo-signature': signature(secret, body, at),
        ...headers,
      },
      body,
      redirects: 0,
      maxBytes: MAX_RESPONSE,
      timeoutMs: TIMEOUT_MS,
    });
    answer.on('error', () => undefined).destroy();
    return { ok: status >= 200 && status < 300, status };
  } catch (error) {
    if (error instanceof OutboundError) return { ok: false, error: error.message };
    throw error;
  }
}

/** After so many failures in a row, nothing is sent until there is something new. */
export const MAX_ATTEMPTS = 8;

const FIRST_RETRY_MS = 5_000;

/** 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, 6 h. */
export const retryDelayMs = (failures: number): number => FIRST_RETRY_MS * 4 ** (failures - 1);
