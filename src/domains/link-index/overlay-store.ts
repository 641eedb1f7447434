import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import type { StoredTarget } from './schema.ts';

export interface TargetLookup {
  readonly keys: readonly string[];
  /** Entries of the space: all targets that lead to them. */
  readonly entries: readonly string[];
  /** Entries of the space: the targets that lead to their anchors. */
  readonly anchorsOf: readonly string[];
}

/** Stored targets, by their keys. */
export async function readTargets(
  db: Database,
  spaceId: string,
  { keys, entries, anchorsOf }: TargetLookup,
): Promise<Map<string, StoredTarget>> {
  const columns =
    sql.raw(`t.key, t.relation, t.kind, t.target_space_id, t.target_id, t.anchor, t.url, t.address,
    t.broken, t.sources, t.checked_at, t.problem`);
  const { rows } = await sql<StoredTarget>`
    select ${columns} from link_targets t where t.space_id = ${spaceId} and t.key = any(${[...keys]}::uuid[])
    union
    select ${columns} from link_targets t
      where t.space_id = ${spaceId} and t.target_space_id is null and t.target_id = any(${[...entries]}::text[])
    union
    select ${columns} from link_targets t
      where t.space_id = ${spaceId} and t.target_space_id is null and t.target_id = any(${[...anchorsOf]}::text[])
        and t.anchor is not null`.execute(db);
  return new Map(rows.map((row) => [row.key, row]));
}

export interface LinkPlace {
  readonly source_id: string;
  readonly ordinal: number;
  readonly key: string;
}

/** The stored rows that link these sources to these targets. */
export async function listLinksOfPairs(
  db: Database,
  spaceId: string,
  pairs: readonly { readonly source_id: string; readonly key: string }[],
): Promise<LinkPlace[]> {
  if (pairs.length === 0) return [];
  const { rows } = await sql<LinkPlace>`
    select l.source_id, l.ordinal, l.target as key
    from unnest(${pairs.map((pair) => pair.source_id)}::text[], ${pairs.map((pair) => pair.key)}::uuid[])
      pair (source_id, key)
    join links l on l.space_id = ${spaceId} and l.target = pair.key and l.source_id = pair.source_id`.execute(
    db,
  );
  return rows;
}

/** A source that includes a reusable content. */
export interface Include {
  readonly source_id: string;
  readonly ordinal: number;
  readonly target_id: string | null;
}

/** The stored includes of these sources, or of these reusable contents. */
export async function listIncludes(
  db: Database,
  spaceId: string,
  by: 'source_id' | 'target_id',
  ids: readonly string[],
): Promise<Include[]> {
  const { rows } = await sql<Include>`
    select l.source_id, l.ordinal, t.target_id
    from links l join link_targets t on t.space_id = l.space_id and t.key = l.target
    where l.space_id = ${spaceId} and t.space_id = ${spaceId} and ${sql.ref(by === 'source_id' ? 'l.source_id' : 't.target_id')} = any(${[...ids]}::text[])
      and t.relation = 'dependsOn' and t.kind = 'reusable-content' and t.target_space_id is null`.execute(db);
  return rows;
}

/** The stored anchors of entries. Null: unknown. */
export async function readAnchors(
  db: Database,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, readonly string[] | null>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ entry_id: string; anchors: string[] | null }>`
    select entry_id, anchors from link_entries
    where space_id = ${spaceId} and entry_id = any(${[...ids]}::text[])`.execute(db);
  return new Map(rows.map(({ entry_id: id, anchors }) => [id, anchors]));
}
