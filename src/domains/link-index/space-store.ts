import { sql } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';

export async function insertIndex(db: Database, spaceId: string): Promise<void> {
  await sql`${PIPELINED}
    insert into link_indexes (space_id) values (${spaceId}) on conflict (space_id) do nothing`.execute(db);
}

/** Copies the links of a space to its duplicate. The caller holds the lock of the original. */
export async function copyLinks(db: Database, fromSpaceId: string, toSpaceId: string): Promise<void> {
  await sql`
    insert into link_indexes (space_id)
    select ${toSpaceId} from link_indexes where space_id = ${fromSpaceId}`.execute(db);
  await sql`
    with entries as (
      insert into link_entries (space_id, entry_id, kind, anchors)
      select ${toSpaceId}, entry_id, kind, anchors from link_entries where space_id = ${fromSpaceId}
    ), targets as (
      insert into link_targets (space_id, key, relation, kind, target_space_id, target_id, anchor, url, address, broken,
        sources, checked_at, problem)
      select ${toSpaceId}, key, relation, kind, target_space_id, target_id, anchor, url, address, broken, sources,
        checked_at, problem
      from link_targets where space_id = ${fromSpaceId}
    )
    insert into links (space_id, source_id, ordinal, target, href, entry_kind, entry_id, wanted, loose)
    select ${toSpaceId}, source_id, ordinal, target, href, entry_kind, entry_id, wanted, loose
    from links where space_id = ${fromSpaceId}`.execute(db);
}
