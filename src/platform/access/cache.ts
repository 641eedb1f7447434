import { LRUCache } from 'lru-cache';

interface Entry {
  readonly tags: readonly string[];
  readonly filledAt: number;
  readonly value: object;
  /** The moment at which none of its tags had been dropped: while it is still that moment, none has been. */
  goodAt: number;
}

/**
 * Rows a process keeps: tokens, memberships, settings; never counts. An entry carries tags and the moment its fill
 * began; it is good while none of its tags was dropped since. So a fill that began before a change and ends after it
 * is never served, whatever the order in which the two arrive here.
 */
export interface Cache {
  /** The moment a fill begins, or undefined while the cache must not be used: asked before anything is got. */
  begin(): number | undefined;
  get(key: string): object | undefined;
  put(key: string, begun: number, tags: readonly string[], value: object): void;
  drop(tags: readonly string[]): void;
  clear(): void;
}

/** Beyond so many dropped tags, forgetting them all (and every older entry) is cheaper than remembering. */
const MAX_TAGS = 100_000;

export function createCache(options: { maxEntries: number; isUsable: () => boolean }): Cache {
  const entries = new LRUCache<string, Entry>({ max: options.maxEntries });
  const droppedAt = new Map<string, number>();
  let moment = 1;
  let floor = 0;

  function isGood(entry: Entry): boolean {
    if (entry.goodAt === moment) return true;
    const isSo =
      entry.filledAt >= floor && entry.tags.every((tag) => (droppedAt.get(tag) ?? 0) <= entry.filledAt);
    if (isSo) entry.goodAt = moment;
    return isSo;
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
      if (isGood(entry)) return entry.value;
      entries.delete(key);
      return undefined;
    },
    put(key, begun, tags, value) {
      const entry = { tags, filledAt: begun, value, goodAt: 0 };
      if (isGood(entry)) entries.set(key, entry);
    },
    drop(tags) {
      moment++;
      for (const tag of tags) droppedAt.set(tag, moment);
      if (droppedAt.size > MAX_TAGS) clear();
    },
    clear,
  };
}
