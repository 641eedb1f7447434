import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sql } from 'kysely';
import { hashFromBytes, hashToBytes, type Hash } from '../../content-engine/map/index.ts';
import type { Database } from '../../platform/database/connection.ts';

/** The bytes behind hashes, in the order asked; undefined where the store has none. */
export async function readObjects(
  db: Database,
  storeId: string,
  hashes: readonly Hash[],
): Promise<(Uint8Array | undefined)[]> {
  const rows = await db
    .selectFrom('content_objects')
    .select(['hash', 'bytes'])
    .where('store_id', '=', storeId)
    .where('hash', '=', sql<Buffer>`any(${hashes.map(hashToBytes)}::bytea[])`)
    .execute();
  const found = new Map(rows.map((row) => [hashFromBytes(row.hash), inflateRawSync(row.bytes)]));
  return hashes.map((hash) => found.get(hash));
}

/** Objects that are there already are left alone: equal hashes are equal bytes. */
export async function writeObjects(
  db: Database,
  storeId: string,
  objects: ReadonlyMap<Hash, Uint8Array>,
): Promise<void> {
  if (objects.size === 0) return;
  const hashes = [...objects.keys()].map(hashToBytes);
  const bytes = [...objects.values()].map((each) => deflateRawSync(each));
  await sql`
    insert into content_objects (store_id, hash, bytes)
    select ${storeId}, * from unnest(${hashes}::bytea[], ${bytes}::bytea[])
    on conflict do nothing`.execute(db);
}
