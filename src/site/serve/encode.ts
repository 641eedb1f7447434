import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CachedPage } from '../read/caches.ts';

const [brotliAsync, gzipAsync] = [promisify(brotliCompress), promisify(gzip)];

/** Smaller bodies do not get smaller. */
const MIN_BYTES = 512;
/** The best that costs about as much as rendering the page. */
const BROTLI_QUALITY = 5;

export interface EncodedBody {
  readonly body: Buffer;
  readonly encoding: 'br' | 'gzip' | undefined;
}

/** The body as the client accepts it. Each form is compressed once. */
export async function encodedFor(page: CachedPage, accepted: string | undefined): Promise<EncodedBody> {
  const { body } = page;
  if (body.length >= MIN_BYTES) {
    const encoding = encodingOf(accepted);
    if (encoding === 'br') {
      page.brotli ??= await brotliAsync(body, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      });
      return { body: page.brotli, encoding };
    }
    if (encoding === 'gzip') {
      page.gzip ??= await gzipAsync(body, { level: 6 });
      return { body: page.gzip, encoding };
    }
  }
  return { body, encoding: undefined };
}

/** The best encoding that the value of `Accept-Encoding` allows. */
export function encodingOf(accepted: string | undefined): EncodedBody['encoding'] {
  if (accepted === undefined) return undefined;
  if (accepts(accepted, 'br')) return 'br';
  return accepts(accepted, 'gzip') ? 'gzip' : undefined;
}

const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((entry) => {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
