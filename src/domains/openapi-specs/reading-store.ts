import { sql } from 'kysely';
import { newId } from '../../platform/api/ids.ts';
import type { Database } from '../../platform/database/connection.ts';
import { insertEvents } from '../events/index.ts';
import { LEASE, MAX_FAILURES, MAX_READING, MAX_VERSIONS, REFRESH_HOURS } from './limits.ts';
import { replaceParts, type PartRow } from './part-store.ts';
import type { SpecRow } from './policy.ts';

/** A specification whose source a job reads. */
export interface ClaimedSpec {
  readonly id: string;
  readonly source_url: string | null;
  readonly source_text: string | null;
  readonly source_number: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
}

/** Takes specifications to read, of each organization one that no other job reads. */
export async function claimDue(db: Database): Promise<ClaimedSpec[]> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('claim openapi specs', 43))`.execute(transaction);
    const { rows } = await sql<ClaimedSpec>`
      with reading as (
        select organization_id from openapi_specs where processing_state = 'progress' and next_read_at > now()
      ), first_due as (
        select distinct on (organization_id) id, next_read_at from openapi_specs
        where next_read_at <= now() and organization_id not in (select organization_id from reading)
        order by organization_id, next_read_at
      ), next as (
        select id from first_due order by next_read_at
        limit greatest(0, ${sql.lit(MAX_READING)} - (select count(*) from reading))
      )
      update openapi_specs s
      set processing_state = 'progress', next_read_at = now() + ${sql.lit(LEASE)}::interval
      from next where s.id = next.id
      returning s.id, s.source_url, s.source_text, s.source_number, s.etag, s.last_modified`.execute(
      transaction,
    );
    return rows;
  });
}

export interface ReadSpec {
  /** JSON, compressed by gzip, and the hash of what was compressed. */
  readonly document: Buffer;
  readonly hash: Buffer;
  readonly errors: NonNullable<SpecRow['errors']>;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly parts: readonly PartRow[];
}

const NEXT_REFRESH = sql<Date | null>`
  case when source_url is not null then now() + interval '1 hour' * ${sql.lit(REFRESH_HOURS)} * (0.9 + 0.2 * random()) end`;

/** Ends the reading of a source, unless it has been replaced since. A version is made if the content has changed. */
export const completeSpec = (db: Database, spec: ClaimedSpec, read: ReadSpec): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const isCurrent = await endReading(transaction, spec, {
      error_code: null,
      errors: read.errors.length > 0 ? JSON.stringify(read.errors) : null,
      etag: read.etag,
      last_modified: read.lastModified,
      failures: 0,
      next_read_at: NEXT_REFRESH,
    });
    if (!isCurrent) return;
    const { id, hash, document } = { id: newId(), ...read };
    const { rows } = await sql<{ number: number }>`
      insert into openapi_spec_versions (id, spec_id, number, hash, document)
      select ${id}, ${spec.id}, coalesce(max(number), 0) + 1, ${hash}, ${document} from openapi_spec_versions
      where spec_id = ${spec.id}
      having (select hash from openapi_spec_versions where spec_id = ${spec.id} order by number desc limit 1)
        is distinct from ${hash}
      returning number`.execute(transaction);
    if (await replaceParts(transaction, spec.id, read.parts))
      await insertEvents('openapi_spec_updated', {
        organizationId: sql`organization_id`,
        spaceId: sql`null`,
        data: { slug: sql`slug` },
        from: sql`from openapi_specs where id = ${spec.id}`,
      }).execute(transaction);
    const number = rows[0]?.number;
    if (number === undefined) return;
    await transaction
      .deleteFrom('openapi_spec_versions')
      .where('spec_id', '=', spec.id)
      .where('number', '<=', number - MAX_VERSIONS)
      .execute();
  });

/** The source is as it was when it was last read. */
export const keepSpec = (db: Database, spec: ClaimedSpec) =>
  endReading(db, spec, { failures: 0, next_read_at: NEXT_REFRESH });

/** The last version stays. A URL is read again, at first after a quarter of an hour. */
export const failSpec = (
  db: Database,
  spec: ClaimedSpec,
  error: { readonly code: NonNullable<SpecRow['error_code']>; readonly message: string },
) =>
  endReading(db, spec, {
    error_code: error.code,
    errors: JSON.stringify([{ message: error.message, code: error.code }]),
    // An unconditional request follows: the last response could not be used.
    etag: null,
    last_modified: null,
    failures: sql<number>`failures + 1`,
    next_read_at: sql<Date | null>`
      case when source_url is not null
        then now() + least(interval '1 day', interval '15 minutes' * power(4, least(failures, ${sql.lit(MAX_FAILURES)}))) end`,
  });

async function endReading(
  db: Database,
  { id, source_number: number }: ClaimedSpec,
  change: Record<string, unknown>,
): Promise<boolean> {
  const updated = await db
    .updateTable('openapi_specs')
    .set({
      ...change,
      processing_state: 'complete',
      last_processed_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('source_number', '=', number)
    .where('processing_state', '=', 'progress')
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}
