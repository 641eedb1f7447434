import { headersFor, parseRange } from '../../../platform/files/index.ts';
import { matchesEtag } from '../../../platform/api/etag.ts';
import { page, type PageAnswer } from '../../../platform/http/page.ts';
import { equalsSecret } from '../../../platform/keys.ts';
import { signDownload } from '../../revisions/index.ts';
import { storageName } from './store-bytes.ts';
import { isStored } from './store.ts';

const GONE: PageAnswer = { status: 404, type: 'text/plain; charset=utf-8', body: 'File not found.\n' };

/** `downloadURL` of a file: the address is the permission. Nothing in the bytes is run by a browser. */
export const downloadPage = page({
  method: 'GET',
  path: '/~files/{spaceId}/{hash}/{type}/{signature}/{name}',
  limit: 'none',
  isUncompressed: true,
  async handle({ ctx, params, headers }) {
    const { spaceId = '', hash = '', type = '', signature = '', name = '' } = params;
    if (!equalsSecret(signature, signDownload(ctx.keys, spaceId, hash, type, name))) return GONE;
    const etag = `"${hash}"`;
    const cached = {
      etag,
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=31536000, immutable',
    };
    // Bytes that were deleted with their space, or collected, are not available under their URL any more.
    if (!(await isStored(ctx.db, spaceId, hash))) return GONE;
    if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, headers: cached, body: '' };
    const whole = await ctx.files.open(storageName(hash));
    if (!whole) return GONE;
    const range =
      headers['if-range'] === undefined || headers['if-range'] === etag ? headers['range'] : undefined;
    const part = parseRange(range, whole.size);
    const shown = { ...headersFor(Buffer.from(type, 'base64url').toString(), name), ...cached };
    if (part === undefined) {
      return { status: 200, headers: { ...shown, 'content-length': String(whole.size) }, body: whole.stream };
    }
    whole.stream.destroy();
    if (part === 'unsatisfiable') {
      const body = `The requested range lies outside of the file, which has ${whole.size} bytes.\n`;
      return { ...GONE, status: 416, body, headers: { 'content-range': `bytes */${whole.size}` } };
    }
    const opened = await ctx.files.open(storageName(hash), part);
    if (!opened) return GONE;
    return {
      status: 206,
      headers: {
        ...shown,
        'content-range': `bytes ${part.start}-${part.end}/${whole.size}`,
        'content-length': String(part.end - part.start + 1),
      },
      body: opened.stream,
    };
  },
});
