import type { Hash, Load } from '../../../content-engine/map/index.ts';
import { referencesOf, type ContentRecord, type Tree } from '../../../content-engine/tree/index.ts';

/** Records whose texts are in memory at a time: at most 128 MB, if all of them have the longest body. */
const RECORDS_AT_ONCE = 64;

/** The texts of the records that are being written. */
export interface RecordTexts {
  /** A text of the folder itself, or of a record of the current portion. */
  textOf(hash: Hash): string;
  /** The items in their order, in portions. The texts of an item's record are in memory until the next one is asked for. */
  whileLoaded<T>(
    items: readonly T[],
    recordOf: (item: T) => ContentRecord | undefined,
  ): AsyncGenerator<T, void, undefined>;
}

/** The texts of the folder itself, such as SUMMARY.md and variables, stay in memory. */
export async function createRecordTexts(load: Load, tree: Tree): Promise<RecordTexts> {
  const own = [...tree.records.values()].flatMap((record) =>
    record.kind === 'folder' || record.kind === 'variables' ? referencesOf(record).documents : [],
  );
  const always = await loadAll(load, own);
  let portion = new Map<Hash, Uint8Array>();
  return {
    textOf(hash) {
      const bytes = portion.get(hash) ?? always.get(hash);
      // An export must never write an empty page instead.
      if (!bytes) throw new Error(`The document ${hash} was not loaded`);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    },
    async *whileLoaded(items, recordOf) {
      for (let at = 0; at < items.length; at += RECORDS_AT_ONCE) {
        const some = items.slice(at, at + RECORDS_AT_ONCE);
        const records = some.map(recordOf);
        portion = new Map();
        portion = await loadAll(
          load,
          records.flatMap((record) => (record ? referencesOf(record).documents : [])),
        );
        yield* some;
      }
      portion = new Map();
    },
  };
}

async function loadAll(load: Load, hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>> {
  const unique = [...new Set(hashes)];
  if (unique.length === 0) return new Map();
  const bytes = await load(unique);
  const loaded = new Map<Hash, Uint8Array>();
  for (const [index, hash] of unique.entries()) {
    const found = bytes[index];
    if (!found) throw new Error(`The document ${hash} is not in the store`);
    loaded.set(hash, found);
  }
  return loaded;
}
