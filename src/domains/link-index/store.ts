import { sql } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import { column, type LinkRow } from './schema.ts';

export interface Lookup {
  /** Sources whose rows are all read, with their anchors. */
  readonly sources: readonly string[];
  /** Sources whose loose rows are read. */
  readonly rebased: readonly string[];
  /** Names of loose rows. */
  readonly names: readonly string[];
  /** Entries that came or went: their rows become loose, or stop being so. */
  readonly flipped: readonly string[];
}

export interface StoredLinks {
  readonly rows: readonly LinkRow[];
  /** The anchors of entries by id. Null: unknown. */
  readonly anchors: ReadonlyMap<string, readonly string[] | null>;
}

const LINK = sql.raw(`
  l.source_id, l.ordinal, l.href, l.entry_kind, l.entry_id, l.wanted, l.loose, t.key, t.relation, t.kind,
  t.target_space_id, t.target_id, t.anchor, t.url`);

/**
 * Each statement looks rows up one by one, by all columns of an index: hence the laterals with `offset 0`, the scalar
 * subqueries and the arrays of `ctid`. Of joins, the planner may choose one that reads all links of the space, because
 * its statistics do not know the size of a single space: docs/decisions/0037-links.md.
 */
const eachOf = (ids: readonly string[]) => sql`unnest(${[...ids]}::text[]) asked (id)`;
const targetOf = (spaceId: string) => sql`cross join lateral (
  select * from link_targets t where t.space_id = ${spaceId} and t.key = l.target offset 0) t`;

/** The rows that a change may affect. */
export async function readForUpdate(
  db: Database,
  spaceId: string,
  { sources, rebased, names, flipped }: Lookup,
): Promise<StoredLinks> {
  const target = targetOf(spaceId);
  const { rows } = await sql<LinkRow & { readonly anchors: string[] | null; readonly is_entry: boolean }>`
      select false as is_entry, null::text[] as anchors, ${LINK} from ${eachOf(sources)} cross join lateral (
        select * from links l where l.space_id = ${spaceId} and l.source_id = asked.id offset 0) l ${target}
      union all
      select false, null, ${LINK} from ${eachOf(rebased)} cross join lateral (
        select * from links l where l.space_id = ${spaceId} and l.source_id = asked.id and l.loose offset 0) l ${target}
      union all
      select false, null, ${LINK} from ${eachOf(names)} cross join lateral (
        select * from links l where l.space_id = ${spaceId} and l.wanted = asked.id and l.loose offset 0) l ${target}
      union all
      select false, null, ${LINK} from ${eachOf(flipped)} cross join lateral (
        select * from links l where l.space_id = ${spaceId} and l.entry_id = asked.id and l.loose offset 0) l ${target}
      union all
      select false, null, ${LINK} from ${eachOf(flipped)} cross join lateral (
        select * from link_targets t where t.space_id = ${spaceId} and t.target_id = asked.id
          and t.target_space_id is null offset 0) t cross join lateral (
        select * from links l where l.space_id = ${spaceId} and l.target = t.key and l.entry_id is not null offset 0) l
      union all
      select true, e.anchors, e.entry_id, 0, null, null, null, null, false, null, null, null, null, null, null, null
        from ${eachOf(sources)} cross join lateral (
        select * from link_entries e where e.space_id = ${spaceId} and e.entry_id = asked.id offset 0) e`.execute(
    db,
  );
  const links = new Map<string, LinkRow>();
  const anchors = new Map<string, readonly string[] | null>();
  for (const { is_entry: isEntry, anchors: own, ...row } of rows) {
    if (isEntry) anchors.set(row.source_id, own);
    else links.set(`${row.source_id} ${row.ordinal}`, row);
  }
  return { rows: [...links.values()], anchors };
}

export async function deleteLinks(db: Database, spaceId: string, removed: readonly LinkRow[]): Promise<void> {
  await sql`${PIPELINED}
    delete from links where ctid = any(array(
      select (select l.ctid from links l
        where l.space_id = ${spaceId} and l.source_id = removed.source_id and l.ordinal = removed.ordinal)
      from unnest(${column(removed, 'source_id')}::text[], ${column(removed, 'ordinal')}::int[])
        removed (source_id, ordinal)))`.execute(db);
}

/**
 * Not null where a row of `pair` is left. A scalar subquery is one index lookup per pair. The planner may turn `exists`
 * into a join that reads all links of the space, as long as its statistics say that the space has few.
 */
