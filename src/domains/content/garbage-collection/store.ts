import { sql } from 'kysely';
import { hashFromBytes, hashToBytes, type Hash } from '../../../content-engine/map/index.ts';
import type { Database } from '../../../platform/database/connection.ts';

/** Uploads that were never used. Those of an unfinished import are still needed. */
export async function deleteOldUploads(db: Database, before: Date): Promise<void> {
  await sql`
    delete from uploads u where u.created_at < ${before} and not exists (
      select from import_runs run
      where run.status in ('pending', 'in-progress') and u.key = any(run.file_keys))`.execute(db);
}

/** Folds many rows into one; the sum remains the same. */
export async function foldStorageTallies(db: Database): Promise<void> {
  await sql`
    with many as (
      select store_id from storage_tallies group by store_id having count(*) > 20
    ), folded as (
      delete from storage_tallies t using many where t.store_id = many.store_id returning t.store_id, t.bytes
    )
    insert into storage_tallies (store_id, bytes) select store_id, sum(bytes) from folded group by store_id`.execute(
    db,
  );
}

/** Every store that is not empty. */
export async function listStores(db: Database): Promise<string[]> {
  const { rows } = await sql<{ store_id: string }>`
    select store_id from content_objects group by store_id
    union select store_id from stored_files`.execute(db);
  return rows.map((row) => row.store_id);
}

/** The roots of all revisions of a store, or of a space. */
export async function listRoots(
  db: Database,
  of: { readonly storeId: string } | { readonly spaceId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('revisions as rv')
    .innerJoin('spaces as s', 's.id', 'rv.space_id')
    .select('rv.root')
    .distinct()
    .where('rv.root', 'is not', null)
    .where('storeId' in of ? 's.store_id' : 's.id', '=', 'storeId' in of ? of.storeId : of.spaceId)
    .execute();
  return rows.flatMap(({ root }) => (root ? [hashFromBytes(root)] : []));
}

const COLLECTED_AT_ONCE = 5000;

export async function listOldObjects(
  db: Database,
  storeId: string,
  before: Date,
  after: Buffer | undefined,
): Promise<Buffer[]> {
  let rows = db
    .selectFrom('content_objects')
    .select('hash')
    .where('store_id', '=', storeId)
    .where('written_at', '<', before)
    .orderBy('hash')
    .limit(COLLECTED_AT_ONCE);
  if (after) rows = rows.where('hash', '>', after);
  return (await rows.execute()).map((row) => row.hash);
}

/** Checks the age again: an object that was written meanwhile is not deleted. */
export async function deleteObjects(
  db: Database,
  storeId: string,
  before: Date,
  hashes: readonly Buffer[],
): Promise<number> {
  const deleted = await db
    .deleteFrom('content_objects')
    .where('store_id', '=', storeId)
    .where('hash', '=', sql<Buffer>`any(${[...hashes]}::bytea[])`)
    .where('written_at', '<', before)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** Files of a store that no pending upload refers to. */
export async function listOldFiles(db: Database, storeId: string, before: Date): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select f.hash from stored_files f
    where f.store_id = ${storeId} and f.written_at < ${before}
      and not exists (select from uploads u where u.hash = f.hash)`.execute(db);
  return rows.map((row) => row.hash);
}

/** Whether a file was deleted from a store, and whether no other store has it. Call `lockFiles` first. */
export async function deleteStoredFile(
  db: Database,
  storeId: string,
  hash: string,
  before: Date,
): Promise<{ isDeleted: boolean; isUnreferenced: boolean }> {
  const deleted = await db
    .deleteFrom('stored_files')
    .where('hash', '=', hash)
    .where('store_id', '=', storeId)
    .where('written_at', '<', before)
    .executeTakeFirst();
  const other = await db
    .selectFrom('stored_files')
    .select('hash')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return { isDeleted: deleted.numDeletedRows === 1n, isUnreferenced: other === undefined };
}

/** Spaces whose content is in the store of another organization: they were transferred. */
export async function listForeignSpaces(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from spaces where store_id <> organization_id`.execute(db);
  return rows.map((row) => row.id);
}

/** The present and the intended store of such a space. Both are locked until the transaction ends. */
export async function lockForeign(
  db: Database,
  spaceId: string,
): Promise<{ from: string; to: string } | undefined> {
  const { rows } = await sql<{ from: string; to: string }>`
    select store_id as "from", organization_id as "to" from spaces
    where id = ${spaceId} and store_id <> organization_id for update`.execute(db);
  return rows[0];
}

/** Counts towards the quota of the new store, and may exceed it: the space was transferred already. */
export async function copyToStore(
  db: Database,
  { from, to }: { readonly from: string; readonly to: string },
  objects: readonly Hash[],
  files: readonly string[],
): Promise<void> {
  await sql`select set_config('octavo.storage_quota', 'off', true)`.execute(db);
  for (let at = 0; at < objects.length; at += COLLECTED_AT_ONCE) {
    const hashes = objects.slice(at, at + COLLECTED_AT_ONCE).map(hashToBytes);
    await sql`
      insert into content_objects as there (store_id, hash, bytes)
      select ${to}, hash, bytes from content_objects
      where store_id = ${from} and hash = any(${hashes}::bytea[]) order by hash
      on conflict (store_id, hash) do update set written_at = now()`.execute(db);
  }
  await sql`
    insert into stored_files as there (hash, store_id, size)
    select hash, ${to}, size from stored_files where store_id = ${from} and hash = any(${[...files]}) order by hash
    on conflict (hash, store_id) do update set written_at = now()`.execute(db);
}
