import { sql } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';

interface Place {
  readonly parent: string;
  readonly slug: string;
  readonly page: string;
}

/** Of several pages that had a place, it leads to the last one. */
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
  // Several changed pages may have had one place, of which all but one had an invalid one.
  await sql`${PIPELINED}
    insert into former_slugs (space_id, parent_id, slug, page_id)
    select distinct on (parent, slug) ${spaceId}, parent, slug, page
    from unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::text[]) as place (parent, slug, page)
    on conflict (space_id, parent_id, slug) do update set page_id = excluded.page_id`.execute(db);
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

/** The pages that had a slug below these pages. */
export async function findFormerSlugs(
  db: Database,
  spaceId: string,
  parents: readonly string[],
  slug: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('former_slugs')
    .select('page_id')
    .where('space_id', '=', spaceId)
    .where('parent_id', '=', sql<string>`any(${[...parents]})`)
    .where('slug', '=', slug)
    .execute();
  return rows.map((row) => row.page_id);
}
