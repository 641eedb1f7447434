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
  /** Of the whole, also when a range was asked for. */
  readonly size: number;
}

/**
 * Content under the hash of its bytes: nothing is ever changed, and the same content is kept once. What `put` has
 * answered survives a crash.
 *
 * For a collector of what nobody refers to: `put` of content that is there already makes it new again, so remove only
 * what was stored long ago, and name that moment to `remove`. What is put in the very instant of its removal is only
 * safe if both hold a common lock.
 */
export interface Files {
  /** Rejects (`no-space`) where it is known that so much does not fit. */
  requireSpace(bytes: number): Promise<void>;
  put(content: Content, options: { readonly maxBytes: number }): Promise<StoredFile>;
  /** Undefined if it is not there. Whoever does not read the stream to its end destroys it. */
  open(hash: string, range?: ByteRange): Promise<OpenFile | undefined>;
  has(hash: string): Promise<boolean>;
  /** Whether it is gone now; with `storedBefore`, only what was not put since. */
  remove(hash: string, options?: { readonly storedBefore?: Date }): Promise<boolean>;
  list(): AsyncIterable<ListedFile>;
  close(): Promise<void>;
}

/** A file that was put within this time need not be made new again. */
export const RENEW_AFTER_MS = 60 * 60 * 1000;

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The same in a folder and in a bucket, so that one can be copied to the other. */
export const keyOf = (hash: string): string => `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
