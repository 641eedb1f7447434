import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import type { NewFeedback, Rating, SearchCount, ViewCount } from './schema.ts';

/** Distinct queries of one site and day. Others are counted together. */
const MAX_QUERIES = 1000;

/** Rows are sorted by their key, so that two processes never wait for each other. Deleted sites are skipped. */
export async function addViews(db: Database, views: readonly ViewCount[]): Promise<void> {
  if (views.length === 0) return;
  await sql`
    insert into site_page_views as p (site_id, day, space_id, page_id, views)
    select v."siteId", v.day, v."spaceId", v."pageId", v.views
    from json_to_recordset(${JSON.stringify(views)})
      as v ("siteId" text, day date, "spaceId" text, "pageId" text, views integer)
    join sites t on t.id = v."siteId" order by 1, 2, 3, 4
    on conflict (site_id, day, space_id, page_id) do update set views = p.views + excluded.views`.execute(db);
}

export async function addSearches(db: Database, searches: readonly SearchCount[]): Promise<void> {
  if (searches.length === 0) return;
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
  if (feedback.length === 0) return;
  await sql`
    insert into site_feedback (id, site_id, space_id, page_id, rating, comment, created_at)
    select v.id, v."siteId", v."spaceId", v."pageId", v.rating, v.comment, v."createdAt"
    from json_to_recordset(${JSON.stringify(feedback)}) as v (id text, "siteId" text, "spaceId" text, "pageId" text,
      rating text, comment text, "createdAt" timestamptz)
    join sites t on t.id = v."siteId"`.execute(db);
}

/** Days of a site, both included. */
export interface Days {
  readonly siteId: string;
  readonly from: string;
  readonly to: string;
}

export interface PageStatisticsRow {
  readonly space_id: string;
  readonly page_id: string;
  readonly views: number;
  readonly bad: number;
  readonly ok: number;
  readonly good: number;
}

export function listPageStatistics(db: Database, { siteId, from, to }: Days, page: PageRequest) {
  const rows = sql<PageStatisticsRow>`(
    select space_id, page_id, sum(views)::int as views, sum(bad)::int as bad, sum(ok)::int as ok, sum(good)::int as good
    from (
      select space_id, page_id, views, 0 as bad, 0 as ok, 0 as good from site_page_views
      where site_id = ${siteId} and day between ${from}::date and ${to}::date
      union all
      select space_id, page_id, 0, (rating = 'bad')::int, (rating = 'ok')::int, (rating = 'good')::int
      from site_feedback where site_id = ${siteId} and (created_at at time zone 'UTC')::date
        between ${from}::date and ${to}::date) events
    group by space_id, page_id)`;
  return fetchPage(db.selectFrom(rows.as('row')).selectAll(), page, {
    by: ['views', 'space_id', 'page_id'],
    direction: 'desc',
    key: (row) => [row.views, row.space_id, row.page_id],
  });
}

export interface SearchStatisticsRow {
  readonly query: string;
  readonly searches: number;
  readonly failed: number;
}

export function listSearchStatistics(
  db: Database,
  { siteId, from, to }: Days,
  withoutResult: boolean,
  page: PageRequest,
) {
  const rows = sql<SearchStatisticsRow>`(
    select query, sum(searches)::int as searches, sum(failed)::int as failed from site_searches
    where site_id = ${siteId} and day between ${from}::date and ${to}::date group by query)`;
  let query = db.selectFrom(rows.as('row')).selectAll();
  if (withoutResult) query = query.where('failed', '>', 0);
  return fetchPage(query, page, {
    by: ['failed', 'searches', 'query'],
    direction: 'desc',
    key: (row) => [row.failed, row.searches, row.query],
  });
}

export function listFeedback(
  db: Database,
  { siteId, from, to }: Days,
  rating: Rating | undefined,
  page: PageRequest,
) {
  let rows = db
    .selectFrom('site_feedback')
    .selectAll()
    .where('site_id', '=', siteId)
    .where(sql<boolean>`(created_at at time zone 'UTC')::date between ${from}::date and ${to}::date`);
  if (rating) rows = rows.where('rating', '=', rating);
  return fetchPage(rows, page, {
    by: ['created_at', 'id'],
    direction: 'desc',
    key: (row) => [row.created_at.toISOString(), row.id],
  });
}

/** Counts are kept for 13 months, so that a month can be compared with that of the year before. */
export async function deleteOldInsights(db: Database): Promise<void> {
  const oldest = sql`current_date - interval '13 months'`;
  await sql`delete from site_page_views where day < ${oldest}`.execute(db);
  await sql`delete from site_searches where day < ${oldest}`.execute(db);
  await sql`delete from site_feedback where created_at < ${oldest}`.execute(db);
}
