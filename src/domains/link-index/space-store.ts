import { sql } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';

/** The form of the rows: a higher one makes the job index every space again. */
export const CURRENT_FORM = 1;

export async function insertIndex(db: Database, spaceId: string): Promise<void> {
  await sql`${PIPELINED}
    insert into link_indexes (space_id, form) values (${spaceId}, ${CURRENT_FORM})
    on conflict (space_id) do nothing`.execute(db);
}

/** Live spaces with content whose links are not indexed in the current form. */
export async function listUnindexedSpaces(db: Database, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from spaces s join revisions rv on rv.id = s.revision_id
    where s.deleted_at is null and rv.root is not null
      and not exists (select from link_indexes i where i.space_id = s.id and i.form >= ${CURRENT_FORM})
    order by s.id limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

/** A trigger deletes the rows of the space with it. */
export async function deleteIndex(db: Database, spaceId: string): Promise<void> {
  await sql`delete from link_indexes where space_id = ${spaceId}`.execute(db);
}

/** Copies the links of a space to its duplicate. The caller holds the lock of the original. */
export async function copyLinks(db: Database, fromSpaceId: string, toSpaceId: string): Promise<void> {
  await sql`
    insert into link_indexes (space_id, form)
    select ${toSpaceId}, form from link_indexes where space_id = ${fromSpaceId}`.execute(db);
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
