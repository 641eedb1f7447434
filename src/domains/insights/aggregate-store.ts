import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import type { Column, ColumnName, Filter } from './schema.ts';
import type { Days } from './store.ts';

/** All counted events of a site as one relation. Feedback with a comment is an event of its own type. */
const eventsOf = ({ siteId, from, to }: Days) => sql`(
  select day, 'page_view' as type, space_id, page_id, null as rating, null as comment, null as query, views as events
  from site_page_views where site_id = ${siteId} and day between ${from}::date and ${to}::date
  union all
  select (created_at at time zone 'UTC')::date,
    case when comment is null then 'page_post_feedback' else 'page_post_feedback_comment' end,
    space_id, page_id, rating, comment, null, 1
  from site_feedback
  where site_id = ${siteId} and (created_at at time zone 'UTC')::date between ${from}::date and ${to}::date
  union all
  select day, 'search_type_query', null, null, null, null, query, searches
  from site_searches where site_id = ${siteId} and day between ${from}::date and ${to}::date)`;

const PAGE = sql`case when e.page_id is not null
  then jsonb_build_object('page', e.page_id, 'space', e.space_id) end`;

const count = (rating: string) =>
  sql`coalesce(sum(e.events) filter (where e.rating = ${sql.lit(rating)}), 0)`;

/** The value of a column in SQL. */
function expressionOf({ column, interval = 'day' }: Column): RawBuilder<unknown> {
  switch (column) {
    case 'datetime':
      return sql`to_char(date_trunc(${sql.lit(interval)}, e.day::timestamp), 'YYYY-MM-DD"T00:00:00.000Z"')`;
    case 'eventType':
      return sql`e.type`;
    case 'page':
      return PAGE;
    case 'eventPageFeedbackRating':
      return sql`e.rating`;
    case 'eventPageFeedbackComment':
      return sql`e.comment`;
    case 'eventSearchQuery':
      return sql`e.query`;
    case 'eventsCount':
      return sql`sum(e.events)::int`;
    case 'pageFeedbackRating':
      return sql`jsonb_build_object('bad', ${count('bad')}, 'ok', ${count('ok')}, 'good', ${count('good')})`;
  }
}

export const isAggregate = (column: ColumnName): boolean =>
  column === 'eventsCount' || column === 'pageFeedbackRating';

/** Columns that only some events have: a query about one is about those. */
const REQUIRED: Partial<Record<ColumnName, RawBuilder<unknown>>> = {
  eventPageFeedbackRating: sql`e.rating is not null`,
  eventPageFeedbackComment: sql`e.comment is not null`,
  eventSearchQuery: sql`e.query is not null`,
};

const COMPARISONS = {
  greaterThan: sql`>`,
  greaterThanOrEqual: sql`>=`,
  lessThan: sql`<`,
  lessThanOrEqual: sql`<=`,
};

const isoOf = (value: unknown): string => new Date(String(value)).toISOString();

/** `values` were checked against the column. */
function conditionOf({ column, operator = 'in', values }: Filter): RawBuilder<unknown> {
  if (operator !== 'in' && operator !== 'notIn')
    return sql`e.day ${COMPARISONS[operator]} ${isoOf(values[0])}::timestamptz at time zone 'UTC'`;
  const listed = values.map((value) =>
    column === 'datetime' ? isoOf(value) : typeof value === 'string' ? value : JSON.stringify(value),
  );
  const isIn = {
    datetime: sql`e.day = any(array(select (d::timestamptz at time zone 'UTC')::date from unnest(${listed}::text[]) d))`,
    page: sql`${PAGE} = any(${listed}::jsonb[])`,
    eventType: sql`e.type = any(${listed})`,
    eventPageFeedbackRating: sql`e.rating = any(${listed})`,
    eventSearchQuery: sql`e.query = any(${listed})`,
  }[column];
  return operator === 'in' ? isIn : sql`(${isIn}) is not true`;
}

export interface AggregationPlan {
  readonly columns: readonly Column[];
  readonly where: readonly Filter[];
  readonly order: { readonly by: Column; readonly direction: 'asc' | 'desc' } | undefined;
  readonly limit: number;
}

/** Rows of values, in the order of the columns. */
export async function aggregate(
  db: Database,
  days: Days,
  { columns, where, order, limit }: AggregationPlan,
): Promise<readonly (readonly unknown[])[]> {
  const grouped = columns.flatMap(({ column }, index) => (isAggregate(column) ? [] : [sql.lit(index + 1)]));
  const conditions = [
    ...columns.flatMap(({ column }) => REQUIRED[column] ?? []),
    ...where.map(conditionOf),
    sql`true`,
  ];
  const values = columns.map((column, index) => sql`${expressionOf(column)} as ${sql.ref(`c${index}`)}`);
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(values)} from ${eventsOf(days)} e
    where ${sql.join(conditions, sql` and `)}
    ${grouped.length > 0 ? sql`group by ${sql.join(grouped)}` : sql``}
    ${grouped.length > 0 ? sql`having true` : sql`having count(*) > 0`}
    order by ${order ? sql`${expressionOf(order.by)} ${sql.raw(order.direction)},` : sql``} 1
    limit ${limit}`.execute(db);
  return rows.map((row) => columns.map((_column, index) => row[`c${index}`]));
}
