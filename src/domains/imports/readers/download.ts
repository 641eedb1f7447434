import { spool, type Spool } from '../../../platform/spool.ts';
import { unexpectedStatus, type ImportWork } from '../folder/imported-folder.ts';
import { MAX_DOWNLOAD } from '../limits.ts';

export interface Download extends Spool {
  /** The URL after redirects. */
  readonly url: string;
  readonly contentType: string | undefined;
  /** The last part of the URL. */
  readonly name: string;
}

const LONGEST_MS = 10 * 60_000;
const SHORTEST_MS = 1000;

/** Downloads to a temporary file. Throws `OutboundError`, and `ImportError` if the response is not a 200. */
export async function download(work: ImportWork, from: string): Promise<Download> {
  const left = work.deadline.pagesUntil - performance.now();
  const response = await work.outbound.stream(from, {
    maxBytes: MAX_DOWNLOAD,
    timeoutMs: Math.max(SHORTEST_MS, Math.min(LONGEST_MS, Math.floor(left))),
    signal: work.signal,
  });
  if (response.status !== 200) {
    response.body.destroy();
    throw unexpectedStatus(response.status);
  }
  const spooled = await spool(response.body, MAX_DOWNLOAD);
  const contentType = response.headers['content-type'];
  return { ...spooled, url: response.url, contentType, name: nameOf(response.url) };
}

function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(last).replaceAll('/', '-') || 'page';
  } catch {
    return last;
  }
}
