import { sql } from 'kysely';
import { RowGone, type Database } from '../../platform/database/connection.ts';
import { SEGMENTS } from '../spaces/index.ts';

export interface StoredAuth {
  readonly key_sealed: Buffer;
  readonly backend: 'custom' | 'integration';
  readonly fallback_url: string | null;
}

/** Stores the first key of a site. Of concurrent requests, the first one stores it; all get the same. */
export async function insertFirstKey(db: Database, siteId: string, sealed: Buffer): Promise<StoredAuth> {
  await sql`
    insert into site_publishing_auth (site_id, key_sealed) values (${siteId}, ${sealed})
    on conflict (site_id) do nothing`.execute(db);
  const stored = await findAuth(db, siteId);
  if (!stored) throw new RowGone(`The site ${siteId} was deleted`);
  return stored;
}

export async function findAuth(db: Database, siteId: string): Promise<StoredAuth | undefined> {
  const { rows } = await sql<StoredAuth>`
    select key_sealed, backend, fallback_url from site_publishing_auth where site_id = ${siteId}`.execute(db);
  return rows[0];
}

interface AuthChange {
  readonly sealed?: Buffer;
  readonly backend?: 'custom' | 'integration';
  /** Null: none. */
  readonly fallbackUrl?: string | null | undefined;
}

export async function updateAuth(
  db: Database,
  siteId: string,
  { sealed, backend, fallbackUrl }: AuthChange,
): Promise<void> {
  await db
    .updateTable('site_publishing_auth')
    .set({
      version: sql`version + 1`,
      ...(sealed ? { key_sealed: sealed } : {}),
      ...(backend ? { backend } : {}),
      ...(fallbackUrl === undefined ? {} : { fallback_url: fallbackUrl }),
    })
    .where('site_id', '=', siteId)
    .execute();
}

/** The path of a site space on its site. */
export async function segmentsOf(db: Database, siteSpaceId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ segments: string[] }>`
    select ${sql.raw(SEGMENTS)} as segments
    from site_spaces v left join site_sections sec on sec.id = v.section_id where v.id = ${siteSpaceId}`.execute(
    db,
  );
  return rows[0]?.segments ?? [];
}
