import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import {
  preferredEncoding,
  refusesPlain,
  type Encoding,
} from '../../platform/http/answer/accept-encoding.ts';
import type { CachedPage } from '../read/caches.ts';

const [brotliAsync, gzipAsync] = [promisify(brotliCompress), promisify(gzip)];

/** Smaller bodies do not get smaller. */
const MIN_BYTES = 512;
/** The best that costs about as much as rendering the page. */
const BROTLI_QUALITY = 5;

export interface EncodedBody {
  readonly body: Buffer;
  readonly encoding: Encoding | undefined;
}

/** The body as the client accepts it. Each form is compressed once. */
export async function encodedFor(page: CachedPage, accepted: string | undefined): Promise<EncodedBody> {
  const { body } = page;
  if (body.length >= MIN_BYTES || refusesPlain(accepted)) {
    const encoding = preferredEncoding(accepted);
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
