import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Client, type Dispatcher, errors } from 'undici';
import { decodeBody } from './body.ts';
import { connectTo, type Wire } from './connect.ts';
import { badResponse, OutboundError, tooLarge, unreachable } from './outbound-error.ts';
import type { Headers, Hop } from './request.ts';
import type { Target } from './target.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  read(maxBytes: number): Readable;
  discard(): void;
}

/** Headers of the connection and the compression, which end here, and cookies, which are not stored. */
const OWN_HEADERS = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'set-cookie',
]);

/** One request and its response, on its own connection: no later request can reuse it (request smuggling). */
export async function exchange(target: Target, hop: Hop, wire: Wire, signal: AbortSignal): Promise<Answer> {
  const { hostname } = target;
  const client = createClient(target, wire, signal);
  const close = () => void client.destroy().catch(() => {});
  let reply: Dispatcher.ResponseData;
  try {
    reply = await client.request({
      method: hop.method,
      path: `${target.url.pathname}${target.url.search}`,
      headers: hop.headers,
      body: hop.body ?? null,
      signal,
    });
  } catch (error) {
    close();
    throw explain(error, hostname, signal);
  }
  const { body, statusCode: status, headers } = reply;
  // The time limit may expire while the stream is not read; the error is thrown on the next read.
  body.on('error', () => {});
  signal.addEventListener('abort', close, { once: true });
  const discard = () => {
    body.destroy();
    close();
  };
  return {
    status,
    headers: plainHeaders(headers),
    discard,
    read(maxBytes) {
      if (hop.method === 'HEAD' || status === 204 || status === 304) {
        // Their headers may announce a body: that of a GET.
        discard();
        return Readable.from([]);
      }
      if (Number(headers['content-length']) > maxBytes) throw tooLarge(hostname, maxBytes);
      const encoding = joined(headers['content-encoding']);
      return decodeBody({ hostname, body, encoding, maxBytes, signal }).once('close', discard);
    },
  };
}

function createClient(target: Target, wire: Wire, signal: AbortSignal): Client {
  return new Client(target.url.origin, {
    pipelining: 1,
    // The caller's limit covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (_options, tell) => {
      connectTo(target, wire, signal).then(
        (socket) => tell(null, socket),
        (error: Error) => tell(error, null),
      );
    },
  });
}

function explain(error: unknown, hostname: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof OutboundError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'UND_ERR_INVALID_ARG') return error;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return badResponse(hostname, 'its headers are too large', error);
  if (error instanceof errors.HTTPParserError) return badResponse(hostname, 'it is not HTTP', error);
  return unreachable(hostname, error);
}

function plainHeaders(headers: IncomingHttpHeaders): Headers {
  const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, joined(value) ?? '']));
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
