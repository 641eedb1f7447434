import { pipeline, Readable, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { badResponse, OutboundError, tooLarge } from './outbound-error.ts';

export const ACCEPTED_ENCODINGS = 'gzip, br';

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

interface Encoded {
  readonly hostname: string;
  readonly body: Readable;
  /** `Content-Encoding` as it came. */
  readonly encoding: string | undefined;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The decompressed body. Fails as soon as it is too large, compressed or not. */
export function decodeBody(encoded: Encoded): Readable {
  const createDecoder = decoderFor(encoded);
  return Readable.from(explained(encoded, createDecoder), { objectMode: false });
}

function decoderFor({ encoding, hostname }: Encoded): (() => Duplex) | undefined {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return undefined;
  // Repeated encodings ("gzip, gzip") are used by decompression bombs only.
  const create = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!create) throw badResponse(hostname, 'its content encoding was not requested');
  return create;
}

async function* explained(
  encoded: Encoded,
  createDecoder: (() => Duplex) | undefined,
): AsyncGenerator<Buffer> {
  const { body, hostname, signal } = encoded;
  const capped = (source: AsyncIterable<Buffer>) => cap(source, encoded);
  try {
    yield* capped(createDecoder ? pipeline(body, capped, createDecoder(), () => {}) : body);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundError) throw error;
    throw badResponse(hostname, 'it is damaged or truncated', error);
  }
}

async function* cap(source: AsyncIterable<Buffer>, { hostname, maxBytes }: Encoded): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(hostname, maxBytes);
    yield chunk;
  }
}
