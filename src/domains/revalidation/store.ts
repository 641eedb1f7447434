import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';

export interface RevalidationRow {
  readonly site_id: string;
  readonly organization_id: string;
  readonly url: string;
  readonly secret_sealed: Buffer;
  readonly pending: readonly string[];
  readonly changes: string;
  readonly failures: number;
  readonly attempted_at: Date | null;
  readonly status: number | null;
  readonly error: string | null;
}

export async function findRevalidation(db: Database, siteId: string): Promise<RevalidationRow | undefined> {
  const { rows } = await sql<RevalidationRow>`
    select h.*, t.organization_id from site_revalidations h join sites t on t.id = h.site_id
    where h.site_id = ${siteId}`.execute(db);
  return rows[0];
}

/** Changes that were not delivered to the old URL are delivered to the new one. */
export async function putRevalidation(db: Database, siteId: string, url: string, secretSealed: Buffer) {
  await sql`
    insert into site_revalidations (site_id, url, secret_sealed) values (${siteId}, ${url}, ${secretSealed})
    on conflict (site_id) do update set url = ${url}, secret_sealed = ${secretSealed}, attempted_at = null,
      status = null, error = null, version = site_revalidations.version + 1`.execute(db);
}

export const deleteRevalidation = (db: Database, siteId: string) =>
  db.deleteFrom('site_revalidations').where('site_id', '=', siteId).execute();

/** Adds tags to those that wait. Returns the organization of the site; undefined: nothing is sent for it. */
export async function addTags(
  db: Database,
  siteId: string,
  tags: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ organization_id: string }>`
    update site_revalidations h
    set pending = array(select distinct tag from unnest(h.pending || ${[...tags]}::text[]) tag order by tag),
      changes = changes + 1, failures = 0
    from sites t where t.id = h.site_id and h.site_id = ${siteId} returning t.organization_id`.execute(db);
  return rows[0]?.organization_id;
}

interface Attempt {
  readonly at: Date;
  readonly ok: boolean;
  readonly status: number | undefined;
  readonly error: string | undefined;
}

/**
 * Records an attempt to deliver. Returns the number of failures of the tags that still wait; undefined: none wait, or there are
 * new ones, for which another attempt is enqueued.
 */
export async function recordAttempt(
  db: Database,
  { site_id: siteId, changes }: Pick<RevalidationRow, 'site_id' | 'changes'>,
  { at, ok, status, error }: Attempt,
): Promise<number | undefined> {
  const { rows } = await sql<{ failures: number; is_newest: boolean }>`
    update site_revalidations set attempted_at = ${at}, status = ${status ?? null}, error = ${error ?? null},
      pending = case when ${ok} and changes = ${changes} then '{}' else pending end,
      failures = case when changes <> ${changes} or ${ok} then 0 else failures + 1 end
    where site_id = ${siteId} returning failures, changes = ${changes} as is_newest`.execute(db);
  const [row] = rows;
  return row?.is_newest && !ok ? row.failures : undefined;
}
