import type { Generator } from '../../../../content-engine/html/index.ts';
import { ImportError, noPages, type ImportedFolder, type ImportWork } from '../../folder/imported-folder.ts';
import { notConvertible } from '../page-failure.ts';
import { Crawl } from './crawl.ts';
import { startTimeLimit, type TimeLimit } from './run-concurrently.ts';
import { readStart, type Start } from './start.ts';

/** How long requests may go on after the last one was started. */
const GRACE_MS = 2000;

export interface WebsiteOptions {
  /** Default: detected. */
  readonly generator?: Generator;
}

/**
 * Imports a website: the start page and the pages below it that links lead to, in the order of its navigation. Throws
 * `OutboundError` and `ImportError` if the start page cannot be read; what else cannot be read is skipped.
 */
export async function readWebsite(
  work: ImportWork,
  startUrl: string,
  { generator }: WebsiteOptions = {},
): Promise<ImportedFolder> {
  const limit = startTimeLimit(work.signal, work.deadline.pagesUntil + GRACE_MS);
  try {
    const start = await readInTime(work, startUrl, limit);
    const crawl = new Crawl(work, start, limit, generator);
    const failure = await crawl.readStart();
    if (failure !== undefined) throw notConvertible(start.page.url, failure);
    await crawl.readLinked();
    await crawl.images.read();
    const folder = crawl.collector.finish(crawl.outline());
    if (folder.analyses.size === 0) throw noPages(folder);
    return folder;
  } finally {
    limit.end();
  }
}

async function readInTime(work: ImportWork, startUrl: string, limit: TimeLimit): Promise<Start> {
  try {
    return await readStart(work.outbound, startUrl, limit.signal);
  } catch (error) {
    work.signal.throwIfAborted();
    if (!limit.signal.aborted) throw error;
    throw new ImportError(400, 'The website did not respond in time. Try again later.');
  }
}
