import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';

/** Older rows may be collected; writing them again renews them (see `../garbage-collection/collect.ts`). */
const RENEW_AFTER = sql`interval '12 hours'`;

/**
 * Until the transaction ends, these bytes are neither stored nor removed by others. File storage may need minutes for
 * them.
 */
export async function lockFiles(db: Database, hashes: readonly string[]): Promise<void> {
  await sql`select set_config('idle_in_transaction_session_timeout', '600000', true)`.execute(db);
  // One order everywhere, so that two transactions that store the same bytes do not deadlock.
  await sql`
    select pg_advisory_xact_lock(hashtextextended('file ' || hash, 43))
    from (select unnest(${[...hashes]}::text[]) as hash order by 1) sorted`.execute(db);
}

/** Which of these bytes the store has, and which any store has. Call `lockFiles` first. */
export async function findHolders(
  db: Database,
  storeId: string,
  hashes: readonly string[],
): Promise<{ readonly inStore: ReadonlySet<string>; readonly inAny: ReadonlySet<string> }> {
  const rows = await db
    .selectFrom('stored_files')
    .select(['hash', 'store_id'])
    .where('hash', '=', sql<string>`any(${[...hashes]})`)
    .execute();
  return {
    inStore: new Set(rows.filter((row) => row.store_id === storeId).map(({ hash }) => hash)),
    inAny: new Set(rows.map(({ hash }) => hash)),
  };
}

/** Counts the bytes, and refuses them (413) beyond the quota: `count_stored_bytes` of the database. */
export async function insertStoredFiles(
  db: Database,
  storeId: string,
  files: readonly { readonly hash: string; readonly size: number }[],
): Promise<void> {
  const sorted = files.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  const [hashes, sizes] = [sorted.map(({ hash }) => hash), sorted.map(({ size }) => size)];
  await sql`
    insert into stored_files as there (hash, store_id, size)
    select hash, ${storeId}, size from unnest(${hashes}::text[], ${sizes}::bigint[]) as given (hash, size)
    on conflict (hash, store_id) do update set written_at = now()
      where there.written_at < now() - ${RENEW_AFTER}`.execute(db);
}

/** Whether a space that is not deleted has these bytes. */
export async function isStored(db: Database, spaceId: string, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('stored_files as f')
    .innerJoin('spaces as s', 's.store_id', 'f.store_id')
    .select('f.hash')
    .where('f.hash', '=', hash)
    .where('s.id', '=', spaceId)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export interface NewUpload {
  readonly key: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
}

export async function insertUpload(db: Database, upload: NewUpload): Promise<void> {
  const { key, organizationId, userId, name, contentType, size } = upload;
  await db
    .insertInto('uploads')
    .values({ key, organization_id: organizationId, user_id: userId, name, content_type: contentType, size })
    .execute();
}

/** An upload that is open for its bytes, for an hour. */
export const getOpenUpload = (db: Database, key: string) =>
  db
    .selectFrom('uploads')
    .select(['organization_id', 'name', 'size'])
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .where('hash', 'is', null)
    .executeTakeFirst();

/** False when its bytes were uploaded before. */
export async function finishUpload(db: Database, key: string, hash: string): Promise<boolean> {
  const finished = await db
    .updateTable('uploads')
    .set({ hash })
    .where('key', '=', key)
    .where('hash', 'is', null)
    .executeTakeFirst();
  return finished.numUpdatedRows === 1n;
}

export interface FoundUpload {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** Null: its bytes were not received yet. */
  readonly hash: string | null;
}

/** Uploads of a user in an organization, by their keys. */
export async function findUploads(
  db: Database,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  keys: readonly string[],
): Promise<ReadonlyMap<string, FoundUpload>> {
  const rows = await db
    .selectFrom('uploads')
    .select(['key', 'name', 'size', 'hash'])
    .where('key', '=', sql<string>`any(${[...keys]})`)
    .where('user_id', '=', userId)
    .where('organization_id', '=', organizationId)
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** The hash of what the user uploaded. Uploads of others are not found. */
export async function findUpload(
  db: Database,
  userId: string,
  key: string,
): Promise<{ readonly hash: string; readonly size: number } | undefined> {
  const row = await db
    .selectFrom('uploads')
    .select(['hash', 'size'])
    .where('key', '=', key)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && row.hash !== null ? { hash: row.hash, size: row.size } : undefined;
}
