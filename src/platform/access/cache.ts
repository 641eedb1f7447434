import { LRUCache } from 'lru-cache';
import { estimateSize } from './row-size.ts';

interface Entry {
  readonly tags: readonly string[];
  readonly filledAt: number;
  readonly value: object;
  /** The last moment at which it was found valid: until the next drop it need not be checked again. */
  validAt: number;
}

/**
 * Cached rows: tokens, memberships, settings; never counts. An entry has tags and the moment its fill began; it is valid
 * while none of its tags was dropped since. So a fill that began before a change and ends after it is never served,
 * whichever of the two arrives first.
 */
export interface Cache {
  /** The moment a fill begins; undefined while the cache must not be used. Called before `get`. */
  begin(): number | undefined;
  get(key: string): object | undefined;
  put(key: string, begun: number, tags: readonly string[], value: object): void;
  drop(tags: readonly string[]): void;
  clear(): void;
}

/** Caches nothing: for processes that do not learn of changes. */
export const NO_CACHE: Cache = {
  begin: () => undefined,
  get: () => undefined,
  put: () => undefined,
  drop: () => undefined,
  clear: () => undefined,
};

/** The tag that `announce_change` (in the migrations) sends for a transaction that changed very many rows. */
const EVERYTHING = '*';

/** Beyond this number of dropped tags, clearing the cache is cheaper than storing them. */
const MAX_TAGS = 100_000;

export interface CacheOptions {
  readonly maxEntries: number;
  /** The approximate size of all values together: rows may be small, or have settings of a hundred kilobytes. */
  readonly maxBytes: number;
  readonly isUsable: () => boolean;
}

/** One value must not displace most others. */
const MAX_SHARE = 1 / 8;

export function createCache(options: CacheOptions): Cache {
  const maxEntrySize = Math.floor(options.maxBytes * MAX_SHARE);
  const entries = new LRUCache<string, Entry>({
    max: options.maxEntries,
    maxSize: options.maxBytes,
    maxEntrySize,
    sizeCalculation: ({ tags, value }) =>
      estimateSize(tags, maxEntrySize) + estimateSize(value, maxEntrySize),
  });
  const droppedAt = new Map<string, number>();
  let moment = 1;
  let floor = 0;

  function isValid(entry: Entry): boolean {
    if (entry.validAt === moment) return true;
    const isCurrent =
      entry.filledAt >= floor && entry.tags.every((tag) => (droppedAt.get(tag) ?? 0) <= entry.filledAt);
    if (isCurrent) entry.validAt = moment;
    return isCurrent;
  }

  function clear() {
    floor = ++moment;
    droppedAt.clear();
    entries.clear();
  }

  return {
    begin: () => (options.isUsable() ? moment : undefined),
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (isValid(entry)) return entry.value;
      entries.delete(key);
      return undefined;
    },
    put(key, begun, tags, value) {
      const entry = { tags, filledAt: begun, value, validAt: 0 };
      if (isValid(entry)) entries.set(key, entry);
    },
    drop(tags) {
      if (tags.includes(EVERYTHING)) return clear();
      moment++;
      for (const tag of tags) droppedAt.set(tag, moment);
      if (droppedAt.size > MAX_TAGS) clear();
    },
    clear,
  };
}
