import { LRUCache } from 'lru-cache';
import { hashOf, type Hash, type Load } from '../../content-engine/map/index.ts';
import { fromBlob, isOutOfLine, type Inline } from '../../content-engine/tree/index.ts';
import type { Caches } from '../../platform/api/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { readObjects } from './object-store.ts';

/** Recently read and written objects. They are immutable, so entries are never invalidated. */
export type ObjectCache = LRUCache<Hash, Uint8Array>;

export const createObjectCache = (): ObjectCache =>
  new LRUCache({ maxSize: 24 * 1024 * 1024, sizeCalculation: (bytes) => bytes.byteLength + 128 });

declare module '../../platform/api/context.ts' {
  interface Caches {
    readonly objects: ObjectCache;
  }
}

/** What reading and writing stored content needs. */
export interface StorageContext {
  readonly db: Database;
  readonly isFront: boolean;
  readonly caches: Pick<Caches, 'objects' | 'trees' | 'bodyFacts'>;
}

/** Reads objects of a store: from the cache, and all missing ones in one round trip. */
export const loaderOf =
  ({ db, caches: { objects } }: StorageContext, storeId: string): Load =>
  async (hashes) => {
    const found = hashes.map((hash) => objects.get(hash));
    const missing = hashes.filter((_hash, index) => found[index] === undefined);
    if (missing.length === 0) return found;
    const read = await readObjects(db, storeId, missing);
    const byHash = new Map(missing.map((hash, index) => [hash, read[index]]));
    for (const [hash, bytes] of byHash) if (bytes) objects.set(hash, detached(bytes));
    return hashes.map((hash, index) => found[index] ?? byHash.get(hash));
  };

/** A loader that also reads objects that are not stored yet. */
export const withObjects =
  (load: Load, objects: ReadonlyMap<Hash, Uint8Array>): Load =>
  async (hashes) => {
    const read = hashes.some((hash) => !objects.has(hash)) ? await load(hashes) : [];
    return hashes.map((hash, index) => objects.get(hash) ?? read[index]);
  };

/** Caches new objects, which are likely to be read soon. */
export function cacheObjects(cache: ObjectCache, objects: ReadonlyMap<Hash, Uint8Array>): void {
  for (const [hash, bytes] of objects) cache.set(hash, detached(bytes));
}

/** A small view of a large buffer would retain all of it: zlib and Node's pool return such views. */
const detached = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);

export async function readText(load: Load, hash: Hash): Promise<string> {
  const [bytes] = await load([hash]);
  if (!bytes) throw new Error(`The document ${hash} is not in the store`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** A value that is inline in its record, or in an object of its own if it is long. */
export async function readInline<T extends object | string>(load: Load, value: Inline<T>): Promise<T> {
  return isOutOfLine(value) ? fromBlob<T>(await readText(load, value.hash)) : (value as T);
}

/** Texts that are not stored yet, by their hashes. They become bytes where they are stored. */
export type NewTexts = ReadonlyMap<Hash, string>;

export function addText(texts: Map<Hash, string>, text: string): Hash {
  const hash = hashOf(text);
  texts.set(hash, text);
  return hash;
}

export const bytesOf = (texts: NewTexts): Map<Hash, Uint8Array> =>
  new Map(Array.from(texts, ([hash, text]) => [hash, Buffer.from(text, 'utf8')]));

/** A loader that also reads texts that are not stored yet. */
export const withTexts =
  (load: Load, texts: NewTexts): Load =>
  async (hashes) => {
    const read = hashes.some((hash) => !texts.has(hash)) ? await load(hashes) : [];
    return hashes.map((hash, index) => {
      const text = texts.get(hash);
      return text === undefined ? read[index] : Buffer.from(text, 'utf8');
    });
  };
