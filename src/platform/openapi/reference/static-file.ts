import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from '../../api/etag.ts';

type Encoding = 'br' | 'gzip' | 'identity';

/** A file that is the same for every caller: built on the first request, compressed once per encoding, then cached. */
export interface StaticFile {
  readonly headers: Readonly<Record<string, string>>;
  hash(): Promise<string>;
  bytes(encoding: Encoding): Promise<Buffer>;
}

export function staticFile(
  headers: Readonly<Record<string, string>>,
  load: () => Promise<string | Buffer>,
): StaticFile {
  let loaded: Promise<Buffer> | undefined;
  let hashed: Promise<string> | undefined;
  const encoded = new Map<Encoding, Promise<Buffer>>();
  const plain = () => (loaded ??= load().then((content) => Buffer.from(content)));
  return {
    headers,
    hash: () => (hashed ??= plain().then((content) => hash('sha256', content, 'base64url').slice(0, 16))),
    bytes(encoding) {
      const bytes = encoded.get(encoding) ?? plain().then((content) => compress(content, encoding));
      encoded.set(encoding, bytes);
      return bytes;
    },
  };
}

export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
): Promise<FastifyReply> {
  // Weak: the same content, but not the same bytes in every encoding.
  const etag = `W/"${await file.hash()}"`;
  void reply.headers({ ...file.headers, etag, vary: 'accept-encoding', 'x-content-type-options': 'nosniff' });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  const bytes = await file.bytes(encoding);
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.send(bytes);
}

function acceptedEncoding(header: string | string[] | undefined): Encoding {
  const accepted = String(header ?? '')
    .split(',')
    .map((part) => part.trim());
  const isAccepted = (encoding: Encoding) =>
    accepted.some((part) => part.split(';')[0] === encoding && !/;\s*q=0(\.0*)?$/.test(part));
  return (['br', 'gzip'] as const).find(isAccepted) ?? 'identity';
}

const brotli = promisify<Buffer, object, Buffer>(brotliCompress);
const zip = promisify<Buffer, Buffer>(gzip);

/** Quality 5: the reference's script takes 0.2 s and gets 25 % of its size; the best quality takes 9 s for 22 %. */
async function compress(content: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      return brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    case 'gzip':
      return zip(content);
    case 'identity':
      return content;
  }
}
