import type { Settings } from '../../platform/api/context.ts';

/** The settings of the operator. */
export interface ImportSettings {
  /** Pages of one import. */
  readonly pages: number;
  /** Duration of an import in the background. */
  readonly minutes: number;
}

declare module '../../platform/api/context.ts' {
  interface Settings {
    readonly imports: ImportSettings;
  }
}

const KB = 1024;
const MB = 1024 * KB;

/** The bytes of an HTML response, decoded. */
export const MAX_HTML = 4 * MB;
export const MAX_ROBOTS = 512 * KB;

/** An archive or document: downloaded, or uploaded. */
export const MAX_DOWNLOAD = 100 * MB;
export const MAX_ENTRIES = 20_000;
/** The bytes of all entries of an archive, decompressed. */
export const MAX_INFLATED = 1024 * MB;

/** A page has at most 2 MB of Markdown; the tags of a document with as much text are a few times as long. */
export const MAX_DOCX_XML = 16 * MB;
export const MAX_DOCX_ELEMENTS = 150_000;

/** Requests of one import at the same time. */
export const HTTP_CONCURRENCY = 6;
/** The time of one request. */
export const HTTP_MS = 15_000;

/**
 * Time for converting a batch of pages, and then each of them alone. The number of nodes bounds the work; the time is for
 * what that does not bound. It is CPU time of the thread; `wallMs` is by the clock.
 */
export interface ConversionTime {
  readonly batchMs: number;
  readonly pageMs: number;
  readonly wallMs: number;
  /** What is exceeded, as messages name it. */
  readonly name: string;
}

/** A request ends after 25 s, however busy the machine is. */
export const REQUEST_CONVERSION: ConversionTime = {
  batchMs: 5_000,
  pageMs: 15_000,
  wallMs: 18_000,
  name: 'time limit of a request; an import in the background may take longer',
};
export const RUN_CONVERSION: ConversionTime = {
  batchMs: 30_000,
  pageMs: 2 * 60_000,
  wallMs: 30 * 60_000,
  name: 'time limit',
};

/** Imports of a process at the same time, and how long a request waits for its turn. */
export const CONCURRENT_IMPORTS = 2;
export const MAX_WAIT_MS = 5_000;

/** Unfinished runs of an organization. */
export const MAX_RUNS = 10;

/** Skipped resources that are listed. Their number is always exact. */
export const MAX_LISTED = 1000;

/** The limits of one import (`ImportLimits`). The memory that it needs follows from them (decision 38). */
export const limitsOf = ({ imports }: Pick<Settings, 'imports'>) => ({
  pages: imports.pages,
  textBytes: 24 * MB,
  files: 2000,
  fileBytes: 20 * MB,
  filesBytes: 512 * MB,
  listed: MAX_LISTED,
});

/**
 * A request ends after 25 s: nothing is requested after 18 s, and images after 20 s, so that 5 s are left for preparing
 * and publishing. Times are those of `performance.now()`.
 */
export const deadlineOfRequest = (start: number) => ({
  pagesUntil: start + 18_000,
  filesUntil: start + 20_000,
});

/** A tenth of the time is for images. */
export function deadlineOfRun({ imports }: Pick<Settings, 'imports'>, start: number) {
  const duration = imports.minutes * 60_000;
  return { pagesUntil: start + duration * 0.9, filesUntil: start + duration };
}
