import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';

/**
 * Rejects files (413) that would exceed the storage quota of the store's organization. The rule is the function
 * `require_storage` of the migration `0004-storage.sql`, whose triggers check it again on insert. The limit is
 * `OCTAVO_ORG_STORAGE`, which the server writes to the table `installation` at startup (`src/installation.ts`).
 */
export async function requireStorage(db: Database, storeId: string, bytes: number): Promise<void> {
  await sql`select require_storage(${storeId}, ${bytes}::bigint, 1)`.execute(db);
}
