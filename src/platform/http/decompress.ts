import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { badRequest, tooLarge, unsupportedMedia } from '../api/errors.ts';

/** JSON and Markdown compress to a tenth, rarely to a fiftieth. */
const MAX_RATIO = 100;
/** What a few bytes may always become. */
const ALWAYS = 64 * 1024;

type Decompress = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, ZlibOptions, Buffer>(inflate)],
  ['br', promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)],
]);

const isPlain = (encoding: string | undefined): boolean => encoding === undefined || encoding === 'identity';

export function requireKnownEncoding(encoding: string | undefined): void {
  if (isPlain(encoding) || DECOMPRESS.has(encoding ?? '')) return;
  throw unsupportedMedia('Send the body uncompressed, or with `Content-Encoding: gzip` or `br`.');
}

/** A body as it was before its `Content-Encoding`: at most `limit` bytes, and at most 100 for each that has arrived. */
export async function decompress(
  bytes: Buffer,
  encoding: string | undefined,
  limit: number,
): Promise<Buffer> {
  requireKnownEncoding(encoding);
  const run = DECOMPRESS.get(encoding ?? '');
  if (!run) return bytes;
  const allowed = Math.min(limit, Math.max(ALWAYS, bytes.length * MAX_RATIO));
  try {
    return await run(bytes, { maxOutputLength: allowed });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') {
      throw badRequest(`The body is not valid ${encoding}.`);
    }
    throw tooLarge(
      allowed === limit
        ? `The decompressed body exceeds the limit of ${limit} bytes for this operation.`
        : `The compression ratio of the body exceeds ${MAX_RATIO}. Send it uncompressed.`,
    );
  }
}
