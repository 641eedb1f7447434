/** Target number of entries per shard: shards are small to copy, and few enough to copy their list. */
const PER_SHARD = 16;
const MAX_SHARDS = 4096;

type Shard<V> = ReadonlyMap<string, V>;

/**
 * An immutable map in memory with structural sharing: a changed copy shares all unchanged shards, so that the trees of
 * many revisions cost little more than one.
 */
export class SharedMap<V> implements Iterable<[string, V]> {
  readonly shards: readonly Shard<V>[];
  readonly size: number;

  private constructor(shards: readonly Shard<V>[], size: number) {
    this.shards = shards;
    this.size = size;
  }

  static from<V>(entries: Iterable<readonly [string, V]>): SharedMap<V> {
    const all = new Map(entries);
    const shards = Array.from({ length: shardsFor(all.size) }, () => new Map<string, V>());
    for (const [key, value] of all) shards[shardOf(key, shards.length)]?.set(key, value);
    return new SharedMap(shards, all.size);
  }

  get(key: string): V | undefined {
    return this.shards[shardOf(key, this.shards.length)]?.get(key);
  }

  has(key: string): boolean {
    return this.shards[shardOf(key, this.shards.length)]?.has(key) ?? false;
  }

  /** Undefined removes. */
  with(changes: Iterable<readonly [string, V | undefined]>): SharedMap<V> {
    const shards = this.shards.slice();
    const copied = new Map<number, Map<string, V>>();
    let { size } = this;
    for (const [key, value] of changes) {
      const index = shardOf(key, shards.length);
      const shard = copied.get(index) ?? new Map(shards[index]);
      copied.set(index, shard);
      shards[index] = shard;
      size -= shard.size;
      if (value === undefined) shard.delete(key);
      else shard.set(key, value);
      size += shard.size;
    }
    if (copied.size === 0) return this;
    const next = new SharedMap(shards, size);
    return shardsFor(size) > shards.length * 2 ? SharedMap.from(next) : next;
  }

  *[Symbol.iterator](): Iterator<[string, V]> {
    for (const shard of this.shards) yield* shard;
  }

  *keys(): Iterable<string> {
    for (const shard of this.shards) yield* shard.keys();
  }

  *values(): Iterable<V> {
    for (const shard of this.shards) yield* shard.values();
  }
}

function shardsFor(size: number): number {
  let count = 8;
  while (count * PER_SHARD < size && count < MAX_SHARDS) count *= 2;
  return count;
}

/** FNV-1a: mixes ids that differ in one character well enough. */
function shardOf(key: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) & (count - 1);
}
