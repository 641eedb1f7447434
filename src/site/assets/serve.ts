import { preferredEncoding, type Encoding } from '../../platform/http/answer/accept-encoding.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import type { AssetCatalog, AssetFile } from './catalog.ts';

/** The answer for a file name below `ASSET_PATH`. Its page is declared `isUncompressed`: compressed bytes are prepared. */
export function serveAsset(
  catalog: AssetCatalog,
  name: string,
  acceptEncoding: string | undefined,
): PageAnswer {
  const file = catalog.file(name);
  if (!file) return { status: 404, body: 'There is no such asset.', type: 'text/plain; charset=utf-8' };
  const { bytes, encoding } = encodedFor(file, acceptEncoding ?? '');
  return {
    status: 200,
    body: bytes,
    type: file.type,
    cacheControl: 'public, max-age=31536000, immutable',
    etag: `"${file.name}${encoding ? `-${encoding}` : ''}"`,
    headers: {
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      ...(encoding && { 'content-encoding': encoding }),
      // Fonts are always requested with CORS, and the frame of diagrams has an opaque origin.
      'access-control-allow-origin': '*',
    },
  };
}

function encodedFor(file: AssetFile, accepted: string): { bytes: Buffer; encoding?: Encoding } {
  const prepared = { br: file.brotli, gzip: file.gzip };
  const available = (['br', 'gzip'] as const).filter((encoding) => prepared[encoding] !== undefined);
  const encoding = preferredEncoding(accepted, available);
  const bytes = encoding && prepared[encoding];
  return encoding && bytes ? { bytes, encoding } : { bytes: file.bytes };
}
