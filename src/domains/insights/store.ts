import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import type { Rating } from './schema.ts';

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
