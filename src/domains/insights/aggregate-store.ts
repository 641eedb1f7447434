import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import type { Column, ColumnName, Filter } from './schema.ts';
import { isCreatedWithin, type Days } from './store.ts';

/** All counted events of a site as one relation. Feedback with a comment is an event of its own type. */
function eventsOf(days: Days) {
  const { siteId, from, to } = days;
  return sql`(
  select day, 'page_view' as type, space_id, page_id, null as rating, null as comment, null as query, views as events
  from site_page_views where site_id = ${siteId} and day between ${from}::date and ${to}::date
  union all
  select (created_at at time zone 'UTC')::date,
    case when comment is null then 'page_post_feedback' else 'page_post_feedback_comment' end,
    space_id, page_id, rating, comment, null, 1
  from site_feedback where site_id = ${siteId} and ${isCreatedWithin(days)}
  union all
  select day, 'search_type_query', null, null, null, null, query, searches
  from site_searches where site_id = ${siteId} and day between ${from}::date and ${to}::date)`;
}

const count = (rating: string) =>
  sql`coalesce(sum(e.events) filter (where e.rating = ${sql.lit(rating)}), 0)`;

/** The values by which events are grouped for a column. Stored values are faster to compare than formatted ones. */
function keysOf({ column, interval = 'day' }: Column): readonly RawBuilder<unknown>[] {
  switch (column) {
    case 'datetime':
      return [interval === 'day' ? sql`e.day` : sql`date_trunc(${sql.lit(interval)}, e.day::timestamp)`];
    case 'eventType':
      return [sql`e.type`];
    case 'page':
      return [sql`e.page_id`, sql`e.space_id`];
    case 'eventPageFeedbackRating':
      return [sql`e.rating`];
    case 'eventPageFeedbackComment':
      return [sql`e.comment`];
    case 'eventSearchQuery':
      return [sql`e.query`];
    case 'eventsCount':
    case 'pageFeedbackRating':
      return [];
  }
}

/** The selected values of a group for a column: its keys, or a result. */
function partsOf(column: Column): readonly RawBuilder<unknown>[] {
  switch (column.column) {
    case 'eventsCount':
      return [sql`sum(e.events)::int`];
    case 'pageFeedbackRating':
      return [
        sql`jsonb_build_object('bad', ${count('bad')}, 'ok', ${count('ok')}, 'good', ${count('good')})`,
      ];
    default:
      return keysOf(column);
  }
}

/** The value of a column, of the parts that were selected for it. */
function formatted({ column }: Column, [first, second]: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (column === 'datetime') return sql`to_char(${first}, 'YYYY-MM-DD"T00:00:00.000Z"')`;
  if (column === 'page')
    return sql`case when ${first} is not null then jsonb_build_object('page', ${first}, 'space', ${second}) end`;
  return sql`${first}`;
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
    // A subquery, which is hashed: an array would be searched for each event.
    page: sql`(e.page_id, e.space_id) in (select v->>'page', v->>'space' from unnest(${listed}::jsonb[]) v)`,
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
  const keys = columns.flatMap(keysOf);
  const conditions = [
    ...columns.flatMap(({ column }) => REQUIRED[column] ?? []),
    ...where.map(conditionOf),
    sql`true`,
  ];
  const selected: RawBuilder<unknown>[] = [];
  const select = (part: RawBuilder<unknown>) => sql.ref(`g.p${selected.push(part) - 1}`);
  const values = columns.map(
    (column, index) => sql`${formatted(column, partsOf(column).map(select))} as ${sql.ref(`c${index}`)}`,
  );
  const sorted = [
    ...(order ? partsOf(order.by).map((part) => ({ part, direction: order.direction })) : []),
    ...columns.slice(0, 1).flatMap((column) => partsOf(column).map((part) => ({ part, direction: 'asc' }))),
  ].map(({ part, direction }) => sql`${select(part)} ${sql.raw(direction)}`);
  const groups = sql`
    select ${sql.join(selected.map((part, index) => sql`${part} as ${sql.ref(`p${index}`)}`))}
    from ${eventsOf(days)} e
    where ${sql.join(conditions, sql` and `)}
    ${keys.length > 0 ? sql`group by ${sql.join(keys)}` : sql`having count(*) > 0`}`;
  // Only the groups of the result are formatted: there can be millions of others.
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(values)}
    from (select * from (${groups}) g order by ${sql.join(sorted)} limit ${limit}) g
    order by ${sql.join(sorted)}`.execute(db);
  return rows.map((row) => columns.map((_column, index) => row[`c${index}`]));
}
