import type { Database } from '../../platform/database/connection.ts';
import { badRequest } from '../../platform/api/errors.ts';
import { aggregate, isAggregate } from './aggregate-store.ts';
import { daysOf } from './days.ts';
import { EVENT_TYPES, RATINGS, type Aggregation, type Column, type Filter } from './schema.ts';

const refused = (path: string, rule: string) => badRequest(`${path} ${rule}.`, [{ path, rule }]);

const isOneOf = (values: readonly string[]) => (value: unknown) => values.includes(value as string);
const isText = (value: unknown) => typeof value === 'string' && value.length <= 2048;
const isTime = (value: unknown) =>
  isText(value) && /^\d{4}-\d{2}-\d{2}/.test(value as string) && !Number.isNaN(Date.parse(value as string));
const isPage = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  isText((value as { page?: unknown }).page) &&
  isText((value as { space?: unknown }).space);

const VALUES: Readonly<Record<Filter['column'], (value: unknown) => boolean>> = {
  datetime: isTime,
  eventType: isOneOf(EVENT_TYPES),
  page: isPage,
  eventPageFeedbackRating: isOneOf(RATINGS),
  eventSearchQuery: isText,
};

function checkFilter({ column, operator = 'in', values }: Filter, path: string): void {
  if (operator !== 'in' && operator !== 'notIn' && (column !== 'datetime' || values.length !== 1))
    throw refused(`${path}.operator`, 'must be in or notIn, but for datetime with one value');
  const wrong = values.findIndex((value) => !VALUES[column](value));
  if (wrong >= 0) throw refused(`${path}.values[${wrong}]`, `is not a value of ${column}`);
}

const isSame = (one: Column, other: Column) =>
  one.column === other.column && (one.interval ?? 'day') === (other.interval ?? 'day');

/** Counts events by the columns that a query asks for: those it groups by, then those it selects. */
export async function aggregateEvents(db: Database, siteId: string, query: Aggregation, now: Date) {
  const { select = [{ column: 'eventsCount' }], groupBy = [], where = [], order, range } = query;
  for (const [index, { column }] of groupBy.entries())
    if (isAggregate(column))
      throw refused(`body.groupBy[${index}].column`, `must not be ${column}, which is a result`);
  for (const [index, filter] of where.entries()) checkFilter(filter, `body.where[${index}]`);
  const columns: Column[] = [];
  for (const column of [...groupBy, ...select])
    if (!columns.some((other) => isSame(column, other))) columns.push(column);
  if (columns.length === 0) throw refused('body.select', 'must have a column, if groupBy has none');
  if (order && !isAggregate(order.by.column) && !columns.some((column) => isSame(column, order.by)))
    throw refused('body.order.by', 'must be a column of select or groupBy, or a count');
  const rows = await aggregate(
    db,
    { siteId, ...daysOf(range, now) },
    {
      columns,
      where,
      order,
      limit: query.limit ?? 1000,
    },
  );
  return {
    columns: columns.map(({ column }, index) => ({ column, values: rows.map((row) => row[index]) })),
  };
}
