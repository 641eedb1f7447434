import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { MAX_FEEDBACK, MAX_PAGES, MAX_QUERIES } from './limits.ts';
import type { NewFeedback, SearchCount, ViewCount } from './schema.ts';

// Rows are counted against the limits only where there are new ones, once for each site and day.

/** Rows are sorted by their key, so that two processes never wait for each other. Deleted sites are skipped. */
export async function addViews(db: Database, views: readonly ViewCount[]): Promise<void> {
  await sql`
    with given as (
      select v.*, exists (
        select from site_page_views p where p.site_id = v."siteId" and p.day = v.day
          and p.space_id = v."spaceId" and p.page_id = v."pageId") as is_known
      from json_to_recordset(${JSON.stringify(views)})
        as v ("siteId" text, day date, "spaceId" text, "pageId" text, views integer)
      join sites t on t.id = v."siteId"),
    stored as (
      select g."siteId", g.day, (
        select count(*) from site_page_views p where p.site_id = g."siteId" and p.day = g.day) as pages
      from given g where not g.is_known group by 1, 2),
    ranked as (
      select g.*, s.pages
        + row_number() over (partition by g."siteId", g.day, g.is_known order by g.views desc) as rank
      from given g left join stored s using ("siteId", day))
    insert into site_page_views as p (site_id, day, space_id, page_id, views)
    select r."siteId", r.day, r."spaceId", r."pageId", r.views
    from ranked r where r.is_known or r.rank <= ${MAX_PAGES} order by 1, 2, 3, 4
    on conflict (site_id, day, space_id, page_id) do update set views = p.views + excluded.views`.execute(db);
}

export async function addSearches(db: Database, searches: readonly SearchCount[]): Promise<void> {
  await sql`
    with given as (
      select v.*, exists (
        select from site_searches p where p.site_id = v."siteId" and p.day = v.day and p.query = v.query) as is_known
      from json_to_recordset(${JSON.stringify(searches)})
        as v ("siteId" text, day date, query text, searches integer, failed integer)
      join sites t on t.id = v."siteId"),
    stored as (
      select g."siteId", g.day, (
        select count(*) from site_searches p where p.site_id = g."siteId" and p.day = g.day) as queries
      from given g where not g.is_known group by 1, 2),
    ranked as (
      select g.*, s.queries
        + row_number() over (partition by g."siteId", g.day, g.is_known order by g.searches desc) as rank
      from given g left join stored s using ("siteId", day))
    insert into site_searches as p (site_id, day, query, searches, failed)
    select r."siteId", r.day, case when r.is_known or r.rank <= ${MAX_QUERIES} then r.query else '' end,
      sum(r.searches), sum(r.failed)
    from ranked r group by 1, 2, 3 order by 1, 2, 3
    on conflict (site_id, day, query) do update
      set searches = p.searches + excluded.searches, failed = p.failed + excluded.failed`.execute(db);
}

export async function addFeedback(db: Database, feedback: readonly NewFeedback[]): Promise<void> {
  await sql`
    with given as (
      select v.*, date_trunc('day', v."createdAt", 'UTC') as day
      from json_to_recordset(${JSON.stringify(feedback)}) as v (id text, "siteId" text, "spaceId" text,
        "pageId" text, rating text, comment text, "createdAt" timestamptz)
      join sites t on t.id = v."siteId"),
    stored as (
      select g."siteId", g.day, (
        select count(*) from site_feedback f
        where f.site_id = g."siteId" and f.created_at >= g.day and f.created_at < g.day + interval '24 hours') as entries
      from given g group by 1, 2),
    ranked as (
      select g.*, s.entries + row_number() over (partition by g."siteId", g.day order by g."createdAt") as rank
      from given g join stored s using ("siteId", day))
    insert into site_feedback (id, site_id, space_id, page_id, rating, comment, created_at)
    select r.id, r."siteId", r."spaceId", r."pageId", r.rating, r.comment, r."createdAt"
    from ranked r where r.rank <= ${MAX_FEEDBACK}`.execute(db);
}
