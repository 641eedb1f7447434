import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import type { NewFeedback, SearchCount, ViewCount } from './schema.ts';

/** Distinct queries of one site and day. Others are counted together. */
const MAX_QUERIES = 1000;

/** Rows are sorted by their key, so that two processes never wait for each other. Deleted sites are skipped. */
export async function addViews(db: Database, views: readonly ViewCount[]): Promise<void> {
  await sql`
    insert into site_page_views as p (site_id, day, space_id, page_id, views)
    select v."siteId", v.day, v."spaceId", v."pageId", v.views
    from json_to_recordset(${JSON.stringify(views)})
      as v ("siteId" text, day date, "spaceId" text, "pageId" text, views integer)
    join sites t on t.id = v."siteId" order by 1, 2, 3, 4
    on conflict (site_id, day, space_id, page_id) do update set views = p.views + excluded.views`.execute(db);
}

export async function addSearches(db: Database, searches: readonly SearchCount[]): Promise<void> {
  await sql`
    with given as (
      select v.* from json_to_recordset(${JSON.stringify(searches)})
        as v ("siteId" text, day date, query text, searches integer, failed integer)
      join sites t on t.id = v."siteId"),
    ranked as (
      select g.*, s.query is not null as is_known, (
          select count(*) from site_searches o where o.site_id = g."siteId" and o.day = g.day)
        + row_number() over (partition by g."siteId", g.day order by s.query is not null desc, g.searches desc) as rank
      from given g left join site_searches s on s.site_id = g."siteId" and s.day = g.day and s.query = g.query)
    insert into site_searches as p (site_id, day, query, searches, failed)
    select r."siteId", r.day, case when r.is_known or r.rank <= ${MAX_QUERIES} then r.query else '' end,
      sum(r.searches), sum(r.failed)
    from ranked r group by 1, 2, 3 order by 1, 2, 3
    on conflict (site_id, day, query) do update
      set searches = p.searches + excluded.searches, failed = p.failed + excluded.failed`.execute(db);
}

export async function addFeedback(db: Database, feedback: readonly NewFeedback[]): Promise<void> {
  await sql`
    insert into site_feedback (id, site_id, space_id, page_id, rating, comment, created_at)
    select v.id, v."siteId", v."spaceId", v."pageId", v.rating, v.comment, v."createdAt"
    from json_to_recordset(${JSON.stringify(feedback)}) as v (id text, "siteId" text, "spaceId" text, "pageId" text,
      rating text, comment text, "createdAt" timestamptz)
    join sites t on t.id = v."siteId"`.execute(db);
}
