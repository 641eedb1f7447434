import { badRequest } from './errors.ts';

/** 400 for a moment at `path` of the request that is past. */
export function requireFuture(now: Date, given: string | undefined, path: string): void {
  // Asked this way round, what is no moment at all (a leap second) is not in the future either.
  if (given === undefined || new Date(given) > now) return;
  throw badRequest(`\`${path.split('.').at(-1)}\` must be in the future.`, [
    { path, rule: 'must be in the future' },
  ]);
}
