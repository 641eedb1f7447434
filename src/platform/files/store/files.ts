import type { Readable } from 'node:stream';

export type Content = Uint8Array | AsyncIterable<Uint8Array>;

export interface StoredFile {
  /** SHA-256 of the content, in hex: its name. */
  readonly hash: string;
  readonly size: number;
}

export interface ListedFile extends StoredFile {
  /** When it was last put. */
  readonly storedAt: Date;
}

/** Both ends included, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface OpenFile {
  readonly stream: Readable;
  /** The size of the whole file, also for a range. */
  readonly size: number;
}

/**
 * Content-addressed storage: files are immutable, and equal content is stored once. A completed `put` survives a crash.
 *
 * For garbage collection: `put` of stored content renews its time. So remove only old files, and pass that moment to
 * `remove`. A concurrent `put` and `remove` of the same content need a common lock.
 */
export interface Files {
  /** Rejects (`no-space`) if the bytes are known not to fit. */
  requireSpace(bytes: number): Promise<void>;
  put(content: Content, options: { readonly maxBytes: number }): Promise<StoredFile>;
  /** Undefined if there is no such file. A stream that is not read to its end must be destroyed. */
  open(hash: string, range?: ByteRange): Promise<OpenFile | undefined>;
  has(hash: string): Promise<boolean>;
  /** Whether it was removed; with `storedBefore`, only if it was not stored since. */
  remove(hash: string, options?: { readonly storedBefore?: Date }): Promise<boolean>;
  list(): AsyncIterable<ListedFile>;
  close(): Promise<void>;
}

/** The time of a file that was stored within this period is not renewed. */
export const RENEW_AFTER_MS = 60 * 60 * 1000;

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The key is the same in a folder and in a bucket, so that one can be copied to the other. */
export const keyOf = (hash: string): string => `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