const hasRow = (spaceId: string) => sql`
  select true from links l
  where l.space_id = ${spaceId} and l.target = pair.key and l.source_id = pair.source_id limit 1`;

/** Takes pairs of source and target off the counts of sources, unless rows of them are left. */
export async function subtractSources(
  db: Database,
  spaceId: string,
  lost: readonly LinkRow[],
): Promise<void> {
  await sql`${PIPELINED}
    update link_targets t set sources = t.sources - lost.sources
    from (
      select pair.key, count(*)::int as sources
      from unnest(${column(lost, 'key')}::uuid[], ${column(lost, 'source_id')}::text[]) pair (key, source_id)
      where (${hasRow(spaceId)}) is null
      group by pair.key
    ) lost
    where t.space_id = ${spaceId} and t.key = lost.key`.execute(db);
}

/** After all rows are inserted, because another source may have gained the target. */
export async function deleteUnusedTargets(
  db: Database,
  spaceId: string,
  lost: readonly LinkRow[],
): Promise<void> {
  await sql`${PIPELINED}
    delete from link_targets
    where space_id = ${spaceId} and key = any(${column(lost, 'key')}::uuid[]) and sources <= 0`.execute(db);
}

export interface NewTarget extends LinkRow {
  readonly address: string | null;
  readonly broken: boolean | null;
}

export interface NewLinks {
  readonly rows: readonly LinkRow[];
  /** The rows that first link their source to their target. */
  readonly gained: readonly NewTarget[];
}

/** Inserts rows, their targets, and counts their sources. */
export async function insertLinks(db: Database, spaceId: string, { rows, gained }: NewLinks): Promise<void> {
  const targets = [...new Map(gained.map((row) => [row.key, row])).values()];
  await sql`${PIPELINED}
    with gained as (
      select pair.key, count(*)::int as sources
      from unnest(${column(gained, 'key')}::uuid[], ${column(gained, 'source_id')}::text[]) pair (key, source_id)
      where (${hasRow(spaceId)}) is null
      group by pair.key
    ), targets as (
      insert into link_targets as there (space_id, key, relation, kind, target_space_id, target_id, anchor, url, address,
        broken, sources)
      select ${spaceId}, t.*, gained.sources
      from unnest(${column(targets, 'key')}::uuid[], ${column(targets, 'relation')}::text[],
        ${column(targets, 'kind')}::text[], ${column(targets, 'target_space_id')}::text[],
        ${column(targets, 'target_id')}::text[], ${column(targets, 'anchor')}::text[],
        ${column(targets, 'url')}::text[], ${column(targets, 'address')}::text[],
        ${column(targets, 'broken')}::boolean[]) t (key, relation, kind, target_space_id, target_id, anchor, url,
        address, broken)
      join gained using (key)
      on conflict (space_id, key) do update set sources = there.sources + excluded.sources
    )
    insert into links (space_id, source_id, ordinal, target, href, entry_kind, entry_id, wanted, loose)
    select ${spaceId}, * from unnest(${column(rows, 'source_id')}::text[], ${column(rows, 'ordinal')}::int[],
      ${column(rows, 'key')}::uuid[], ${column(rows, 'href')}::text[], ${column(rows, 'entry_kind')}::text[],
      ${column(rows, 'entry_id')}::text[], ${column(rows, 'wanted')}::text[],
      ${column(rows, 'loose')}::boolean[])`.execute(db);
}

export interface Candidate {
  readonly sourceId: string;
  readonly href: string;
}

/** Hrefs that lead to an entry by their path alone: of these names, of these sources, or of links to deleted entries. */
export async function listCandidates(
  db: Database,
  spaceId: string,
  { names, sources, gone }: Record<'names' | 'sources' | 'gone', readonly string[]>,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select l.source_id as "sourceId", l.href from links l
      where l.space_id = ${spaceId} and l.loose and l.wanted = any(${[...names]}::text[])
    union
    select l.source_id, l.href from links l
      where l.space_id = ${spaceId} and l.loose and l.source_id = any(${[...sources]}::text[])
    union
    select l.source_id, l.href from link_targets t join links l on l.space_id = t.space_id and l.target = t.key
      where t.space_id = ${spaceId} and t.target_id = any(${[...gone]}::text[]) and t.target_space_id is null
        and l.href is not null`.execute(db);
  return rows;
}
