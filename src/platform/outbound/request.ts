import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ACCEPTED_ENCODINGS } from './body.ts';
import { blocked } from './outbound-error.ts';
import { parseUrl } from './target.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Headers = Readonly<Record<string, string>>;

export interface OutboundRequest {
  readonly method?: Method;
  readonly headers?: Headers;
  readonly body?: string | Uint8Array;
  /** The `Accept` header. */
  readonly accept?: string;
  /** Maximum size of the response body in bytes, compressed or not. */
  readonly maxBytes: number;
  /** Overall time limit: name resolution, connection, redirects and body. */
  readonly timeoutMs: number;
  /** Maximum number of redirects, at most 3. */
  readonly redirects?: number;
  /** Asked before each redirect is followed. False: the redirect itself is the response. */
  readonly mayFollow?: (url: URL) => boolean;
  readonly signal?: AbortSignal;
}

/** One request of a redirect chain. */
export interface Hop {
  readonly url: URL;
  readonly method: Method;
  readonly headers: Headers;
  readonly body: string | Uint8Array | undefined;
}

/** Headers that callers may not set: those of the connection, and cookies, which are not supported. */
const RESERVED_HEADER =
  /^(host|connection|keep-alive|content-length|transfer-encoding|upgrade|expect|te|trailer|accept-encoding|cookie2?|proxy-.*)$/i;
/** Headers that are sent to another origin: an allow-list, as callers may send secrets of their own. */
const HARMLESS_HEADERS = new Set([
  'accept',
  'accept-language',
  'user-agent',
  'accept-encoding',
  'content-type',
]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function firstHop(address: string | URL, request: OutboundRequest, userAgent: string): Hop {
  const url = parseUrl(address);
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: request.accept ?? '*/*' };
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    requireHeader(name, value);
    headers[name.toLowerCase()] = value;
  }
  headers['accept-encoding'] = ACCEPTED_ENCODINGS;
  return { url, method: request.method ?? 'GET', headers, body: request.body };
}

function requireHeader(name: string, value: string): void {
  if (RESERVED_HEADER.test(name)) throw blocked(`The header ${name} cannot be set.`);
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw blocked(`The header ${JSON.stringify(name)} contains invalid characters.`);
  }
}

/** The target of a redirect, if the response is one. */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!REDIRECTS.has(status) || !location) return undefined;
  const url = parseUrl(location, hop.url);
  const isSameOrigin = url.origin === hop.url.origin;
  const becomesGet = status < 307 && hop.method !== 'GET' && hop.method !== 'HEAD';
  const kept = Object.entries(hop.headers).filter(
    ([name]) => (isSameOrigin || HARMLESS_HEADERS.has(name)) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(kept),
    body: becomesGet ? undefined : hop.body,
  };
}
