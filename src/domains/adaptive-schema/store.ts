import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import type { ClaimsSchema } from './schema.ts';

export async function putSchema(
  db: Database,
  siteId: string,
  schema: ClaimsSchema,
  updatedAt: Date,
): Promise<void> {
  await sql`
    insert into site_adaptive_schemas as a (site_id, json_schema, updated_at)
    values (${siteId}, ${JSON.stringify(schema)}, ${updatedAt})
    on conflict (site_id) do update
      set json_schema = excluded.json_schema, updated_at = excluded.updated_at, version = a.version + 1`.execute(
    db,
  );
}
