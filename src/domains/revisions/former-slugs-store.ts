import { sql } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';

interface Place {
  readonly parent: string;
  readonly slug: string;
  readonly page: string;
  /** When the page was created, in milliseconds. */
  readonly createdAt: number;
}

/** Its stay began when it left its previous place, or was created. */
export async function insertFormerSlugs(
  db: Database,
  spaceId: string,
  places: readonly Place[],
): Promise<void> {
  if (places.length === 0) return;
  const columns = [
    places.map(({ parent }) => parent),
    places.map(({ slug }) => slug),
    places.map(({ page }) => page),
  ];
  const created = places.map(({ createdAt }) => createdAt);
  // The clock: several publications may be one transaction.
  await sql`${PIPELINED}
    with clock as materialized (select clock_timestamp() as time)
    insert into former_slugs (space_id, parent_id, slug, page_id, since, until)
    select ${spaceId}, parent, slug, page, greatest(to_timestamp(created / 1000.0), (
      select max(f.until) from former_slugs f where f.space_id = ${spaceId} and f.page_id = page)), clock.time
    from clock, unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::text[], ${created}::float8[])
      as place (parent, slug, page, created)
    on conflict (space_id, parent_id, slug, page_id) do update set until = excluded.until`.execute(db);
}

/** Those of these pages that pages have left. */
export async function listFormerParents(
  db: Database,
  spaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('former_slugs')
    .select('parent_id')
    .distinct()
    .where('space_id', '=', spaceId)
    .where('parent_id', '=', sql<string>`any(${[...ids]})`)
    .execute();
  return rows.map((row) => row.parent_id);
}

/** A page at a place, and when it was there, in milliseconds. */
export interface Stay {
  readonly parentId: string;
  readonly pageId: string;
  readonly since: number;
  readonly until: number;
}

/** The limit of each place: pages that keep taking turns there would make an address slow. */
const MAX_STAYS = 50;

/** Pages that had a slug below these pages, the last first; and since when the `present` ones are where they are. */
export async function findFormerSlugs(
  db: Database,
  spaceId: string,
  parents: readonly string[],
  slug: string,
  present: readonly string[],
): Promise<{ readonly former: readonly Stay[]; readonly since: ReadonlyMap<string, number> }> {
  const [former, moves] = await Promise.all([
    sql<Stay>`
      select parent_id as "parentId", page_id as "pageId", ${milliseconds('since')} as since, ${milliseconds('until')} as until
      from former_slugs
      where space_id = ${spaceId} and parent_id = any(${[...parents]}) and slug = ${slug}
      order by former_slugs.until desc limit ${MAX_STAYS}`.execute(db),
    sql<{ id: string; since: number }>`
      select page_id as id, ${milliseconds('max(until)')} as since from former_slugs
      where space_id = ${spaceId} and page_id = any(${[...present]}) group by page_id`.execute(db),
  ]);
  return { former: former.rows, since: new Map(moves.rows.map(({ id, since }) => [id, since])) };
}

const milliseconds = (time: string) => sql.raw(`(extract(epoch from ${time}) * 1000)::float8`);
