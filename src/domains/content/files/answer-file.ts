import { matchesEtag } from '../../../platform/api/etag.ts';
import type { Context } from '../../../platform/api/context.ts';
import { headersFor, parseRange } from '../../../platform/files/index.ts';
import type { PageAnswer } from '../../../platform/http/pages/page.ts';
import { storageName } from './store-bytes.ts';
import { isStored } from './store.ts';

export const FILE_NOT_FOUND: PageAnswer = {
  status: 404,
  type: 'text/plain; charset=utf-8',
  body: 'File not found.\n',
};

interface ServedFile {
  readonly spaceId: string;
  readonly hash: string;
  readonly contentType: string;
  readonly name: string;
}

type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** The bytes of a file, or the range that was asked for. Nothing in them is run by a browser. */
export async function answerFile(
  ctx: Pick<Context, 'db' | 'files'>,
  { spaceId, hash, contentType, name }: ServedFile,
  headers: RequestHeaders,
  cacheControl: string,
): Promise<PageAnswer> {
  const etag = `"${hash}"`;
  const cached = { etag, 'accept-ranges': 'bytes', 'cache-control': cacheControl };
  // Bytes that were deleted with their space, or collected, are not available under their URL any more.
  if (!(await isStored(ctx.db, spaceId, hash))) return FILE_NOT_FOUND;
  if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, headers: cached, body: '' };
  const whole = await ctx.files.open(storageName(hash));
  if (!whole) return FILE_NOT_FOUND;
  const range =
    headers['if-range'] === undefined || headers['if-range'] === etag ? headers['range'] : undefined;
  const part = parseRange(range, whole.size);
  const shown = { ...headersFor(contentType, name), ...cached };
  if (part === undefined) {
    return { status: 200, headers: { ...shown, 'content-length': String(whole.size) }, body: whole.stream };
  }
  whole.stream.destroy();
  if (part === 'unsatisfiable') {
    const body = `The requested range lies outside of the file, which has ${whole.size} bytes.\n`;
    return { ...FILE_NOT_FOUND, status: 416, body, headers: { 'content-range': `bytes */${whole.size}` } };
  }
  const opened = await ctx.files.open(storageName(hash), part);
  if (!opened) return FILE_NOT_FOUND;
  return {
    status: 206,
    headers: {
      ...shown,
      'content-range': `bytes ${part.start}-${part.end}/${whole.size}`,
      'content-length': String(part.end - part.start + 1),
    },
    body: opened.stream,
  };
}
