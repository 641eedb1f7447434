import type { Readable } from 'node:stream';
import { followSignals } from '../follow-signals.ts';
import { dialTcp, type Dial } from './connect.ts';
import type { Answer } from './exchange.ts';
import { timedOut, tooManyRedirects } from './outbound-error.ts';
import { firstHop, nextHop, type Headers, type Hop, type OutboundRequest } from './request.ts';
import { resolveInternetName, resolveLocalName, type Resolve } from './resolve.ts';
import { createRules } from './rules.ts';
import { checkTarget, parseUrl, type Target } from './target.ts';
import { createTxtResolver, type ResolveTxt } from './txt-records.ts';

export { OutboundError, type OutboundReason } from './outbound-error.ts';
export { isAllowEntry } from './rules.ts';
export { parseUrl, type Target } from './target.ts';

const MAX_REDIRECTS = 3;
const CHECK_MS = 10_000;

export interface OutboundOptions {
  /** Private hosts, addresses or networks that are allowed: see `createRules`. */
  readonly allow: readonly string[];
  /** Own addresses, as `address:port`: never allowed. */
  readonly ownAddresses: readonly string[];
  readonly userAgent?: string;
  /** Certificates (PEM) to trust instead of the system's. */
  readonly ca?: string;
  /** Name resolution and connections; tests replace them. */
  readonly resolve?: Resolve;
  readonly dial?: Dial;
  /** Name servers for TXT records: `address` or `address:port`. Default: those of the system. */
  readonly dnsServers?: readonly string[];
}

export interface OutboundAnswer<Body> {
  readonly status: number;
  /** Names are in lower case. Headers about the connection, the compression and cookies are left out. */
  readonly headers: Headers;
  /** The last address, after redirects. */
  readonly url: string;
  readonly body: Body;
}

/** The client for all requests to other servers: no URL, whatever its source, reaches a private address. */
export interface Outbound {
  /** Returns any status. Throws `OutboundError` if there is no response. */
  fetch(url: string | URL, request: OutboundRequest): Promise<OutboundAnswer<Buffer>>;
  /** Streams large bodies. The limits apply to the whole stream, which fails with an `OutboundError`. */
  stream(url: string | URL, request: OutboundRequest): Promise<OutboundAnswer<Readable>>;
  /** The addresses to which programs that connect by themselves (git) must be pinned. */
  check(url: string | URL): Promise<Target>;
  readonly resolveTxt: ResolveTxt;
}

export function createOutbound(options: OutboundOptions): Outbound {
  const guard = {
    rules: createRules(options.allow, options.ownAddresses),
    resolveInternetName: options.resolve ?? resolveInternetName,
    resolveLocalName: options.resolve ?? resolveLocalName,
  };
  const wire = { dial: options.dial ?? dialTcp, ca: options.ca };
  const userAgent = options.userAgent ?? 'Octavo';

  async function follow(
    first: Hop,
    { redirects = MAX_REDIRECTS, mayFollow }: OutboundRequest,
    signal: AbortSignal,
  ): Promise<{ answer: Answer; hop: Hop }> {
    // Loaded with the first request: many servers never make one.
    const { exchange } = await import('./exchange.ts');
    const most = Math.min(redirects, MAX_REDIRECTS);
    let hop = first;
    for (let followed = 0; ; followed++) {
      const target = await checkTarget(guard, hop.url, signal);
      const answer = await exchange(target, hop, wire, signal);
      try {
        const next = nextHop(hop, answer.status, answer.headers['location']);
        if (!next || mayFollow?.(next.url) === false) return { answer, hop };
        if (followed === most) throw tooManyRedirects(first.url.hostname, most);
        answer.discard();
        hop = next;
      } catch (error) {
        answer.discard();
        throw error;
      }
    }
  }

  async function stream(url: string | URL, request: OutboundRequest): Promise<OutboundAnswer<Readable>> {
    const first = firstHop(url, request, userAgent);
    const limit = startLimit(first.url.hostname, request);
    let answer: Answer | undefined;
    try {
      const last = await follow(first, request, limit.signal);
      answer = last.answer;
      const body = answer.read(request.maxBytes).once('close', limit.end);
      return { status: answer.status, headers: answer.headers, url: last.hop.url.href, body };
    } catch (error) {
      answer?.discard();
      limit.end();
      throw error;
    }
  }

  return {
    stream,
    resolveTxt: createTxtResolver(options.dnsServers ?? []),
    async fetch(url, request) {
      const answer = await stream(url, request);
      return { ...answer, body: Buffer.concat((await answer.body.toArray()) as Buffer[]) };
    },
    async check(url) {
      const limit = startLimit('The host', { timeoutMs: CHECK_MS });
      try {
        return await checkTarget(guard, parseUrl(url), limit.signal);
      } finally {
        limit.end();
      }
    },
  };
}

/** Until `end`, which must be called: the caller's signal may outlive thousands of requests. */
function startLimit(hostname: string, request: Pick<OutboundRequest, 'timeoutMs' | 'signal'>) {
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(timedOut(hostname, request.timeoutMs)), request.timeoutMs);
  const { signal, end } = followSignals(request.signal ? [request.signal, time.signal] : [time.signal]);
  return {
    signal,
    end: () => {
      clearTimeout(timer);
      end();
    },
  };
}
