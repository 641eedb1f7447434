import { badRequest } from '../../platform/api/errors.ts';
import { DAY_MS, MAX_DAYS } from './limits.ts';
import type { Range } from './schema.ts';

const DAYS_BACK = { lastYear: 365, last3Months: 90, last30Days: 30, last7Days: 7, last24Hours: 1 };

const dayOf = (moment: Date | number): string => new Date(moment).toISOString().slice(0, 10);

interface FromTo {
  readonly from: string;
  readonly to: string;
}

/** The days that a range of time touches. */
export function daysOf(range: Range, now: Date): FromTo {
  if (typeof range === 'string')
    return { from: dayOf(now.getTime() - DAYS_BACK[range] * DAY_MS), to: dayOf(now) };
  return checked({ from: dayOf(Date.parse(range.from)), to: dayOf(Date.parse(range.to)) }, 'body.range');
}

/** The days of a query, of which both may be absent. */
export function daysOfQuery(
  query: { from?: string | undefined; to?: string | undefined },
  now: Date,
): FromTo {
  const to = query.to ?? dayOf(now);
  return checked({ from: query.from ?? dayOf(Date.parse(to) - 30 * DAY_MS), to }, 'query.from');
}

function checked(days: FromTo, path: string): FromTo {
  const length = (Date.parse(days.to) - Date.parse(days.from)) / DAY_MS;
  if (!(length >= 0 && length <= MAX_DAYS))
    throw badRequest(
      `The range of days (${path}) must begin before it ends, and have at most ${MAX_DAYS} days.`,
      [{ path, rule: `0 to ${MAX_DAYS} days` }],
    );
  return days;
}
