import { badRequest } from './errors.ts';

/** 400 for text that is no URL of the web. `path`: of the text, in the request. */
export function parseWebUrl(text: string, path: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  const rule = 'an absolute URL with http or https';
  throw badRequest(`The URL (${path}) is not valid: it must be ${rule}.`, [{ path, rule }]);
}

/** 400 if the timestamp at `path` of the request is in the past. */
export function requireFuture(now: Date, given: string | undefined, path: string): void {
  // This way round, an invalid date (a leap second) is not in the future either.
  if (given === undefined || new Date(given) > now) return;
  throw badRequest(`\`${path.split('.').at(-1)}\` must be in the future.`, [
    { path, rule: 'must be in the future' },
  ]);
}

/** Neither the database nor a file can store such text. */
export const isUnstorable = (text: string): boolean => text.includes('\u0000') || !text.isWellFormed();

export const STORABLE = 'must be text without NUL characters and unpaired surrogates';
