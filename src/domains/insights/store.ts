import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import { RETENTION } from './limits.ts';
import type { Rating } from './schema.ts';

/** Days of a site, both included. */
export interface Days {
  readonly siteId: string;
  readonly from: string;
  readonly to: string;
}

/** Feedback of the days, as a range of the indexed column. */
export const isCreatedWithin = ({ from, to }: Days) => sql<boolean>`
  created_at >= ${from}::date::timestamp at time zone 'UTC'
  and created_at < (${to}::date + 1)::timestamp at time zone 'UTC'`;

export interface PageStatisticsRow {
  readonly space_id: string;
  readonly page_id: string;
  readonly views: number;
  readonly bad: number;
  readonly ok: number;
  readonly good: number;
  /** The count of all rows: a second statement would read all views again. */
  readonly count: number;
}

export function listPageStatistics(db: Database, days: Days, page: PageRequest) {
  const { siteId, from, to } = days;
  const rows = sql<PageStatisticsRow>`(
    select space_id, page_id, sum(views)::int as views, sum(bad)::int as bad, sum(ok)::int as ok,
      sum(good)::int as good, count(*) over ()::int as count
    from (
      select space_id, page_id, views, 0 as bad, 0 as ok, 0 as good from site_page_views
      where site_id = ${siteId} and day between ${from}::date and ${to}::date
      union all
      select space_id, page_id, 0, (rating = 'bad')::int, (rating = 'ok')::int, (rating = 'good')::int
      from site_feedback where site_id = ${siteId} and ${isCreatedWithin(days)}) events
    group by space_id, page_id)`;
  return fetchPage(db.selectFrom(rows.as('row')).selectAll(), page, {
    by: ['views', 'space_id', 'page_id'],
    direction: 'desc',
    key: (row) => [row.views, row.space_id, row.page_id],
    countIn: (row) => row.count,
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

export function listFeedback(db: Database, days: Days, rating: Rating | undefined, page: PageRequest) {
  let rows = db
    .selectFrom('site_feedback')
    .selectAll()
    .where('site_id', '=', days.siteId)
    .where(isCreatedWithin(days));
  if (rating) rows = rows.where('rating', '=', rating);
  return fetchPage(rows, page, {
    by: ['created_at', 'id'],
    direction: 'desc',
    key: (row) => [row.created_at.toISOString(), row.id],
  });
}

/** Counts are kept for 13 months, so that a month can be compared with that of the year before. */
export async function deleteOldInsights(db: Database): Promise<void> {
  const oldest = sql`current_date - ${RETENTION}::interval`;
  await sql`delete from site_page_views where day < ${oldest}`.execute(db);
  await sql`delete from site_searches where day < ${oldest}`.execute(db);
  await sql`delete from site_feedback where created_at < ${oldest}`.execute(db);
}
