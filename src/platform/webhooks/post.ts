import type { Readable } from 'node:stream';
import { OutboundError, type Outbound } from '../outbound/index.ts';
import { readRetryAfter } from './retry.ts';

/** A request that tells another server what happened. It is repeated after a failure: its receiver must be idempotent. */
export interface Webhook {
  readonly url: string;
  /** JSON text. */
  readonly body: string;
  /** Signatures. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** The status of the response, or why there was none: then it is unknown whether the request arrived. */
export type WebhookResult =
  | {
      readonly ok: boolean;
      readonly status: number;
      readonly error?: undefined;
      /** How long the receiver asks to wait. */
      readonly retryAfterMs?: number | undefined;
      /** The beginning of the response to a request that failed. */
      readonly excerpt?: string | undefined;
    }
  | { readonly ok: false; readonly status?: undefined; readonly error: string };

const MAX_EXCERPT = 1024;
/** For the excerpt: a receiver that sends its response slowly takes no longer. */
const EXCERPT_MS = 1_000;

/** One attempt. Redirects are not followed, and of the response no more than an excerpt is read. */
export async function postWebhook(
  outbound: Outbound,
  { url, body, headers, timeoutMs }: Webhook,
  now: Date,
): Promise<WebhookResult> {
  try {
    const answer = await outbound.stream(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirects: 0,
      // The status counts, however large the body is said to be.
      maxBytes: Number.MAX_SAFE_INTEGER,
      timeoutMs,
    });
    answer.body.on('error', () => undefined);
    const { status } = answer;
    if (status >= 200 && status < 300) {
      answer.body.destroy();
      return { ok: true, status };
    }
    const excerpt = await readExcerpt(answer.body);
    return { ok: false, status, retryAfterMs: readRetryAfter(answer.headers['retry-after'], now), excerpt };
  } catch (error) {
    if (error instanceof OutboundError) return { ok: false, error: error.message };
    throw error;
  }
}

async function readExcerpt(body: Readable): Promise<string | undefined> {
  const timer = setTimeout(() => body.destroy(), EXCERPT_MS);
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes = Buffer.concat([bytes, chunk.subarray(0, MAX_EXCERPT - bytes.length)]);
      if (bytes.length >= MAX_EXCERPT) break;
    }
  } catch {
    // The status is known; what was read is an excerpt, too.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  // PostgreSQL stores no NUL characters.
  return bytes.length > 0 ? bytes.toString('utf8').replaceAll('\u0000', '\ufffd') : undefined;
}
