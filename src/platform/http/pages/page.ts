import type { Readable } from 'node:stream';
import type { Context, SharedContext, Turn } from '../../api/context.ts';
import type { ContentSecurityPolicy } from '../../api/content-security-policy.ts';
import type { HostKind } from '../receive/host.ts';

/** A request for a page, before its visitor is known. */
export interface BrowserRequest extends RawRequest {
  /** The host in lower case, without its port. */
  readonly host: string;
  /** The path as it was sent, without the base path of the service and without the query. */
  readonly path: string;
  /** The IP address of the client, or its IPv6 network. */
  readonly address: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
}

export interface Visit<V = undefined> extends BrowserRequest {
  readonly ctx: Omit<Context, 'caller'>;
  /** The bytes of a POST. */
  readonly body: Buffer;
  /** Parses them as the fields of a form: only where a page expects one, because others accept more bytes. */
  form(): URLSearchParams;
  /** The bytes of a PUT. */
  readonly content: Readable;
  /** The result of `identify`. */
  readonly visitor: V;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Taken by pages of which one tenant may have many requests that compute; the kernel ends it. */
  readonly turn: Turn;
}

export interface PageAnswer {
  readonly status: number;
  readonly body: string | Buffer | Readable;
  readonly type?: string;
  /** Instead of that of the page. */
  readonly cacheControl?: string;
  /** A request that has it already (`If-None-Match`) gets 304. */
  readonly etag?: string;
  readonly location?: string;
  /** They override the headers of every page. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests with the same name and key share one limit. */
export interface PageLimit {
  readonly name: string;
  readonly perMinute: number;
  /** Called before anything is looked up. No part of it may be text that the client chooses freely. */
  readonly key: (request: Pick<BrowserRequest, 'host' | 'path' | 'address'>, ctx: SharedContext) => string;
}

/** A visitor at a keyboard needs far fewer requests; guessing links takes far more. */
export const PAGE_LIMIT: PageLimit = { name: 'page', perMinute: 120, key: ({ address }) => address };

/** A request before any part of it is parsed. */
export interface RawRequest {
  /** The URL without the base path of the service. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Headers of every page. */
export const PAGE_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

interface PageFacts {
  /** POST is a form, handled in a transaction. PUT is bytes, which the handler reads as a stream. */
  readonly method: 'GET' | 'POST' | 'PUT';
  /** A POST that changes nothing: it needs no transaction. */
  readonly isReadOnly?: boolean;
  /** `{name}` is one segment; a final `*` is the rest of the path, `params['*']`. */
  readonly path: string;
  /** The limit of the body of a POST in bytes. Default: that of a form. */
  readonly maxBody?: number;
  /** Default: every host. Of two pages with one path, the one that declares the host of the request is served. */
  readonly host?: HostKind;
  /** Default: `PAGE_LIMIT`. `none` for addresses that cannot be guessed and of which one page may show hundreds. */
  readonly limit?: PageLimit | 'none';
  /** Default: `STRICT_POLICY`. */
  readonly contentSecurityPolicy?: ContentSecurityPolicy;
  /** Default: `no-store`. */
  readonly cacheControl?: string;
  /** Answers requests with a method that no page has at this path, before their body is read. Default: 404. */
  readonly answerOtherMethod?: (visit: Visit, method: string) => Promise<PageAnswer>;
  /** Imports, exports, PDFs: the heavy process performs it, however small it is. */
  readonly isHeavy?: boolean;
  /** Never compressed: its length, ETag and ranges are those of the stored bytes. */
  readonly isUncompressed?: boolean;
}

/** A page that is the same for every visitor. */
interface AnonymousPage extends PageFacts {
  readonly identify?: undefined;
  readonly handle: (visit: Visit) => Promise<PageAnswer>;
}

interface IdentifiedPage<V> extends PageFacts {
  /** Who views the page, by a cookie or a token of the request. */
  readonly identify: (visit: Visit) => Promise<V>;
  readonly handle: (visit: Visit<V>) => Promise<PageAnswer>;
}

/** A page, picture or file for browsers: no bearer token, no JSON. One value, as an operation is. */
export interface Page extends PageFacts {
  readonly handle: (visit: Visit) => Promise<PageAnswer>;
}

export function page(declaration: AnonymousPage): Page;
export function page<V>(declaration: IdentifiedPage<V>): Page;
export function page<V>(declaration: AnonymousPage | IdentifiedPage<V>): Page {
  if (!declaration.identify) return declaration;
  const { identify, handle, ...facts } = declaration;
  return { ...facts, handle: async (visit) => handle({ ...visit, visitor: await identify(visit) }) };
}
