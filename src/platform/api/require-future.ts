import { badRequest } from './errors.ts';

/** 400 if the timestamp at `path` of the request is in the past. */
export function requireFuture(now: Date, given: string | undefined, path: string): void {
  // This way round, an invalid date (a leap second) is not in the future either.
  if (given === undefined || new Date(given) > now) return;
  throw badRequest(`\`${path.split('.').at(-1)}\` must be in the future.`, [
    { path, rule: 'must be in the future' },
  ]);
}
