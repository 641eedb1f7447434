import { sql } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { EntryKind } from '../../content-engine/links/index.ts';
import { column } from './schema.ts';

export interface EntryRow {
  readonly entry_id: string;
  readonly kind: EntryKind;
  /** Null: unknown. */
  readonly anchors: readonly string[] | null;
}

/** Inserts entries, or replaces their kind and anchors. */
export async function saveEntries(
  db: Database,
  spaceId: string,
  entries: readonly EntryRow[],
): Promise<void> {
  const anchors = entries.map((entry) => (entry.anchors === null ? null : JSON.stringify(entry.anchors)));
  await sql`${PIPELINED}
    insert into link_entries (space_id, entry_id, kind, anchors)
    select ${spaceId}, e.entry_id, e.kind,
      case when e.anchors is not null then array(select jsonb_array_elements_text(e.anchors::jsonb)) end
    from unnest(${column(entries, 'entry_id')}::text[], ${column(entries, 'kind')}::text[], ${anchors}::text[])
      e (entry_id, kind, anchors)
    on conflict (space_id, entry_id) do update set kind = excluded.kind, anchors = excluded.anchors`.execute(
    db,
  );
}

export interface FlippedEntry {
  readonly id: string;
  /** Null: it is no longer part of the space. */
  readonly kind: EntryKind | null;
}

/** Records which entries are part of the space now. */
export async function flipEntries(
  db: Database,
  spaceId: string,
  flipped: readonly FlippedEntry[],
): Promise<void> {
  const ids = column(flipped, 'id');
  const gone = flipped.filter(({ kind }) => kind === null).map(({ id }) => id);
  if (gone.length > 0) {
    await sql`${PIPELINED}
      delete from link_entries where space_id = ${spaceId} and entry_id = any(${gone}::text[])`.execute(db);
  }
  await sql`${PIPELINED}
    update link_targets t set broken = flipped.kind is distinct from t.kind
    from unnest(${ids}::text[], ${column(flipped, 'kind')}::text[]) flipped (id, kind)
    where t.space_id = ${spaceId} and t.target_space_id is null and t.target_id = flipped.id
      and t.kind in ('page', 'file', 'reusable-content')
      and t.broken is distinct from (flipped.kind is distinct from t.kind)`.execute(db);
}

/** Decides about links to anchors: the given ones, and those of the entries and of all that include them. */
export async function updateAnchors(
  db: Database,
  spaceId: string,
  keys: readonly string[],
  entries: readonly string[],
): Promise<void> {
  await sql`${PIPELINED}
    with recursive including (id) as (
      select unnest(${[...entries]}::text[])
      union
      select l.source_id from including i
      join link_targets t on t.space_id = ${spaceId} and t.target_id = i.id and t.relation = 'dependsOn'
        and t.kind = 'reusable-content' and t.target_space_id is null
      join links l on l.space_id = t.space_id and l.target = t.key
    ), candidates as materialized (
      select t.key, t.kind, t.target_id, t.anchor
      from (
        select key from unnest(${[...keys]}::uuid[]) key
        union
        select t.key from including i join link_targets t on t.space_id = ${spaceId} and t.target_id = i.id
      ) candidate
      join link_targets t on t.space_id = ${spaceId} and t.key = candidate.key
      where t.anchor is not null and t.target_space_id is null
    ), present as materialized (
      select p.* from (
        select array_agg(${spaceId}::text) as spaces, array_agg(kind) as kinds, array_agg(target_id) as entries,
          array_agg(anchor) as anchors from candidates
      ) asked, present_anchors(asked.spaces, asked.kinds, asked.entries, asked.anchors) p
    ), decided as materialized (
      select c.key, p.entry_id is null as broken
      from candidates c
      left join present p on p.kind = c.kind and p.entry_id = c.target_id and p.anchor = c.anchor
    )
    update link_targets t set broken = decided.broken from decided
    where t.space_id = ${spaceId} and t.key = decided.key and t.broken is distinct from decided.broken`.execute(
    db,
  );
}
