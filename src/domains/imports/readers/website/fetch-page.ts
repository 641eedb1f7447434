import { setTimeout as delay } from 'node:timers/promises';
import { OutboundError, type Outbound } from '../../../../platform/outbound/index.ts';
import { ImportError, unexpectedStatus } from '../../folder/imported-folder.ts';
import { HTTP_MS, MAX_HTML } from '../../limits.ts';
import type { Pacer } from './politeness.ts';

export interface FetchedPage {
  readonly kind: 'html' | 'markdown';
  readonly bytes: Buffer;
  readonly contentType?: string;
  /** The URL after redirects. */
  readonly url: string;
}

/** `redirect`: its target may not be followed. `refusal`: the response is no page. */
export type Fetched =
  | { readonly page: FetchedPage }
  | { readonly redirect: URL }
  | { readonly refusal: ImportError };

export interface PageRequest {
  readonly outbound: Outbound;
  readonly pacer: Pacer;
  readonly signal: AbortSignal;
  readonly mayFollow: (url: URL) => boolean;
}

interface Attempt {
  readonly fetched: Fetched;
  /** How long to wait before the second attempt. */
  readonly retryMs?: number;
  readonly isOverloaded?: boolean;
}

const ACCEPT = 'text/html,application/xhtml+xml,text/markdown;q=0.9';
const RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;

/** Requests a page; a second time if the server is overloaded or fails. Throws `OutboundError` without a response. */
export async function fetchPage(url: string, request: PageRequest): Promise<Fetched> {
  const { pacer, signal } = request;
  const first = await pacer.run(() => attempt(url, request)).catch(retryAfterReset);
  if ('fetched' in first && first.retryMs === undefined) return first.fetched;
  if ('fetched' in first && first.isOverloaded) pacer.slowDown();
  await delay(first.retryMs, undefined, { signal });
  return (await pacer.run(() => attempt(url, request))).fetched;
}

function retryAfterReset(error: unknown): { readonly retryMs: number } {
  const isReset =
    error instanceof OutboundError && (error.reason === 'unreachable' || error.reason === 'bad-response');
  if (!isReset) throw error;
  return { retryMs: RETRY_MS };
}

async function attempt(url: string, { outbound, signal, mayFollow }: PageRequest): Promise<Attempt> {
  const limits = { maxBytes: MAX_HTML, timeoutMs: HTTP_MS };
  const answer = await outbound.stream(url, { ...limits, accept: ACCEPT, signal, mayFollow });
  const { status, headers, body } = answer;
  const location = headers['location'];
  const contentType = headers['content-type'];
  const kind = kindOf(contentType, answer.url);
  if (status === 200 && kind !== undefined) {
    const bytes = Buffer.concat((await body.toArray()) as Buffer[]);
    return { fetched: { page: { kind, bytes, url: answer.url, ...(contentType && { contentType }) } } };
  }
  body.destroy();
  if (status >= 300 && status < 400 && location && URL.canParse(location, answer.url)) {
    return { fetched: { redirect: new URL(location, answer.url) } };
  }
  if (status === 200) {
    const advice = 'Send the URL of a web page, or choose another `source`.';
    return { fetched: { refusal: new ImportError(422, `This is ${contentType}, not a web page.`, advice) } };
  }
  const refusal = unexpectedStatus(status);
  return { fetched: { refusal }, ...retryOf(status, headers['retry-after']) };
}

/** The kind of a page by its content type; text of a file with the extension of Markdown is Markdown. */
function kindOf(contentType: string | undefined, url: string): FetchedPage['kind'] | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown';
  return type === 'text/plain' && /\.(?:md|markdown)$/i.test(new URL(url).pathname) ? 'markdown' : undefined;
}

function retryOf(status: number, retryAfter: string | undefined): Omit<Attempt, 'fetched'> {
  if ((status === 429 || status === 503) && retryAfter !== undefined) {
    const seconds = /^\s*\d+\s*$/.test(retryAfter)
      ? Number(retryAfter) * 1000
      : Date.parse(retryAfter) - Date.now();
    return seconds <= MAX_RETRY_MS ? { retryMs: Math.max(0, seconds), isOverloaded: true } : {};
  }
  return status >= 500 ? { retryMs: RETRY_MS } : {};
}
