import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError, badRequest, tooLarge, unsupportedMedia } from '../../api/errors.ts';
import { receive } from './body-bytes.ts';

/** JSON and Markdown compress to a tenth, rarely to a fiftieth. */
const MAX_RATIO = 100;
/** Bytes that are always allowed, whatever the ratio. */
const MIN_LIMIT = 64 * 1024;

const DECOMPRESS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const isPlain = (encoding: string | undefined): boolean => encoding === undefined || encoding === 'identity';

export function requireKnownEncoding(encoding: string | undefined): void {
  if (isPlain(encoding) || DECOMPRESS.has(encoding ?? '')) return;
  throw unsupportedMedia('Send the body uncompressed, or with `Content-Encoding: gzip` or `br`.');
}

/** The decoded body: at most `limit` bytes, and at most 100 for each byte that was sent. */
export async function decompress(
  bytes: Buffer,
  encoding: string | undefined,
  limit: number,
  hold?: (bytes: number) => void,
): Promise<Buffer> {
  requireKnownEncoding(encoding);
  const create = DECOMPRESS.get(encoding ?? '');
  if (!create) return bytes;
  const allowed = Math.min(limit, Math.max(MIN_LIMIT, bytes.length * MAX_RATIO));
  const refusal = () =>
    tooLarge(
      allowed === limit
        ? `The decompressed body exceeds the limit of ${limit} bytes for this operation.`
        : `The compression ratio of the body exceeds ${MAX_RATIO}. Send it uncompressed.`,
    );
  const stream = create();
  stream.end(bytes);
  try {
    return await receive(stream, { limit: allowed, refusal, hold });
  } catch (error) {
    throw error instanceof ApiError ? error : badRequest(`The body is not valid ${encoding}.`);
  } finally {
    stream.destroy();
  }
}
