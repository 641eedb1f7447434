import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';

export async function deleteOldIdempotencyKeys(db: Database): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - interval '24 hours'`)
    .execute();
}
