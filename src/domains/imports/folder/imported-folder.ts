import type { FolderFile, OutlineRow } from '../../../content-engine/folder/index.ts';
import type { ConvertInput, ConvertOutcome, ConvertedPage } from '../../../content-engine/html/index.ts';
import type { BodyAnalysis } from '../../../content-engine/markdown/index.ts';
import type { Outbound } from '../../../platform/outbound/index.ts';
import type { StoredEntry } from '../../../platform/zip/index.ts';
import type { StoredFile } from '../../content/index.ts';

/** A resource that was found and not imported. */
export interface Skipped {
  /** A URL, or a path inside an archive. */
  readonly source: string;
  readonly reason: string;
}

/** What every source becomes: a folder of Markdown, read by `readFolder`. */
export interface ImportedFolder {
  readonly files: readonly FolderFile[];
  /** Absent: SUMMARY.md decides, or the outline is inferred. */
  readonly outline?: readonly OutlineRow[];
  /** The number of entries of the tree, with groups and links. */
  readonly maxEntries: number;
  /** Analyses by path. */
  readonly analyses: ReadonlyMap<string, BodyAnalysis>;
  /** URL or path of the original, by path. */
  readonly sources: ReadonlyMap<string, string>;
  readonly found: number;
  readonly imported: number;
  /** At most `limits.listed` of what was skipped; `skippedCount` is exact. */
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
}

export interface ImportLimits {
  readonly pages: number;
  readonly textBytes: number;
  readonly files: number;
  readonly fileBytes: number;
  readonly filesBytes: number;
  /** Skipped resources that are listed. Their number is always exact. */
  readonly listed: number;
}

export interface Progress {
  readonly found: number;
  readonly imported: number;
  readonly skipped: number;
  readonly current?: string;
}

/** When an import stops requesting pages and images. In milliseconds of `performance.now()`. */
export interface Deadline {
  readonly pagesUntil: number;
  readonly filesUntil: number;
}

/** The parts of a Word document that are XML, and the paths of its media. */
export interface DocxInput {
  readonly parts: readonly StoredEntry[];
  readonly media: readonly string[];
  /** If the document has no heading. */
  readonly title: string;
}

/** Images in the HTML have the path of their medium as `src`. `lost`: what the HTML does not contain. */
export type DocxOutcome =
  | { readonly html: string; readonly lost: readonly string[] }
  | { readonly failure: string; readonly status: 413 | 422 };

/** What every reader is given. */
export interface ImportWork {
  readonly outbound: Outbound;
  readonly convert: (inputs: readonly ConvertInput[]) => Promise<readonly ConvertOutcome[]>;
  /** Runs in a thread, because its time is not bounded. */
  readonly convertDocx: (input: DocxInput) => Promise<DocxOutcome>;
  readonly storeFile: (name: string, bytes: Uint8Array) => Promise<StoredFile>;
  readonly limits: ImportLimits;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** Collects what readers find, and enforces the limits in one place. `createCollector` makes one. */
export interface ImportCollector {
  /** Counts a resource once, by its source. What is found must be added, skipped, or an alias in the end. */
  found(source: string): void;
  skip(source: string, reason: string): void;
  /** `source` is another URL of the resource `of`, so it is not counted by itself. Links to it lead to that resource. */
  addAlias(source: string, of: string): void;
  /** The path, or the path with a number if another resource has it, regardless of case. Reserves it. */
  freePath(path: string): string;
  /**
   * False: a limit of the whole import is reached, and further pages will be skipped, too. A page that alone is too
   * large is skipped. `aliases`: other URLs of the same page.
   */
  addPage(path: string, source: string, page: ConvertedPage, aliases: readonly string[]): boolean;
  /** Adds a file. A taken path gets a number. */
  addFile(path: string, source: string, bytes: Uint8Array, aliases: readonly string[]): Promise<boolean>;
  /** SUMMARY.md, .gitbook.yaml, variables, tags, includes. */
  addSetting(path: string, bytes: Uint8Array): void;
  /** Rewrites links between imported resources to relative paths. */
  finish(outline?: readonly OutlineRow[]): ImportedFolder;
}

/** A file that was uploaded, or that the command line was given. */
export interface SourceFile {
  readonly name: string;
  readonly size: number;
  /** Its bytes; each call starts at the first. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** Why nothing was imported, in a sentence. `advice`: what the user can do, unless the message says it. */
export class ImportError extends Error {
  readonly status: 400 | 413 | 422;
  readonly advice: string | undefined;

  constructor(status: 400 | 413 | 422, message: string, advice?: string) {
    super(message);
    this.name = 'ImportError';
    this.status = status;
    this.advice = advice;
  }
}

/** An import without pages is an error, and its first reason is the most helpful message. */
export function noPages({ skipped: [first] }: Pick<ImportedFolder, 'skipped'>): ImportError {
  const why = first ? `${first.source}: ${first.reason}.` : 'Check the URL and `source`.';
  return new ImportError(422, `No page was found. ${why}`);
}

/** The start of an import is not what the remote server returned. */
export const unexpectedStatus = (status: number): ImportError =>
  new ImportError(400, `The remote server returned ${status}.`, adviceOnStatus(status));

function adviceOnStatus(status: number): string {
  if (status === 401 || status === 403) return 'Pages that require a login cannot be imported.';
  return status === 429 || status >= 500 ? 'Try again later.' : 'Check the URL.';
}
