import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sql } from 'kysely';
import { hashFromBytes, hashToBytes, isEncodedInner, type Hash } from '../../content-engine/map/index.ts';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';

/** 4 % larger than by the default level, in two thirds of the time. */
const LEVEL = { level: 3 };
/**
 * Most objects are small: a window of their size takes a third less time than one of 32 kB, which has to be cleared. The
 * buffer of the result is small, too: Node allocates it for every call.
 */
const SMALL = { ...LEVEL, windowBits: 12, memLevel: 5, chunkSize: 4096 };
const MAX_SMALL = 2 ** SMALL.windowBits;

function deflate(bytes: Uint8Array): Uint8Array {
  if (isEncodedInner(bytes) && bytes.length <= MAX_STORED) return storedBlock(bytes);
  return deflateRawSync(bytes, bytes.length > MAX_SMALL ? LEVEL : SMALL);
}

/** The length of a block has 16 bits. */
const MAX_STORED = 0xffff;

/** DEFLATE without compression: one final block of the type "stored" (RFC 1951, 3.2.4). */
function storedBlock(bytes: Uint8Array): Uint8Array {
  const block = Buffer.allocUnsafe(bytes.length + 5);
  block[0] = 1;
  block.writeUInt16LE(bytes.length, 1);
  block.writeUInt16LE(~bytes.length & 0xffff, 3);
  block.set(bytes, 5);
  return block;
}

/** The bytes of these hashes, in their order; undefined where the store has none. */
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
  const found = new Map(rows.map(({ hash, bytes }) => [hashFromBytes(hash), inflateRawSync(bytes)]));
  return hashes.map((hash) => found.get(hash));
}

/** Older objects may be collected; writing them again renews them (see `../../content/garbage-collection/collect.ts`). */
const RENEW_AFTER = sql`interval '12 hours'`;

/** Existing objects are left alone: equal hashes are equal bytes. */
export async function writeObjects(
  db: Database,
  storeId: string,
  objects: ReadonlyMap<Hash, Uint8Array>,
): Promise<void> {
  if (objects.size === 0) return;
  // All transactions use one order, so that two transactions that write the same objects do not deadlock.
  const sorted = [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (let at = 0; at < sorted.length; at += WRITTEN_AT_ONCE)
    await insertObjects(db, storeId, sorted.slice(at, at + WRITTEN_AT_ONCE));
}

/** Objects of one statement: more would hold a second copy of all of them in memory. */
const WRITTEN_AT_ONCE = 200;

async function insertObjects(
  db: Database,
  storeId: string,
  objects: readonly (readonly [Hash, Uint8Array])[],
): Promise<void> {
  const hashes = objects.map(([hash]) => hashToBytes(hash));
  const bytes = objects.map(([, each]) => deflate(each));
  await sql`${PIPELINED}
    insert into content_objects as there (store_id, hash, bytes)
    select ${storeId}, * from unnest(${hashes}::bytea[], ${bytes}::bytea[])
    on conflict (store_id, hash) do update set written_at = now()
      where there.written_at < now() - ${RENEW_AFTER}`.execute(db);
}
